// The classes are those of Lu, Park, Seo and Zhou (ASPLOS 2008) with two kinds of deadlock.
//
// A deadlock says itself who waits for what. For the rest we look at the end of the execution. If a
// thread did something to an object, another changed that object, and the first came back to it,
// then the first perhaps expected the two to be one: an atomicity violation. If that is not it, two
// threads met at an object in the wrong order: an order violation.
//
// These are guesses. Whoever can run the program tries each with the steps reordered, and keeps the
// first without which the bug does not show.
#include "trace/critical_steps.h"

#include <algorithm>

#include "model/dependence.h"

namespace heddle {
namespace {

constexpr size_t kLookedAt = 1000;  // steps at the end: the search is quadratic
constexpr size_t kMostOfAKind = 8;

// With others, at an object.
bool may_meet(const Action& a) {
  return !operation(a.op).has(op_property::ThreadLife) && a.op != Op::ProcessExit;
}

bool meet(const Action& a, const Action& b) {
  return may_meet(a) && a.thread != b.thread && b.op != Op::ProcessExit && dependent(a, b);
}

// The thread of `earlier` is held back there until `later` has been taken.
Schedule reversed(const Schedule& schedule, size_t earlier, size_t later) {
  Schedule result(schedule.begin(), schedule.begin() + static_cast<ptrdiff_t>(earlier));
  const ThreadId held = schedule[earlier].thread;
  for (size_t i = earlier; i <= later; ++i)
    if (schedule[i].thread != held) result.push_back(schedule[i]);
  for (size_t i = earlier; i <= later; ++i)
    if (schedule[i].thread == held) result.push_back(schedule[i]);
  result.insert(result.end(), schedule.begin() + static_cast<ptrdiff_t>(later) + 1, schedule.end());
  return result;
}

class Search {
 public:
  explicit Search(const Trace& trace) : trace_(trace), steps_(trace.steps) {
    if (steps_.size() > kLookedAt) from_ = steps_.size() - kLookedAt;
  }

  std::vector<Suspect> run() {
    switch (trace_.failure.kind) {
      case FindingKind::Deadlock:
      case FindingKind::LostWakeup:
        add_circle();
        add_lost_signal();
        break;
      case FindingKind::DataRace:  // nothing orders the accesses: no step is to blame
      case FindingKind::Livelock:
      case FindingKind::Temporal:
      case FindingKind::Nondeterminism:
      case FindingKind::Death:
        break;
      default:
        add_sandwiches();
        add_meetings();
        add_early_steps();
    }
    return std::move(found_);
  }

 private:
  void add(CauseKind kind, std::vector<size_t> steps, std::vector<Schedule> reordered) {
    Suspect suspect;
    suspect.critical.kind = kind;
    suspect.critical.steps = std::move(steps);
    suspect.reordered = std::move(reordered);
    found_.push_back(std::move(suspect));
  }

  void add_circle() {
    if (!is_circle_of_mutexes(trace_)) return;
    std::vector<size_t> taken = acquisitions_of_circle(trace_);
    if (taken.size() < 2) return;
    // The last of them comes too late: another one of the circle goes first, as far as it can.
    Schedule schedule(trace_.schedule.begin(),
                      trace_.schedule.begin() + static_cast<ptrdiff_t>(taken.back()));
    std::vector<Schedule> reordered;
    for (ThreadId thread : trace_.cycle) {
      if (thread == steps_[taken.back()].action.thread) continue;
      reordered.push_back(schedule);
      reordered.back().push_back({thread, 0});
    }
    add(CauseKind::LockOrder, taken, std::move(reordered));
  }

  void add_lost_signal() {
    std::optional<LostSignal> lost = find_lost_signal(trace_);
    if (!lost) return;
    if (lost->before()) {
      add(CauseKind::LostSignal, {lost->signal, lost->wait}, signal_held_back(*lost));
      return;
    }
    std::vector<Schedule> reordered;  // another waiter is woken
    for (uint32_t choice = 0; choice < steps_[lost->signal].choices; ++choice) {
      if (choice == steps_[lost->signal].choice) continue;
      reordered.push_back(trace_.schedule);
      reordered.back()[lost->signal].choice = choice;
    }
    add(CauseKind::LostSignal, {lost->wait, lost->signal}, std::move(reordered));
  }

  // At the signal, or before: the signaller may hold the mutex that the wait needs.
  std::vector<Schedule> signal_held_back(const LostSignal& lost) const {
    std::vector<Schedule> reordered;
    for (size_t i = lost.signal + 1; i-- > from_ && reordered.size() < kMostOfAKind;)
      if (steps_[i].action.thread == steps_[lost.signal].action.thread)
        reordered.push_back(reversed(trace_.schedule, i, lost.wait));
    return reordered;
  }

