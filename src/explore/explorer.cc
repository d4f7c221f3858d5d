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

bool stopped_thread(Status status) {
  return status == Status::Failed || status == Status::Dismissed;
}

// The enabled thread that comes after `last` in a circle.
ThreadId next_in_turn(const Configuration& configuration, ThreadId last) {
  ThreadId first = kNoThread;
  for (const ThreadView& view : configuration.live) {
    if (!view.enabled()) continue;
    if (view.id > last) return view.id;
    if (first == kNoThread) first = view.id;
  }
  return first;
}

}  // namespace

Explorer::Explorer(std::unique_ptr<Strategy> strategy, const ExploreLimits& limits)
    : strategy_(std::move(strategy)), limits_(limits) {
  HEDDLE_CHECK(strategy_ != nullptr);
  if (limits_.max_executions == 0) limits_.max_executions = kNoLimit;
  if (limits_.max_steps == 0) limits_.max_steps = kNoLimit;
}

EndReason Explorer::run(Executor& executor, ExploreObserver& observer) {
  while (begin_execution(observer)) {
    explore_one(executor, observer);
    finish_execution(observer);
  }
  return end_reason_;
}

// The strategy is asked before the limits are: a search that has nothing left is exhausted, even
// if it needed exactly as many executions as were allowed.
bool Explorer::begin_execution(ExploreObserver& observer) {
  if (!limits_.keep_going && std::any_of(findings_.begin(), findings_.end(),
                                         [&](const Finding& f) { return ends_search(f); }))
    return end(EndReason::FirstFinding);
  if (!strategy_->begin_execution()) return end(EndReason::Exhausted);
  if (observer.stop_requested()) return end(EndReason::Stopped);
  if (executions_ == limits_.max_executions) return end(EndReason::ExecutionLimit);
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
  return schedule_.size() < limits_.max_steps && executor.doubted() == kNoThread &&
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
    if (steps.abandoned()) return abandon(Ending::Abandoned);
    if (executor.doubted() != kNoThread) return settle_doubt(executor, observer);
    if (executor.configuration().live.empty()) return;
    if (!executor.configuration().any_enabled()) return end_without_enabled(executor);
    return end_too_long(executor, observer);
  }
}

// Happens once for each loop of the program. A strategy that concludes something from executions
// starts over then, and this one does not count among its own. Otherwise it may count for much, and
// is brought to its end in turns.
void Explorer::settle_doubt(Executor& executor, ExploreObserver& observer) {
  const size_t before = schedule_.size();
  const LoopPlaces::Kind kind = follow_loop(executor, executor.doubted());
  executor.settle_doubt(kind);
  knows_more_ = true;
  const bool of_use = kind != LoopPlaces::Kind::Waits && strategy_->samples();
  if (of_use && !take_turns(executor, observer, patience())) return;
  schedule_.resize(before);
  summary_.ending = Ending::Pruned;
}

// A loop that goes on for longer than an execution may could not be followed to its end anyway.
size_t Explorer::patience() const {
  constexpr uint64_t kWithoutLimit = 100'000;
  return static_cast<size_t>(limits_.max_steps == kNoLimit ? kWithoutLimit : limits_.max_steps);
}

