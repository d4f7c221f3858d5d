#include "strategies/estimating.h"

#include <utility>

namespace heddle {
namespace {

constexpr uint64_t kBeforeTheFirst = 2000;  // executions
constexpr uint64_t kLearning = 16;          // walks that only look
constexpr uint64_t kWarmingUp = 16;         // and walks that are not counted
constexpr uint64_t kEnough = 32;            // walks that are counted, before anybody is told
constexpr uint64_t kStepsPerStep = 50;      // of the search for one of a walk
constexpr uint64_t kMany = 128;             // walks, after which there are fewer:
constexpr uint64_t kFewer = 4;              // for so many times as many steps

}  // namespace

Estimating::Estimating(std::unique_ptr<Strategy> inner, uint64_t seed)
    : inner_(std::move(inner)), seed_(seed), dice_(seed) {
  current_ = inner_.get();
}

bool Estimating::time_for_a_walk() const {
  if (given_up_ || executions_ < kBeforeTheFirst) return false;
  return cost_ * kStepsPerStep * (walks_ < kMany ? 1 : kFewer) < steps_;
}

// The search is asked first: when it has nothing left, there is nothing to estimate.
bool Estimating::begin_execution() {
  walking_ = false;
  if (!ready_ && !inner_->begin_execution()) return false;
  walking_ = ready_ = time_for_a_walk();
  if (walking_)
    walk_.begin(walks_ < kLearning ? ClassWalk::Purpose::Learning : ClassWalk::Purpose::Counting);
  return true;
}

std::span<const Transition> Estimating::prefix() const {
  return walking_ ? std::span<const Transition>() : inner_->prefix();
}

uint32_t Estimating::prefix_preemptions() const {
  return walking_ ? 0 : inner_->prefix_preemptions();
}

void Estimating::attach(const Executor& executor) {
  if (!walking_) inner_->attach(executor);
}

Transition Estimating::choose(const Configuration& configuration) {
  return walking_ ? walk_.choose(configuration, dice_) : inner_->choose(configuration);
}

void Estimating::step_failed() {
  if (!walking_) inner_->step_failed();
}

bool Estimating::isolate_failure(Schedule& schedule) const {
  return !walking_ && inner_->isolate_failure(schedule);
}

void Estimating::stuck(const Configuration& configuration) {
  if (!walking_) inner_->stuck(configuration);
}

void Estimating::end_execution(const ExecutionSummary& summary) {
  if (summary.ending == Ending::Failed) given_up_ = true;
  if (!walking_) {
    ++executions_;
    steps_ += summary.steps;
    if (summary.ending != Ending::Abandoned) ++finished_;
    return inner_->end_execution(summary);
  }
  cost_ += walk_.cost();
  if (walk_.met_sections()) given_up_ = true;
  if (++walks_ > kLearning + kWarmingUp) classes_.add(walk_.end(summary.ending));
}

// The program takes other steps: it has other classes.
void Estimating::start_over() {
  inner_->start_over();
  dice_ = RandomDice(seed_);
  walk_ = {};
  classes_ = {};
  walks_ = cost_ = steps_ = executions_ = finished_ = 0;
  ready_ = walking_ = given_up_ = false;
}

Share Estimating::share() const {
  Share share = inner_->share();
  if (given_up_ || classes_.count() < kEnough || finished_ == 0) return share;
  share.whole = classes_.mean() * static_cast<double>(executions_) / static_cast<double>(finished_);
  if (finished_ == executions_) share.error = classes_.relative_error();
  return share;
}

}  // namespace heddle