  // The last steps of other threads that changed an object between two visits of one.
  void add_sandwiches() {
    size_t count = 0;
    for (size_t last = steps_.size(); last-- > from_;)
      for (size_t between = last; between-- > from_ && count < kMostOfAKind;) {
        if (!meet(steps_[between].action, steps_[last].action)) continue;
        if (std::optional<size_t> first = visit_before(between, steps_[last].action)) {
          add(CauseKind::Atomicity, {*first, between, last},
              {reversed(trace_.schedule, between, last),
               reversed(trace_.schedule, *first, between)});
          ++count;
        }
      }
  }

  std::optional<size_t> visit_before(size_t between, const Action& back) const {
    for (size_t first = between; first-- > from_;) {
      const Action& before = steps_[first].action;
      if (before.thread == back.thread && before.object == back.object &&
          meet(before, steps_[between].action))
        return first;
    }
    return std::nullopt;
  }

  void add_meetings() {
    size_t count = 0;
    for (size_t later = steps_.size(); later-- > from_;)
      for (size_t earlier = later; earlier-- > from_ && count < kMostOfAKind;)
        if (meet(steps_[earlier].action, steps_[later].action)) {
          add(CauseKind::Order, {earlier, later}, {reversed(trace_.schedule, earlier, later)});
          ++count;
        }
  }

  // A thread is held back where it fails, or some steps before, and another one runs on.
  void add_early_steps() {
    size_t count = 0;
    for (size_t i = steps_.size(); i-- > from_ && count < kMostOfAKind;) {
      const Action& action = steps_[i].action;
      if (action.thread != trace_.failure.thread || action.object == kNoAddress) continue;
      for (const TraceThread& other : trace_.threads) {
        if (other.id == action.thread || !may_meet(action)) continue;
        Schedule schedule(trace_.schedule.begin(),
                          trace_.schedule.begin() + static_cast<ptrdiff_t>(i));
        schedule.push_back({other.id, 0});
        add(CauseKind::Order, {i}, {std::move(schedule)});
        found_.back().late = other.id;
        found_.back().early = action;
        ++count;
      }
    }
  }

  const Trace& trace_;
  const std::vector<TraceStep>& steps_;
  size_t from_ = 0;
  std::vector<Suspect> found_;
};

const TraceThreadEnd* end_of(const Trace& trace, ThreadId thread) {
  for (const TraceThreadEnd& end : trace.ends)
    if (end.next.thread == thread) return &end;
  return nullptr;
}

std::optional<LostSignal> lost_signal(const Trace& trace, const Action& waiting) {
  std::optional<size_t> wait, before, after;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const Action& action = trace.steps[i].action;
    if (action.object != waiting.object) continue;
    bool waits = action.op == Op::CondWait && action.thread == waiting.thread;
    if (waits && after) before = after;
    if (waits) wait = i, after = std::nullopt;
    if (action.op == Op::CondSignal || action.op == Op::CondBroadcast) (wait ? after : before) = i;
  }
  if (!wait || (!before && !after)) return std::nullopt;
  return LostSignal{after ? *after : *before, *wait};
}

}  // namespace

std::optional<LostSignal> find_lost_signal(const Trace& trace) {
  for (const TraceThreadEnd& end : trace.ends) {
    if (end.next.op != Op::CondBlocked) continue;
    if (std::optional<LostSignal> lost = lost_signal(trace, end.next)) return lost;
  }
  return std::nullopt;
}

bool is_circle_of_mutexes(const Trace& trace) {
  return trace.cycle.size() > 1 &&
         std::all_of(trace.cycle.begin(), trace.cycle.end(), [&](ThreadId thread) {
           const TraceThreadEnd* end = end_of(trace, thread);
           return end != nullptr && end->next.op == Op::MutexLock;
         });
}

std::vector<size_t> acquisitions_of_circle(const Trace& trace) {
  std::vector<size_t> taken;
  for (ThreadId waiter : trace.cycle) {
    const TraceThreadEnd* end = end_of(trace, waiter);
    if (end == nullptr) continue;
    for (size_t i = trace.steps.size(); i-- > 0;) {
      const Action& action = trace.steps[i].action;
      if (action.thread != end->waits_for || action.object != end->next.object ||
          action.op == Op::MutexUnlock)
        continue;
      taken.push_back(i);
      break;
    }
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

bool name_late_step(Suspect& suspect, const Trace& reordered) {
  for (size_t i = suspect.critical.steps.back(); i < reordered.steps.size(); ++i) {
    const Action& action = reordered.steps[i].action;
    if (action.thread != suspect.late || !meet(suspect.early, action)) continue;
    suspect.critical.late = reordered.steps[i];
    return true;
  }
  return false;
}

std::vector<Suspect> suspects(const Trace& trace) {
  if (trace.steps.size() != trace.schedule.size()) return {};
  return Search(trace).run();
}

}  // namespace heddle
