// The cone of influence: the part of a circuit on which something depends.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/aig.h"

namespace heddle::symbolic {

// Nodes, inputs and latches in the order of their numbers; gates after their operands.
struct Cone {
  std::vector<uint32_t> inputs, latches, gates;  // nodes
};

// What decides a property and the constraints, in this step and by way of latches in earlier ones.
Cone cone_of(const circuit::System& system, uint32_t property);

}  // namespace heddle::symbolic
