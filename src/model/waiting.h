// Things that threads wait for, in numbers: the state in which an action finds its object
// (Action::before), and what can be done there. Of a mutex or spin lock it is the number of the
// holder plus one, or 0; of a semaphore its value; of a reader-writer lock how many read under it;
// of a barrier how many are missing, and how many there are in a round; of the list of exit
// handlers whether there is anything to run at exit; of a variable that is written atomically a
// number for its contents, or for those that a compare-and-swap expects.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/action.h"

namespace heddle {

inline constexpr uint32_t kHeldForWriting = 0xffffffff;

constexpr uint32_t barrier_state(uint32_t missing, uint32_t round) {
  constexpr uint32_t kMost = 0xfffe;
  return std::min(missing, kMost) | std::min(round, kMost) << 16;
}
constexpr uint32_t missing_at_barrier(uint32_t state) {
  return state & 0xffff;
}
constexpr uint32_t round_of_barrier(uint32_t state) {
  return state >> 16;
}

// Operations that wait for what several threads can have at a time.
constexpr bool awaits_state(Op op) {
  return op == Op::SemWait || op == Op::RwRead || op == Op::RwWrite;
}

// Whether such an operation is enabled in this state. Executors that do not tell states let threads
// try in vain (Blocking::Attempt): there it always is.
constexpr bool available(Op op, uint32_t state) {
  if (state == Action::kUnknownState) return true;
  switch (op) {
    case Op::SemWait:
      return state > 0;
    case Op::RwRead:
      return state != kHeldForWriting;
    case Op::RwWrite:
      return state == 0;
    default:
      return true;
  }
}

}  // namespace heddle
