// A system of the plainest kind for checkers that know no more: one property, no constraints, and
// latches that all start at zero.
//
//   * A latch that starts at one is stored complemented.
//   * A latch whose first value is free is read, in the first step, from an input of its own.
//   * A latch remembers whether a constraint has failed; bad counts only while none has.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/aig.h"

namespace heddle::circuit {

struct Folded {
  System system;                      // its inputs begin with those of the original, in order
  std::vector<uint32_t> free_resets;  // latches of the original, one input each after these
};

Folded fold(const System& system, uint32_t property);

// A run of the folded system as one of the original.
Run unfold(const System& original, const Folded& folded, const Run& run);

}  // namespace heddle::circuit
