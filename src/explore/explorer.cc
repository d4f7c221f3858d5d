// The exploration loop: run one execution after the other, each step as the strategy says.
//
// Two invariants make the loop safe against the death of the process under a step (the memory of
// this object survives it, see runtime/):
//  * schedule_ holds every transition before it is taken, and summary_ its preemption;
//  * the strategy hears of an execution's end only in finish_execution().
#include "explore/explorer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "explore/failures.h"

namespace heddle {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
// If so many executions, the first ones, all meet the limit of steps, the others will, too.
constexpr uint64_t kAllTooLong = 20;

bool stopped_thread(Status status) {
  return status == Status::Failed || status == Status::Dismissed;
}

constexpr double kMost = 1e15;         // executions that anybody would believe in
constexpr double kLargestError = 0.5;  // relative
constexpr uint64_t kFewExecutions = 1000;
constexpr double kMostOfFew = 1e5;  // that many are told of while there were few
constexpr double kPartThatTells = 0.1;

bool trusts_samples(const Share& share) {
  return share.whole < kMost && share.error > 0 && share.error <= kLargestError;
}

bool trusts_part(const Share& share) {
  if (share.part >= kPartThatTells) return true;
  const auto done = static_cast<double>(share.executions);
  return share.executions < kFewExecutions && done / share.part < kMostOfFew;
}

}  // namespace

Explorer::Explorer(std::unique_ptr<Strategy> strategy, const ExploreLimits& limits)
    : strategy_(std::move(strategy)), limits_(limits) {
  HEDDLE_CHECK(strategy_ != nullptr);
  if (limits_.max_executions == 0) limits_.max_executions = kNoLimit;
  if (limits_.max_steps == 0) limits_.max_steps = kNoLimit;
  judge_.set_limits({limits_.max_steps, limits_.doubts_livelocks});
}

// The strategy is asked before the limits are: a search that has nothing left is exhausted, even
// if it needed exactly as many executions as were allowed.
bool Explorer::begin_execution(ExploreObserver& observer) {
  if (!limits_.keep_going && std::any_of(findings_.begin(), findings_.end(),
                                         [&](const Finding& f) { return ends_search(f); }))
    return end(strategy_->complete() ? EndReason::Exhausted : EndReason::FirstFinding);
  if (repeats_) {
    ++executions_;
    return true;
  }
  if (!strategy_->begin_execution())
    return end(strategy_->mistake().empty() ? EndReason::Exhausted : EndReason::Mistake);
  if (observer.stop_requested()) return end(EndReason::Stopped);
  if (executions_ > 0 && observer.division_requested()) return end(EndReason::Divided);
  if (executions_ == limits_.max_executions) return end(EndReason::ExecutionLimit);
  if (cut_off_ >= kAllTooLong && cut_off_ == executions_) return end(EndReason::StepLimit);
  schedule_.clear();
  summary_ = {};
  ++executions_;
  return true;
}

void Explorer::begin(Executor& executor) {
  strategy_->attach(executor);
  executor.set_spinning(spinning());
  executor.reset();
}

bool Explorer::approach(Executor& executor, size_t steps) {
  begin(executor);
  return executor.run(strategy_->prefix().first(steps)) == steps &&
         executor.status() == Status::Running;
}

void Explorer::explore_one(Executor& executor, ExploreObserver& observer) {
  begin(executor);
  explore_steps(executor, observer);
  for (size_t i = 0; i < executor.noted_count(); ++i) {
    const Executor::Noted noted = executor.noted(i);
    if (noted.steps <= schedule_.size())
      add_finding(noted.failure, std::span(schedule_).first(noted.steps));
  }
}

// Where the strategy leads, as long as nothing else comes up.
class Explorer::Steps final : public Guide {
 public:
  Steps(Explorer& explorer, const Executor& executor, ExploreObserver& observer)
      : explorer_(explorer), executor_(executor), observer_(observer) {}

  bool abandoned() const { return abandoned_; }

  Transition next(const Configuration& configuration) override {
    if (!explorer_.may_go_on(executor_, configuration)) return kNoTransition;
    if (explorer_.is_to_stop(observer_)) return kNoTransition;
    const Transition transition = explorer_.strategy_->choose(configuration);
    abandoned_ = transition == kAbandon;
    if (abandoned_) return kNoTransition;
    explorer_.note_step(transition, configuration);
    observer_.steps_taken(1);
    return transition;
  }

 private:
  Explorer& explorer_;
  const Executor& executor_;
  ExploreObserver& observer_;
  bool abandoned_ = false;
};

bool Explorer::may_go_on(const Executor& executor, const Configuration& configuration) const {
  return schedule_.size() < limits_.max_steps && executor.suspected_spinner() == kNoThread &&
         configuration.any_enabled();
}

