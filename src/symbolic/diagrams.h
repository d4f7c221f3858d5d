// Reachability with decision diagrams; see bdd.cc.
#pragma once

#include "symbolic/engine.h"

namespace heddle::symbolic {

struct DiagramOptions {
  int part_nodes = 2'000;  // parts of the transition relation are joined up to this size
};

Answer check_diagrams(const circuit::System& system, uint32_t property, const Limits& limits,
                      DiagramOptions options);

}  // namespace heddle::symbolic
