// Iterative context bounding.
//
// Problem. The tree of schedules is exponential in the length of the execution, and a search that
// is cut short should still have covered something one can name.
//
// Idea (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded
// programs", PLDI 2007, section 3, algorithm 1). Switching away from a thread that could have gone
// on is a preemption; most bugs need one or two. Explore every execution with c preemptions before
// any with c+1. For a fixed c their number is polynomial in the number of steps, and threads may
// run as long as they like between preemptions.
//
// Two queues of work items. An item is a schedule prefix. Search(item) explores depth first all
// executions that extend the prefix without a further preemption: where the running thread is
// enabled it goes on, where it is not every other thread is tried. At each configuration where it
// goes on, running another thread instead would be a preemption, and is put into the queue of the
// next bound. When the queue of this bound is empty, the next one takes its place.
//
// Shared with other costs: bounded_search.h.
//
// Where we deviate.
//  * An item of the paper is a state and a thread; ours is a schedule, since native states cannot
//    be stored.
//  * The paper's items come in the order of its recursion, ours in the order of depth. Within a
//    bound the order is free.
//  * Alternatives of the running thread's own action (which waiter a signal wakes) are no
//    preemptions: Search tries them all.
//  * After a yield or a sleep every thread may run without it counting, the one that yielded too.
//  * With a bound, what lies beyond it is not stored, only that there is something.
//
// Guarantee. When bound c is done: all executions with at most c preemptions, each run once. When
// nothing was left for the next bound: all executions.
#include <memory>

#include "strategies/bounded_search.h"
#include "strategies/frontier.h"
#include "strategies/strategy_table.h"
#include "strategies/transition_order.h"

namespace heddle {
namespace {

class Icb final : public BoundedSearch {
 public:
  explicit Icb(int32_t largest_bound)
      : BoundedSearch(StrategyId::icb, largest_bound, {"preemption", "preemptions"}) {}

  Transition choose(const Configuration& configuration) override {
    const ThreadId running = incumbent(configuration);
    for_each_transition(configuration, [&](Transition t) {
      if (running == kNoThread || t.thread == running)
        try_now(t);
      else
        put_off(t, 1, true);
    });
    return go_on(running);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_icb(const RunOptions& options) {
  if (wants_frontier(options)) return make_frontier_search(options, FrontierKind::ByPreemptions);
  return std::make_unique<Icb>(options.bound);
}

}  // namespace heddle
