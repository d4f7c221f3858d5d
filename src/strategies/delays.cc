// Iterative delay bounding.
//
// Problem. With many threads even the executions without a preemption are many: wherever a thread
// blocks or ends, each of the others may be next.
//
// Idea (Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011). Fix a deterministic
// scheduler and count how often an execution departs from it. Ours lets a thread run as long as it
// can and then takes the next one in a circle; to pass over a thread that would be next is a delay.
// So the first execution has no delay and is the only one, and for a bound of c there are at most
// as many executions as ways to place c delays in it, however many threads there are.
//
// To run the k-th thread of the circle costs k delays (bounded_search.h).
//
// Guarantee. When bound c is done: all executions with at most c delays, each run once; every one
// of them has at most c preemptions. When nothing was left for later bounds: all executions.
#include <memory>
#include <vector>

#include "strategies/bounded_search.h"
#include "strategies/strategy_table.h"
#include "strategies/transition_order.h"

namespace heddle {
namespace {

class Delays final : public BoundedSearch {
 public:
  explicit Delays(int32_t largest_bound)
      : BoundedSearch(StrategyId::delays, largest_bound, {"delay", "delays"}) {}

  Transition choose(const Configuration& configuration) override {
    const ThreadId running = incumbent(configuration);
    uint32_t delays = 0;
    for_each_in_circle(configuration, [&](const ThreadView& view) {
      const bool preempts = running != kNoThread && view.id != running;
      for_each_choice(view, [&](Transition t) {
        if (delays == 0)
          try_now(t);
        else
          put_off(t, delays, preempts);
      });
      ++delays;
    });
    return go_on(running);
  }

 private:
  // The enabled threads in the order of the scheduler: who ran last first, unless it gave up.
  template <typename Visit>
  static void for_each_in_circle(const Configuration& configuration, Visit&& visit) {
    const std::vector<ThreadView>& live = configuration.live;
    size_t first = 0;
    while (first < live.size() &&
           (configuration.last_gave_up ? live[first].id <= configuration.last
                                       : live[first].id < configuration.last))
      ++first;
    for (size_t i = 0; i < live.size(); ++i) {
      const ThreadView& view = live[(first + i) % live.size()];
      if (view.enabled()) visit(view);
    }
  }
};

}  // namespace

std::unique_ptr<Strategy> make_delays(const RunOptions& options) {
  return std::make_unique<Delays>(options.bound);
}

}  // namespace heddle
