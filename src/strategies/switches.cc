// Iterative bounding of context switches.
//
// Problem. A schedule with few preemptions may still hop between threads wherever one of them
// blocks, and a reader pays for every hop. Which schedule that shows a bug has the fewest?
//
// Idea (Qadeer, Rehof, "Context-bounded model checking of concurrent software", TACAS 2005). Count
// every switch from one thread to another, whether the first could have gone on or not. In the
// search of bounded_search.h an item is then a prefix that ends with a switch, its executions let
// the same thread run as long as it can, and every other thread at every configuration is put off
// until the next bound.
//
// Where the thread that runs cannot go on, each way to continue belongs to the next bound, so the
// execution is abandoned there. That makes more executions than there are schedules; in return the
// first that shows a bug has the fewest context switches for certain, which is what the minimal
// traces are measured by (tests/minima/).
//
// Guarantee. When bound c is done: all executions with at most c context switches. When nothing was
// left for the next bound: all executions.
#include <memory>

#include "strategies/bounded_search.h"
#include "strategies/strategy_table.h"
#include "strategies/transition_order.h"

namespace heddle {
namespace {

class Switches final : public BoundedSearch {
 public:
  explicit Switches(int32_t largest_bound)
      : BoundedSearch(StrategyId::switches, largest_bound, {"context switch", "context switches"}) {
  }

  Transition choose(const Configuration& configuration) override {
    const bool first = at_start();
    bool goes_on = false;
    for_each_transition(configuration, [&](Transition t) {
      if (first || t.thread == configuration.last) {
        try_now(t);
        goes_on = true;
      } else {
        put_off(t, 1, configuration.switch_preempts());
      }
    });
    return goes_on ? go_on(incumbent(configuration)) : kAbandon;
  }
};

}  // namespace

std::unique_ptr<Strategy> make_switches(const RunOptions& options) {
  return std::make_unique<Switches>(options.bound);
}

}  // namespace heddle
