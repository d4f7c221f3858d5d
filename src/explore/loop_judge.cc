#include "explore/loop_judge.h"

#include <algorithm>
#include <bit>
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

// Sees that a state comes back, without keeping many: it keeps the one after each doubling of the
// number of rounds, and compares with it for some rounds (after Brent, "An improved Monte Carlo
// factorization algorithm", 1980; but a state is expensive, so that long circles go unseen).
class Recurrence {
 public:
  bool seen_again(const Executor& executor) {
    constexpr uint64_t kCompared = 64;
    ++round_;
    const uint64_t since = round_ - std::bit_floor(round_);
    if (since > kCompared) return false;
    const uint64_t state = executor.global_state();
    if (since > 0) return state != 0 && state == kept_;
    kept_ = state;
    return false;
  }

 private:
  uint64_t round_ = 0;
  uint64_t kept_ = 0;
};

// Where each round takes twice as long as the one before, a thread is not followed for as many
// steps as others: no longer than some tenths of a second.
class ShortTime {
 public:
  static constexpr uint32_t kRounds = 40;  // a processor that is busy otherwise may delay more
  bool is_over() const { return __builtin_ia32_rdtsc() - begin_ > kCycles; }

 private:
  static constexpr uint64_t kCycles = 1'000'000'000;
  uint64_t begin_ = __builtin_ia32_rdtsc();
};

// The thread, let go on alone, has come back to a state in this loop (not in one inside it). If
// only after many rounds, as where it backs off for longer and longer up to a limit, the others
// would have to come in between in each of them.
LoopPlaces::Kind settled(uint32_t rounds) {
  return rounds <= LoopPlaces::kTimesInVain ? LoopPlaces::Kind::Repeats : LoopPlaces::Kind::Waits;
}

}  // namespace

LoopJudge::Verdict LoopJudge::judge(Executor& executor, StepTaker& steps, Question question) {
  if (executor.suspected_spinner() != kNoThread) return classify_loop(executor, steps, question);
  if (executor.configuration().live.empty()) return {};
  if (!executor.configuration().any_enabled()) return without_enabled(executor, steps);
  return too_long(executor, steps);
}

// Happens once for each loop of the program. If it counts to a small number only, nothing changes
// for the search, which goes on from where it was. Otherwise a strategy that concludes something
// from executions starts over, and this one does not count among its own; for others it may count
// for much, and is brought to its end in turns.
LoopJudge::Verdict LoopJudge::classify_loop(Executor& executor, StepTaker& steps,
                                            Question question) {
  const StepMark taken = steps.taken();
  const Followed loop = follow_loop(executor, steps, executor.suspected_spinner());
  const LoopPlaces::Place place = executor.classify_loop(loop.kind, loop.rounds);
  const bool as_before = place.kind == LoopPlaces::Kind::Counts && !place.counts_far();
  if (as_before && !question.has_failed)
    return {.ending = Ending::Finished, .failure = {}, .counted = taken, .resumes = true};
  has_learnt_ = true;
  if (loop.kind != LoopPlaces::Kind::Waits && question.samples) {
    const Turns turns = take_turns(executor, steps, patience());
    if (turns == Turns::End) return ended(executor);
    if (turns == Turns::Stop) return without_enabled(executor, steps);
  }
  return {.ending = Ending::Pruned, .failure = {}, .counted = taken};
}

// A loop that goes on for longer than an execution may could not be followed to its end anyway.
size_t LoopJudge::patience() const {
  constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kWithoutLimit = 100'000;
  return static_cast<size_t>(limits_.max_steps == kNoLimit ? kWithoutLimit : limits_.max_steps);
}

