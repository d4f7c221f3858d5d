// Probabilistic concurrency testing.
//
// Problem. Sample schedules so that the chance of hitting a bug has a lower bound that one can
// state beforehand, however long the program is.
//
// Idea (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
// guarantees of finding bugs", ASPLOS 2010, section 3). The depth d of a bug is the number of
// ordering constraints that suffice to trigger it. Give each thread a random priority above d, and
// always run the enabled thread with the highest. Draw d-1 steps out of k; the thread that takes
// the i-th of them drops to priority i. Then a bug of depth d shows in one execution of a program
// with n threads and k steps with a probability of at least 1/(n*k^(d-1)).
//
// Where we deviate.
//  * n and k are not given but learned: k is the longest execution seen so far, so the first
//    execution, with no step to draw from, only runs by priorities. Failed executions count only
//    until one has succeeded, or a livelock would spread the change points over empty steps.
//  * Threads appear while the program runs. Each draws its priority when it is first seen, as a
//    large random number, so that all orders of any set of threads are equally likely.
//  * A thread that yields or sleeps drops below all others. Without this a thread that spins until
//    another does something would, at a high priority, spin for ever.
//  * Alternatives of one action (which waiter a signal wakes) are drawn uniformly; a bug that needs
//    a particular one is that much less likely.
//
// Guarantee. The probability above, per execution, once n and k have been learned. The same seed
// gives the same executions. Memory is proportional to the number of threads and to d. Runs until
// it is told to stop.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.h"
#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

using Priority = int64_t;
constexpr Priority kUndrawn = std::numeric_limits<Priority>::min();

class Pct final : public Sampler {
 public:
  Pct(uint32_t depth, uint64_t seed)
      : Sampler(StrategyId::pct), random_(seed), change_points_(std::max(depth, 1u) - 1) {}

  bool begin_execution() override;
  Transition choose(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  std::string guarantee() const override;

 private:
  Priority& priority(ThreadId thread);
  void lower_last(const Configuration& configuration);

  Random random_;
  std::vector<uint64_t> change_points_;  // the i-th: after that many steps, drop to priority i+1
  std::vector<Priority> priorities_;     // by thread; of the execution under way
  Priority lowest_ = 0;                  // given to the last thread that yielded
  uint64_t steps_taken_ = 0;             // in the execution under way
  uint32_t threads_ = 0;                 // seen in it
  uint32_t most_threads_ = 1;            // n
  uint64_t most_steps_ = 0;              // k; 0: not yet known
  bool one_succeeded_ = false;
};

bool Pct::begin_execution() {
  for (uint64_t& point : change_points_)
    point = most_steps_ == 0 ? 0 : 1 + random_.below(most_steps_);
  std::fill(priorities_.begin(), priorities_.end(), kUndrawn);
  lowest_ = 0;
  steps_taken_ = 0;
  threads_ = 0;
  return true;
}

Priority& Pct::priority(ThreadId thread) {
  if (index(thread) >= priorities_.size()) priorities_.resize(index(thread) + 1, kUndrawn);
  Priority& priority = priorities_[index(thread)];
  if (priority == kUndrawn) {
    const Priority above_all_changes = static_cast<Priority>(change_points_.size()) + 1;
    priority = above_all_changes + static_cast<Priority>(random_.next() >> 2);
    ++threads_;
  }
  return priority;
}

// What the step just taken does to the priority of the thread that took it.
void Pct::lower_last(const Configuration& configuration) {
  if (steps_taken_ == 0) return;
  for (size_t i = 0; i < change_points_.size(); ++i)
    if (change_points_[i] == steps_taken_)
      priority(configuration.last) = static_cast<Priority>(i) + 1;
  if (configuration.last_gave_up) priority(configuration.last) = --lowest_;
}

Transition Pct::choose(const Configuration& configuration) {
  lower_last(configuration);
  ++steps_taken_;
  const ThreadView* highest = nullptr;
  Priority highest_priority = kUndrawn;
  for (const ThreadView& view : configuration.live) {
    const Priority own = priority(view.id);  // drawn now, even if the thread is blocked
    if (!view.enabled() || own <= highest_priority) continue;
    highest = &view;
    highest_priority = own;
  }
  const uint32_t choices = highest->choices;
  return {highest->id, choices == 1 ? 0 : static_cast<uint32_t>(random_.below(choices))};
}

void Pct::end_execution(const ExecutionSummary& summary) {
  Sampler::end_execution(summary);
  most_threads_ = std::max(most_threads_, threads_);
  if (summary.failed && one_succeeded_) return;
  const bool first_success = !summary.failed && !one_succeeded_;
  most_steps_ = first_success ? summary.steps : std::max(most_steps_, summary.steps);
  one_succeeded_ = one_succeeded_ || first_success;
}

std::string Pct::guarantee() const {
  const std::string depth = std::to_string(change_points_.size() + 1);
  if (drawn() == 0) return "";
  return count_drawn() + " sampled; each finds a bug of depth " + depth +
         " with probability at least 1/(" + std::to_string(most_threads_) + "*" +
         std::to_string(std::max<uint64_t>(most_steps_, 1)) + "^" +
         std::to_string(change_points_.size()) + ")";
}

}  // namespace

std::unique_ptr<Strategy> make_pct(const RunOptions& options) {
  return std::make_unique<Pct>(options.pct_depth, options.seed);
}

}  // namespace heddle
