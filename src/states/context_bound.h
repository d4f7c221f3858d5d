// The context bound of a state: the fewest preemptions of any execution that leads to it.
//
// The same happens-before state is reached by many executions, with more or fewer preemptions. What
// a search within a bound must visit is decided by the fewest. CB(s, t) is the least number over
// all executions whose last step is t's from s (Musuvathi, Qadeer, MSR-TR-2007-12, section 2):
//
//   CB(initial, t) = 0
//   CB(s, t)       = min over the threads u whose last step is maximal in s of
//                    CB(s - u, u) + (1 if u ≠ t, u is enabled in s and did not yield; else 0)
//
// Finding it is NP-complete (theorem 5 there), so the recursion is memoised, and the memory is kept
// across executions: what one computed holds for the prefixes that others share. The time is that
// of all prefixes of the states visited.
//
// Where it is Unknown whether u is enabled, no preemption is counted: the bound may come out too
// low, and the search then visits more than it must.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "states/partial_order.h"

namespace heddle {

class ContextBounds {
 public:
  // `cut` is changed on the way and restored; `hash` is that of its state.
  uint32_t of(const PartialOrder& order, Cut& cut, uint64_t hash, ThreadId thread);

  size_t known() const { return known_.size(); }

 private:
  struct Call {  // of the recursion, kept off the stack: it goes as deep as the execution is long
    ThreadId thread;
    uint64_t hash;
    uint32_t next = 0;  // thread to look at
    uint32_t best = 0xffffffff;
  };
  bool go_on(const PartialOrder& order, Cut& cut);

  std::vector<Call> calls_;
  std::unordered_map<uint64_t, uint32_t> known_;  // by state and thread; only ever looked up
};

}  // namespace heddle
