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
// Finding it is NP-complete (theorem 5 there), and the recursion goes through all prefixes of s,
// exponentially many in the number of threads. But nobody wants to know CB(s, t): the question is
// whether it is within a bound. So steps are taken back one by one, from the end of s, with as many
// preemptions as the bound allows, and
//  * a prefix that surely needs more (sure_preemptions.cc) is left alone;
//  * steps that are taken back for nothing come first, so that a good order is found at once if
//    there is one;
//  * where t is the next to run, t's last step e is maximal and hinders nobody, and t is surely
//    enabled after it, no other step need be taken back: in any execution x e y of s that goes on
//    with t, e can be moved to the end. If y is not empty, t was preempted after e. Without e there
//    is at most one preemption where there were two or one, in y threads are enabled only if they
//    were before, and the last of them gives way to e instead of to t's next step;
//  * what was found out is kept, across executions: it holds for the prefixes that others share.
//
// Where it is Unknown whether u is enabled, no preemption is counted: the bound may come out too
// low, and the search then visits more than it must.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "states/bound_table.h"
#include "states/partial_order.h"

namespace heddle {

class ContextBounds {
 public:
  // Whether CB(s, thread) ≤ bound. `cut` is changed on the way and restored; `hash` is that of its
  // state s.
  bool within(const PartialOrder& order, Cut& cut, uint64_t hash, ThreadId thread, uint32_t bound);

  size_t known() const { return known_.size(); }

 private:
  struct Question {
    ThreadId thread;
    uint64_t hash;
    uint32_t budget;  // of preemptions
  };
  struct TakenBack {  // the last step of a thread
    ThreadId thread;
    uint32_t cost;
    uint32_t steps;   // of the thread, that one included
    uint64_t before;  // hash of the state without it
  };
  // The recursion is kept off the stack: it goes as deep as the execution is long.
  struct Call {
    Question question;
    size_t next;  // of the ways to go on, which lie behind those of the call before
    size_t first;
  };

  static uint64_t key(const Question& question);
  std::optional<bool> answer(const PartialOrder& order, Cut& cut, Question& question);
  void call(const PartialOrder& order, const Cut& cut, const Question& question);
  bool search(const PartialOrder& order, Cut& cut);
  void fail(Cut& cut);
  void succeed(Cut& cut, uint32_t preemptions);

  std::vector<Call> calls_;
  std::vector<TakenBack> ways_;
  BoundTable known_;
};

}  // namespace heddle