void Explorer::explore_steps(Executor& executor, ExploreObserver& observer) {
  if (!follow_prefix(executor, observer)) return;
  Steps steps(*this, executor, observer);
  for (;;) {
    if (stopped_thread(executor.status()) && !continue_without_failed_thread(executor)) return;
    if (executor.status() != Status::Running) return;
    executor.follow(steps);
    if (executor.status() != Status::Running) continue;
    if (steps.abandoned() || is_to_stop(observer)) return abandon();
    if (!judged_to_resume(executor, observer)) return;
  }
}

// The steps that are taken to find out why an execution goes no further.
class Explorer::MoreSteps final : public StepTaker {
 public:
  MoreSteps(Explorer& explorer, Executor& executor, ExploreObserver& observer)
      : explorer_(explorer), executor_(executor), observer_(observer) {}

  void take(Transition transition, const Configuration& configuration) override {
    explorer_.note_step(transition, configuration);
    executor_.step(transition);
    observer_.steps_taken(1);
  }
  void stuck(const Configuration& configuration) override {
    explorer_.strategy_->stuck(configuration);
  }
  bool stop_requested() override { return explorer_.is_to_stop(observer_); }
  StepMark taken() const override {
    return {explorer_.schedule_.size(), explorer_.summary_.preemptions};
  }

 private:
  Explorer& explorer_;
  Executor& executor_;
  ExploreObserver& observer_;
};

bool Explorer::judged_to_resume(Executor& executor, ExploreObserver& observer) {
  MoreSteps steps(*this, executor, observer);
  const LoopJudge::Verdict verdict = judge_.judge(
      executor, steps, {strategy_->traits().samples, summary_.failed || summary_.dismissed});
  if (verdict.counted) {
    schedule_.resize(verdict.counted->steps);
    summary_.preemptions = verdict.counted->preemptions;
  }
  if (verdict.resumes) {
    repeats_ = !executor.can_rewind();
    if (repeats_) return false;
    executor.reset();
    return executor.run(schedule_) == schedule_.size();
  }
  if (verdict.failure) {
    record(*verdict.failure, verdict.ending);
    return false;
  }
  summary_.ending = verdict.ending;
  if (strategy_->is_probe()) return false;
  if (verdict.cut_off && cut_off_++ == 0) cut_off_at_ = verdict.where;
  if (verdict.cut_off && strategy_->traits().samples) ++samples_cut_off_;
  if (verdict.ending == Ending::Pruned && !judge_.has_learnt()) ++blocked_;
  return false;
}

// Executions may be long: whoever wants the search to end is heard in them, too.
bool Explorer::is_to_stop(ExploreObserver& observer) const {
  constexpr size_t kOften = 4096;
  return schedule_.size() % kOften == kOften - 1 && observer.stop_requested();
}

void Explorer::abandon() {
  if (!strategy_->is_probe()) ++blocked_;
  summary_.ending = Ending::Abandoned;
}

// Notes the failure; true if the execution goes on without the thread that failed. An execution
// that is dismissed goes on in the same way, since a strategy may need to see what the others do.
bool Explorer::continue_without_failed_thread(Executor& executor) {
  const bool dismissed = executor.status() == Status::Dismissed;
  if (dismissed)
    summary_.dismissed = true;
  else if (summary_.failed || summary_.dismissed)
    record_later(executor.failure());
  else
    record(executor.failure(), Ending::Failed);
  strategy_->step_failed();
  if (dismissed && schedule_.empty()) return false;  // nothing of it is of interest
  const bool goes_on = limits_.keep_going || limits_.ignored != 0 || dismissed;
  if (!goes_on || !strategy_->traits().continues_after_failure ||
      !executor.continue_without_failed_thread()) {
    summary_.ending = Ending::Failed;
    return false;
  }
  summary_.ending = Ending::Finished;
  return true;
}

// A prefix is known from an earlier execution, so the program must be able to follow it. Failures
// inside it have been recorded then.
bool Explorer::follow_prefix(Executor& executor, ExploreObserver& observer) {
  Schedule before;
  if (repeats_) before = schedule_;
  const std::span<const Transition> prefix = repeats_ ? std::span(before) : strategy_->prefix();
  if (!repeats_) summary_.preemptions = strategy_->prefix_preemptions();
  schedule_.assign(prefix.begin(), prefix.end());
  repeats_ = false;
  size_t taken = executor.run(schedule_);
  while (taken < prefix.size() && stopped_thread(executor.status())) {
    const bool failed = executor.status() == Status::Failed;
    if (!executor.continue_without_failed_thread()) break;
    (failed ? summary_.failed : summary_.dismissed) = true;
    taken += executor.run(std::span(schedule_).subspan(taken));
  }
  observer.steps_taken(taken);
  if (taken == prefix.size()) return true;
  schedule_.resize(taken);
  if (executor.status() == Status::Failed)
    record(executor.failure(), Ending::Failed);
  else
    record(nondeterminism(executor, prefix, taken), Ending::Diverged);
  return false;
}

inline void Explorer::note_step(Transition transition, const Configuration& configuration) {
  if (transition.thread != configuration.last && configuration.switch_preempts())
    ++summary_.preemptions;
  schedule_.push_back(transition);
}