LoopJudge::Followed LoopJudge::follow_loop(Executor& executor, StepTaker& steps,
                                           ThreadId thread) const {
  const uint64_t changes = executor.changes();
  const ThreadView* first = executor.configuration().find(thread);
  const Address place = first == nullptr ? kNoAddress : first->next.pc;
  uint32_t rounds = 0, since = 0;  // the thread was at the place
  const ShortTime time;
  for (size_t left = patience(); left > 0 && !steps.stop_requested(); --left) {
    const Configuration& configuration = executor.configuration();
    const ThreadView* view = configuration.find(thread);
    if (rounds > LoopPlaces::kTimesInVain && rounds < ShortTime::kRounds && time.is_over()) break;
    if (view != nullptr && view->spin != Spin::None)
      return {since < std::max(view->round, 1u) ? settled(rounds) : LoopPlaces::Kind::Counts,
              rounds};
    if (view == nullptr || !view->enabled()) return {LoopPlaces::Kind::Counts, rounds};
    steps.take({thread, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes)
      return {LoopPlaces::Kind::Counts, rounds};
    if (executor.suspected_spinner() != thread) return {LoopPlaces::Kind::Counts, rounds};
    view = executor.configuration().find(thread);
    const bool there = view != nullptr && view->next.pc == place;
    rounds += there;
    since = there ? 0 : since + 1;
  }
  return {LoopPlaces::Kind::Waits, 0};
}

LoopJudge::Verdict LoopJudge::without_enabled(Executor& executor, StepTaker& steps) {
  const Configuration& configuration = executor.configuration();
  steps.stuck(configuration);
  if (configuration.any(Spin::Pruned) && !still_spins(executor, steps))
    return {.ending = Ending::Pruned, .failure = {}, .counted = {}};
  if (!configuration.any(Spin::Waits))
    return {.ending = Ending::Stuck, .failure = deadlock(executor), .counted = {}};
  return for_ever(executor, steps);
}

// All threads wait, some of them in loops. Memory that changes without being seen to, because code
// that was not compiled for us writes it, may end such a loop all the same.
LoopJudge::Verdict LoopJudge::for_ever(Executor& executor, StepTaker& steps) {
  const StepMark taken = steps.taken();
  Failure failure = spinning_for_ever(executor.configuration());
  Verdict livelock{.ending = Ending::Stuck, .failure = std::move(failure), .counted = {}};
  if (!limits_.doubts_livelocks) return livelock;
  constexpr size_t kTurns = 400;  // of each thread
  executor.set_spinning(Spinning::Unroll);
  switch (take_turns(executor, steps, kTurns * executor.configuration().live.size())) {
    case Turns::Repeat:
      return {.ending = Ending::Stuck, .failure = livelock.failure, .counted = taken};
    case Turns::GoOn:  // it counts its rounds
      return {.ending = Ending::TooLong, .failure = {}, .counted = taken, .cut_off = true};
    case Turns::End:
    case Turns::Stop:
      break;
  }
  if (executor.reconsider_loops())
    has_learnt_ = true;
  else
    spin_verdict_wrong_ = true;
  return {.ending = Ending::Pruned, .failure = {}, .counted = {}};
}

// Lets pruned threads make another round; false if one of them finds anything to do.
bool LoopJudge::still_spins(Executor& executor, StepTaker& steps) const {
  const Configuration& configuration = executor.configuration();
  executor.set_spinning(Spinning::Wait);
  const uint64_t changes = executor.changes();
  for (size_t left = patience(); left > 0; --left) {
    const auto next = std::find_if(configuration.live.begin(), configuration.live.end(),
                                   [](const ThreadView& view) { return view.enabled(); });
    if (next == configuration.live.end()) return true;
    steps.take({next->id, 0}, configuration);
    if (executor.status() != Status::Running || executor.changes() != changes) return false;
  }
  return false;
}

// Lets the threads that can go on do so in turn.
LoopJudge::Turns LoopJudge::take_turns(Executor& executor, StepTaker& steps, size_t most) const {
  Recurrence recurrence;
  executor.keep_states();
  ThreadId last = executor.configuration().last;
  for (size_t left = most; left > 0 && executor.status() == Status::Running; --left) {
    const Configuration& configuration = executor.configuration();
    if (configuration.live.empty()) return Turns::End;
    if (!configuration.any_enabled()) return Turns::Stop;
    const ThreadId next = next_in_turn(configuration, last);
    if (next <= last && (recurrence.seen_again(executor) || steps.stop_requested()))
      return steps.stop_requested() ? Turns::GoOn : Turns::Repeat;
    last = next;
    steps.take({last, 0}, configuration);
  }
  return executor.status() == Status::Running ? Turns::GoOn : Turns::End;
}

// Threads that try to take locks and give back what they have when they fail, as std::lock does,
// can go on like that only as long as they keep in step: whoever gets a few steps in a row has them
// all.
bool LoopJudge::ends_out_of_step(Executor& executor, StepTaker& steps) const {
  constexpr size_t kRounds = 20, kInARow = 100;
  bool tries_locks = false;
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t row = 0; row < kInARow && executor.status() == Status::Running; ++row) {
      const Configuration& configuration = executor.configuration();
      if (!configuration.any_enabled()) return false;
      const ThreadView* view = configuration.find(configuration.last);
      const bool goes_on = row > 0 && view != nullptr && view->enabled();
      const ThreadId next = goes_on ? view->id : next_in_turn(configuration, configuration.last);
      tries_locks |= operation(configuration.find(next)->next.op).lock == LockEffect::TryAcquire;
      steps.take({next, 0}, configuration);
    }
    if (executor.status() != Status::Running) return tries_locks;
  }
  return false;
}

LoopJudge::Verdict LoopJudge::ended(const Executor& executor) const {
  if (executor.status() != Status::Failed) return {};
  return {.ending = Ending::Failed, .failure = executor.failure(), .counted = {}};
}

// A schedule that leaves out a thread which could go on proves nothing: that thread starves, and
// might end it all. So each gets its turn, for as many steps again. What then shows counts, too.
LoopJudge::Verdict LoopJudge::too_long(Executor& executor, StepTaker& steps) {
  const StepMark taken = steps.taken();
  const ThreadView* last = executor.configuration().find(executor.configuration().last);
  Verdict undecided{.ending = Ending::TooLong, .failure = {}, .counted = taken, .cut_off = true};
  if (last != nullptr) undecided.where = last->next.pc;
  Verdict endless{
      .ending = Ending::TooLong, .failure = livelock(limits_.max_steps), .counted = taken};
  if (!limits_.doubts_livelocks) return endless;
  switch (take_turns(executor, steps, taken.steps)) {
    case Turns::Repeat:
      if (ends_out_of_step(executor, steps)) endless.failure.reset();
      return endless;
    case Turns::GoOn:
      return undecided;
    case Turns::Stop:
      return without_enabled(executor, steps);
    case Turns::End:
      break;
  }
  const Verdict verdict = ended(executor);
  return verdict.ending == Ending::Finished ? undecided : verdict;
}

}  // namespace heddle
