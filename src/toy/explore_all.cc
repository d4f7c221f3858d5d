#include "toy/explore_all.h"

#include <algorithm>
#include <utility>

#include "explore/runner.h"

namespace heddle::toy {
namespace {

class LastSummary final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& ended) override { summary = ended; }
  ExecutionSummary summary;
};

Outcome outcome_of(const Executor& executor) {
  if (executor.status() == Status::Running) return Outcome::Deadlock;
  return executor.status() == Status::Failed ? Outcome::Failed : Outcome::Finished;
}

bool before(const Schedule& a, const Schedule& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](Transition x, Transition y) {
        return std::pair(x.thread, x.choice) < std::pair(y.thread, y.choice);
      });
}

}  // namespace

Exploration explore_all(Executor& executor, std::unique_ptr<Strategy> strategy,
                        uint64_t max_executions, const std::function<uint64_t()>& fingerprint) {
  ExploreLimits limits;
  limits.keep_going = true;
  limits.max_executions = max_executions;
  Explorer explorer(std::move(strategy), limits);
  LastSummary observer;
  Exploration result;
  class Keep final : public BetweenExecutions {
   public:
    explicit Keep(std::function<void()> keep) : keep_(std::move(keep)) {}
    void settle() override { keep_(); }

   private:
    std::function<void()> keep_;
  } keep([&] {
    if (observer.summary.is_probe) return;
    result.executions.push_back(
        {explorer.schedule(), observer.summary.preemptions,
         observer.summary.ending == Ending::Abandoned || observer.summary.ending == Ending::Pruned
             ? Outcome::Abandoned
             : outcome_of(executor),
         fingerprint()});
  });
  PlainRunner runner(executor);
  run_all(explorer, observer, runner, keep);
  result.findings = explorer.findings();
  result.blocked = explorer.blocked();
  result.end_reason = explorer.end_reason();
  result.complete = explorer.complete();
  result.guarantee = explorer.strategy().guarantee();
  return result;
}

std::vector<Schedule> sorted_schedules(const std::vector<Execution>& executions) {
  std::vector<Schedule> schedules;
  for (const Execution& execution : executions) schedules.push_back(execution.schedule);
  std::sort(schedules.begin(), schedules.end(), before);
  return schedules;
}

}  // namespace heddle::toy