void Explorer::execution_died(const Failure& failure) {
  record(failure, Ending::Failed);
}

bool Explorer::repeat(Executor& executor, const std::function<void()>& before_last) {
  const std::span<const Transition> steps(schedule_);
  if (steps.empty()) before_last();
  begin(executor);
  if (steps.empty()) return true;
  const size_t before = steps.size() - 1;
  if (executor.run(steps.first(before)) != before || executor.status() != Status::Running)
    return false;
  const ThreadView* next = executor.configuration().find(steps.back().thread);
  if (next == nullptr || steps.back().choice >= next->choices) return false;
  before_last();
  executor.step(steps.back());
  return true;
}

void Explorer::count_execution() {
  events_ += summary_.steps;
  const bool whole = summary_.ending != Ending::Abandoned && summary_.ending != Ending::Pruned;
  if (summary_.dismissed)
    ++dismissed_;
  else if (whole)
    ++kept_;
}

void Explorer::finish_execution(ExploreObserver& observer) {
  if (repeats_) {
    --executions_;
    ++finished_;
    return;
  }
  summary_.steps = schedule_.size();
  summary_.is_probe = strategy_->is_probe();
  if (summary_.is_probe || (judge_.has_learnt() && !strategy_->traits().samples))
    --executions_;
  else
    count_execution();
  ++finished_;
  strategy_->end_execution(summary_);
  const bool wrong = judge_.spin_verdict_wrong() && !limits_.unrolls_loops;
  if (wrong) limits_.unrolls_loops = true;
  if (wrong || judge_.has_learnt()) start_over();
  judge_.forget_learnt();
  observer.execution_ended(summary_);
}

// What is known without a bias is preferred, unless the search has shown that it is too small. What
// cannot be relied on is not told: samples whose mean may be far off, or nobody knows how far; and,
// in a search that is not small, the part that lies behind it, as long as that is small. (It is
// measured as if all branches were equally large, and those of a reduction are known only from the
// races found so far.)
Estimate Explorer::estimate() const {
  if (complete()) return {executions_, 0};
  const Share share = strategy_->share();
  if (share.part <= 0) return {};
  const auto done = static_cast<double>(share.executions);
  const bool sampled = share.whole > done;
  if (!(sampled ? trusts_samples(share) : trusts_part(share))) return {};
  const double whole = sampled ? share.whole : done / std::min(share.part, 1.0);
  return {executions_ - share.executions + static_cast<uint64_t>(std::llround(whole)),
          sampled ? share.error : 0};
}

// A search that has covered everything needs no samples.
uint64_t Explorer::cut_off() const {
  return strategy_->complete() ? cut_off_ - samples_cut_off_ : cut_off_;
}

bool Explorer::complete() const {
  return end_reason_ == EndReason::Exhausted && strategy_->complete() && cut_off() == 0;
}

bool Explorer::ends_search(const Finding& finding) const {
  const FindingKind kind = finding.failure.kind;
  if (severity(kind) == Severity::Soft && strategy_->first_samples()) return false;
  return !finding.suppressed && (limits_.races_end_search || kind != FindingKind::DataRace);
}

void Explorer::restart(std::unique_ptr<Strategy> strategy) {
  strategy_ = std::move(strategy);
  ++generation_;
  findings_.clear();
}

bool Explorer::end(EndReason reason) {
  end_reason_ = reason;
  return false;
}

void Explorer::replace_schedule(size_t number, const Finding& simpler) {
  findings_[number].failure = simpler.failure;
  findings_[number].schedule = simpler.schedule;
  findings_[number].preemptions = simpler.preemptions;
}

// The end of the execution. Once a thread has failed or broken an assumption, that others wait for
// it is no news.
void Explorer::record(const Failure& failure, Ending ending) {
  summary_.ending = ending;
  if (summary_.dismissed && ending != Ending::Diverged) return;
  if (!summary_.failed || ending == Ending::Diverged) add_finding(failure, schedule_);
  summary_.failed = true;
}

void Explorer::record_later(const Failure& failure) {
  Schedule alone;
  if (strategy_->isolate_failure(alone)) add_finding(failure, alone);
}

void Explorer::add_finding(const Failure& failure, std::span<const Transition> schedule) {
  if (contains(limits_.ignored, failure.kind)) return;
  const auto same = std::find_if(findings_.begin(), findings_.end(),
                                 [&](const Finding& known) { return known.same_bug(failure); });
  if (same == findings_.end()) {
    findings_.push_back({++numbered_,
                         failure,
                         {schedule.begin(), schedule.end()},
                         summary_.preemptions,
                         executions_,
                         1});
    return;
  }
  ++same->occurrences;
  if (strategy_->traits().found_first == FoundFirst::Simplest) return;
  const auto cost = std::pair(summary_.preemptions, schedule.size());
  if (cost >= std::pair(same->preemptions, same->schedule.size())) return;
  same->failure = failure;
  same->schedule.assign(schedule.begin(), schedule.end());
  same->preemptions = summary_.preemptions;
  same->execution = executions_;
}

}  // namespace heddle
