// Replay.
//
// Problem. A finding is worth nothing unless it can be seen again.
//
// Idea. The schedule is the prefix of a single execution. The explorer reports where the program
// does not follow it. Should the program go on after its last step (a schedule cut by hand, or a
// program that has been repaired since), it runs on without preemptions: the same thread as long as
// it is enabled, then the first in the order of transition_order.h.
//
// Guarantee. One execution, the same as the recorded one if the program is deterministic. It is not
// in the registry because it needs a schedule, which no option can give.
#include "strategies/replay.h"

#include <utility>

#include "strategies/transition_order.h"

namespace heddle {
namespace {

class Replay final : public StrategyBase {
 public:
  Replay(Schedule schedule, uint32_t preemptions)
      : schedule_(std::move(schedule)), preemptions_(preemptions) {}

  bool begin_execution() override { return !std::exchange(begun_, true); }
  std::span<const Transition> prefix() const override { return schedule_; }
  uint32_t prefix_preemptions() const override { return preemptions_; }

  Transition choose(const Configuration& configuration) override {
    Transition first{kNoThread, 0};
    for_each_transition(configuration, [&](Transition t) {
      if (first.thread == kNoThread) first = t;
    });
    return first;
  }

  void end_execution(const ExecutionSummary&) override { ended_ = true; }
  bool complete() const override { return ended_; }
  std::string guarantee() const override { return ended_ ? "one execution, as recorded" : ""; }

 private:
  const Schedule schedule_;
  const uint32_t preemptions_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_replay(Schedule schedule, uint32_t preemptions) {
  return std::make_unique<Replay>(std::move(schedule), preemptions);
}

}  // namespace heddle
