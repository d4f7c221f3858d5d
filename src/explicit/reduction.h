// Which of the moves of a state suffice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "interpreter/state_space.h"

namespace heddle::explicit_states {

class Reduction {
 public:
  virtual ~Reduction() = default;

  // Puts the moves that suffice first; how many these are. What a search owes in return: if none of
  // them leads to a running state, or if the rule about cycles asks for it, it takes the others as
  // well.
  virtual size_t select(StateSpace& space, const uint8_t* state, std::vector<Move>& moves) = 0;
};

// Who sees to it that no thread is put off for ever on a cycle.
enum class CycleRule : uint8_t {
  Search,  // a depth-first search takes all moves where every selected one leads back into its path
  Sticky,  // a thread that may close a cycle of its own is selected only together with all others
};

// How a thread is held to interfere with another's next action (stubborn.cc).
enum class Relation : uint8_t {
  Static,        // it may touch the same thing later, with a write among the two
  LockPatterns,  // and it can get there without a lock that the other holds now
};

// The threads of the set that grows from one that is enabled, in order.
std::vector<uint32_t> stubborn_set_from(StateSpace& space, const uint8_t* state, uint32_t thread,
                                        Relation relation);

std::unique_ptr<Reduction> make_stubborn(const StateSpace& space, Relation relation,
                                         CycleRule cycles);

}  // namespace heddle::explicit_states