LoopPlaces::Kind Explorer::follow_loop(Executor& executor, ThreadId thread) {
  const uint64_t changes = executor.changes();
  for (size_t left = patience(); left > 0; --left) {
    const Configuration& configuration = executor.configuration();
    const ThreadView* view = configuration.find(thread);
    if (view != nullptr && view->spin != Spin::None) return LoopPlaces::Kind::Repeats;
    if (view == nullptr || !view->enabled()) return LoopPlaces::Kind::Counts;
    take(executor, {thread, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes)
      return LoopPlaces::Kind::Counts;
  }
  return LoopPlaces::Kind::Waits;
}

void Explorer::abandon(Ending ending) {
  if (!strategy_->is_probe()) ++blocked_;
  summary_.ending = ending;
}

// Lets pruned threads make another round; false if one of them finds anything to do.
bool Explorer::still_spins(Executor& executor) {
  const Configuration& configuration = executor.configuration();
  executor.set_spinning(Spinning::Wait);
  const uint64_t changes = executor.changes();
  for (size_t patience = 100 * configuration.live.size(); patience > 0; --patience) {
    const auto next = std::find_if(configuration.live.begin(), configuration.live.end(),
                                   [](const ThreadView& view) { return view.enabled(); });
    if (next == configuration.live.end()) return true;
    take(executor, {next->id, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes) return false;
  }
  return false;
}

void Explorer::end_without_enabled(Executor& executor) {
  const Configuration& configuration = executor.configuration();
  strategy_->stuck(configuration);
  if (configuration.any(Spin::Pruned) && !still_spins(executor)) return abandon(Ending::Pruned);
  if (!configuration.any(Spin::Waits)) return record(deadlock(executor), Ending::Stuck);
  const Failure failure = spinning_for_ever(configuration);
  if (limits_.doubts_livelocks && !keeps_spinning(executor)) {
    loops_fooled_us_ = true;
    return abandon(Ending::Pruned);
  }
  record(failure, Ending::Stuck);
}

// Lets the threads go on in turn; true if that has not come to an end after so many steps.
bool Explorer::take_turns(Executor& executor, ExploreObserver& observer, size_t most) {
  ThreadId last = executor.configuration().last;
  for (size_t left = most; left > 0 && executor.status() == Status::Running; --left) {
    const Configuration& configuration = executor.configuration();
    if (configuration.live.empty()) return false;
    if (!configuration.any_enabled()) {
      end_without_enabled(executor);
      return false;
    }
    last = next_in_turn(configuration, last);
    take(executor, {last, 0}, configuration);
    observer.steps_taken(1);
  }
  if (executor.status() == Status::Failed) record(executor.failure(), Ending::Failed);
  return executor.status() == Status::Running;
}

// A schedule that leaves out a thread which could go on proves nothing: that thread starves, and
// might end it all. So each gets its turn, for as many steps again. What then shows counts, too.
void Explorer::end_too_long(Executor& executor, ExploreObserver& observer) {
  const size_t limit = schedule_.size();
  if (!limits_.doubts_livelocks) return record(livelock(limits_.max_steps), Ending::TooLong);
  const bool endless = take_turns(executor, observer, limit);
  if (summary_.ending == Ending::Failed || summary_.ending == Ending::Stuck ||
      summary_.ending == Ending::Pruned)
    return;
  schedule_.resize(limit);
  if (endless) return record(livelock(limits_.max_steps), Ending::TooLong);
  summary_.ending = Ending::TooLong;
  if (!strategy_->is_probe()) ++cut_off_;
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
  if (!(limits_.keep_going || dismissed) || !strategy_->continues_after_failure() ||
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
  const std::span<const Transition> prefix = strategy_->prefix();
  schedule_.assign(prefix.begin(), prefix.end());
  summary_.preemptions = strategy_->prefix_preemptions();
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

void Explorer::take(Executor& executor, Transition transition, const Configuration& configuration) {
  note_step(transition, configuration);
  executor.step(transition);
}

void Explorer::execution_died(const Failure& failure) {
  record(failure, Ending::Failed);
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
  summary_.steps = schedule_.size();
  summary_.is_probe = strategy_->is_probe();
  if (summary_.is_probe || (knows_more_ && !strategy_->samples()))
    --executions_;
  else
    count_execution();
  ++finished_;
  strategy_->end_execution(summary_);
  const bool fooled = loops_fooled_us_ && !limits_.unrolls_loops;
  if (fooled) limits_.unrolls_loops = true;
  if (fooled || std::exchange(knows_more_, false)) start_over();
  observer.execution_ended(summary_);
}

// What is known without a bias is preferred, unless the search has shown that it is too small.
Estimate Explorer::estimate() const {
  if (complete()) return {executions_, 0};
  const Share share = strategy_->share();
  if (share.part <= 0) return {};
  const auto done = static_cast<double>(share.executions);
  const bool sampled = share.whole > done;
  const double whole = sampled ? share.whole : done / std::min(share.part, 1.0);
  constexpr double kMost = 1e18;
  return {
      executions_ - share.executions + static_cast<uint64_t>(std::llround(std::min(whole, kMost))),
      sampled ? share.error : 0};
}

bool Explorer::complete() const {
  return end_reason_ == EndReason::Exhausted && strategy_->complete() && cut_off_ == 0;
}

bool Explorer::ends_search(const Finding& finding) const {
  bool race = finding.failure.kind == FindingKind::DataRace;
  return !finding.suppressed && (limits_.races_end_search || !race);
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
  if (strategy_->simplest_first()) return;
  const auto cost = std::pair(summary_.preemptions, schedule.size());
  if (cost >= std::pair(same->preemptions, same->schedule.size())) return;
  same->failure = failure;
  same->schedule.assign(schedule.begin(), schedule.end());
  same->preemptions = summary_.preemptions;
  same->execution = executions_;
}

}  // namespace heddle
