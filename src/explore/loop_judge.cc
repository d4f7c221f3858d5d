#include "explore/loop_judge.h"

#include <algorithm>
#include <limits>

#include "explore/failures.h"

namespace heddle {
namespace {

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

LoopJudge::Verdict LoopJudge::judge(Executor& executor, StepTaker& steps, Question question) {
  if (executor.suspected_spinner() != kNoThread) return classify_loop(executor, steps, question);
  if (executor.configuration().live.empty()) return {};
  if (!executor.configuration().any_enabled()) return without_enabled(executor, steps);
  return too_long(executor, steps, question.taken);
}

// Happens once for each loop of the program. A strategy that concludes something from executions
// starts over then, and this one does not count among its own. Otherwise it may count for much, and
// is brought to its end in turns.
LoopJudge::Verdict LoopJudge::classify_loop(Executor& executor, StepTaker& steps,
                                            Question question) {
  const LoopPlaces::Kind kind = follow_loop(executor, steps, executor.suspected_spinner());
  executor.classify_loop(kind);
  has_learnt_ = true;
  if (kind != LoopPlaces::Kind::Waits && question.samples)
    if (const auto verdict = take_turns(executor, steps, patience())) return *verdict;
  return {.ending = Ending::Pruned, .failure = {}, .counted = question.taken};
}

// A loop that goes on for longer than an execution may could not be followed to its end anyway.
size_t LoopJudge::patience() const {
  constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kWithoutLimit = 100'000;
  return static_cast<size_t>(limits_.max_steps == kNoLimit ? kWithoutLimit : limits_.max_steps);
}

LoopPlaces::Kind LoopJudge::follow_loop(Executor& executor, StepTaker& steps,
                                        ThreadId thread) const {
  const uint64_t changes = executor.changes();
  for (size_t left = patience(); left > 0; --left) {
    const Configuration& configuration = executor.configuration();
    const ThreadView* view = configuration.find(thread);
    if (view != nullptr && view->spin != Spin::None) return LoopPlaces::Kind::Repeats;
    if (view == nullptr || !view->enabled()) return LoopPlaces::Kind::Counts;
    steps.take({thread, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes)
      return LoopPlaces::Kind::Counts;
  }
  return LoopPlaces::Kind::Waits;
}

LoopJudge::Verdict LoopJudge::without_enabled(Executor& executor, StepTaker& steps) {
  const Configuration& configuration = executor.configuration();
  steps.stuck(configuration);
  if (configuration.any(Spin::Pruned) && !still_spins(executor, steps))
    return {.ending = Ending::Pruned, .failure = {}, .counted = {}};
  if (!configuration.any(Spin::Waits))
    return {.ending = Ending::Stuck, .failure = deadlock(executor), .counted = {}};
  Failure failure = spinning_for_ever(configuration);
  if (limits_.doubts_livelocks && !keeps_spinning(executor)) {
    spin_verdict_wrong_ = true;
    return {.ending = Ending::Pruned, .failure = {}, .counted = {}};
  }
  return {.ending = Ending::Stuck, .failure = std::move(failure), .counted = {}};
}

// Lets pruned threads make another round; false if one of them finds anything to do.
bool LoopJudge::still_spins(Executor& executor, StepTaker& steps) const {
  const Configuration& configuration = executor.configuration();
  executor.set_spinning(Spinning::Wait);
  const uint64_t changes = executor.changes();
  for (size_t patience = 100 * configuration.live.size(); patience > 0; --patience) {
    const auto next = std::find_if(configuration.live.begin(), configuration.live.end(),
                                   [](const ThreadView& view) { return view.enabled(); });
    if (next == configuration.live.end()) return true;
    steps.take({next->id, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes) return false;
  }
  return false;
}

// Lets the threads go on in turn; no verdict if that has not come to an end after so many steps.
std::optional<LoopJudge::Verdict> LoopJudge::take_turns(Executor& executor, StepTaker& steps,
                                                        size_t most) {
  ThreadId last = executor.configuration().last;
  for (size_t left = most; left > 0 && executor.status() == Status::Running; --left) {
    const Configuration& configuration = executor.configuration();
    if (configuration.live.empty()) return Verdict{};
    if (!configuration.any_enabled()) return without_enabled(executor, steps);
    last = next_in_turn(configuration, last);
    steps.take({last, 0}, configuration);
  }
  if (executor.status() == Status::Running) return std::nullopt;
  if (executor.status() != Status::Failed) return Verdict{};
  return Verdict{.ending = Ending::Failed, .failure = executor.failure(), .counted = {}};
}

// A schedule that leaves out a thread which could go on proves nothing: that thread starves, and
// might end it all. So each gets its turn, for as many steps again. What then shows counts, too.
LoopJudge::Verdict LoopJudge::too_long(Executor& executor, StepTaker& steps, size_t taken) {
  Verdict endless{
      .ending = Ending::TooLong, .failure = livelock(limits_.max_steps), .counted = taken};
  if (!limits_.doubts_livelocks) return endless;
  const auto verdict = take_turns(executor, steps, taken);
  if (!verdict) return endless;
  if (verdict->ending != Ending::Finished) return *verdict;
  return {.ending = Ending::TooLong, .failure = {}, .counted = taken, .cut_off = true};
}

}  // namespace heddle
