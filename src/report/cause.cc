// A deadlock says itself who waits for what, and a race which accesses nothing orders. Which steps
// are to blame for other bugs is a guess (trace/critical_steps.cc), so it is told only if the
// program was run with these steps in another order and did not show the bug.
#include "report/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/plain_message.h"
#include "trace/critical_steps.h"

namespace heddle {
namespace {

class Detective {
 public:
  explicit Detective(Narrator& narrator) : narrator_(narrator), trace_(narrator.trace()) {}

  Cause find() {
    Cause cause;
    switch (trace_.failure.kind) {
      case FindingKind::Deadlock:
      case FindingKind::LostWakeup:
        cause = of_waiting();
        break;
      case FindingKind::DataRace:
        return of_race();
      default:
        cause = of_memory();
        if (cause.kind.empty()) cause = of_order();
    }
    cause.confirmed = !cause.kind.empty() && trace_.critical.kind != CauseKind::None;
    return cause;
  }

 private:
  std::string where(const Place& place) {
    std::string text = brief(place);
    return text.empty() ? "" : " at " + text;
  }
  std::string told(const TraceStep& step) {
    return narrator_.thread_label(step.action.thread) + ' ' + narrator_.description(step.action) +
           where(narrator_.place_of(step));
  }
  // Without places, which the sentence has named already.
  std::string briefly(const TraceStep& step) {
    Action action = step.action;
    action.second = kNoAddress;  // the mutex that a wait releases
    return fmt::format("thread {} {}", index(action.thread), narrator_.description(action));
  }
  std::string briefly(size_t step) { return briefly(trace_.steps[step]); }
  std::string label(const TraceEvidence& evidence) {
    return narrator_.thread_label(evidence.action.thread);
  }
  std::string place(const TraceEvidence& evidence) { return where(narrator_.place_of(evidence)); }
  std::string told(size_t step) { return told(trace_.steps[step]); }

  Cause of_waiting() {
    if (is_circle_of_mutexes(trace_)) return inversion();
    if (std::optional<LostSignal> lost = find_lost_signal(trace_)) return lost_signal(*lost);
    return {};
  }

  Cause inversion() {
    Cause cause{"lock-order inversion", "", acquisitions_of_circle(trace_)};
    cause.reordered = "one of them has taken both locks before the other comes";
    for (const TraceThreadEnd& end : trace_.ends) {
      auto in_circle = std::find(trace_.cycle.begin(), trace_.cycle.end(), end.next.thread);
      if (in_circle == trace_.cycle.end()) continue;
      std::string held = held_in_circle(end.next.thread);
      if (!cause.sentence.empty()) cause.sentence += ", ";
      cause.sentence +=
          fmt::format("{}{} wants {}{}", narrator_.thread_label(end.next.thread),
                      held.empty() ? "" : " holds " + held + " and",
                      narrator_.object_name(end.next.object), where(narrator_.place_of(end)));
    }
    return cause;
  }

  // What the thread holds that another one of the circle waits for.
  std::string held_in_circle(ThreadId holder) {
    for (const TraceThreadEnd& end : trace_.ends)
      if (end.waits_for == holder && end.next.op == Op::MutexLock)
        return narrator_.object_name(end.next.object);
    return "";
  }

  Cause lost_signal(const LostSignal& lost) {
    std::string signal = told(lost.signal), wait = told(lost.wait);
    if (lost.before())
      return {"lost signal",
              fmt::format("{} before {}, so nobody is left to wake it", signal, wait),
              {lost.signal, lost.wait},
              false,
              fmt::format("{} before {}", briefly(lost.wait), briefly(lost.signal))};
    return {"lost signal",
            fmt::format("{} after {}, but that wakes another thread, and nobody is left to wake "
                        "this one",
                        signal, wait),
            {lost.wait, lost.signal},
            false,
            fmt::format("{} and wakes another thread than this time", briefly(lost.signal))};
  }

  Cause of_race() {
    const std::vector<TraceEvidence>& all = trace_.evidence;
    if (all.size() < 2 || all[0].role != EvidenceRole::LaterAccess ||
        all[1].role != EvidenceRole::EarlierAccess)
      return {};
    std::string object = narrator_.object_name(trace_.failure.object);
    Cause cause{"missing lock",
                fmt::format("no lock and no other synchronisation orders the access to {} by {}{} "
                            "and the one by {}{}",
                            object, label(all[1]), place(all[1]), label(all[0]), place(all[0])),
                {}};
    for (size_t i : {1, 0})
      if (all[i].step > 0 && all[i].step <= trace_.steps.size())
        cause.steps.push_back(all[i].step - 1);
    return cause;
  }

  // Memory that another thread freed too early; what else was reordered to see that is beside the
  // point.
  Cause of_memory() {
    const TraceEvidence* freed = nullptr;
    const TraceEvidence* bad = nullptr;
    for (const TraceEvidence& evidence : trace_.evidence) {
      if (evidence.role == EvidenceRole::Freed) freed = &evidence;
      if (info(evidence.role).is_bad) bad = &evidence;
    }
    if (freed == nullptr || bad == nullptr || freed->action.thread == bad->action.thread) return {};
    const bool frees_again = bad->role == EvidenceRole::BadFree;
    const std::string again = frees_again ? " again" : "";
    Cause cause{"order violation",
                fmt::format("{} frees {}{} before {} {} {}{}{}", label(*freed),
                            narrator_.object_name(trace_.failure.object), place(*freed),
                            label(*bad), frees_again ? "frees" : verb(bad->action.op),
                            narrator_.object_name(bad->action.object), again, place(*bad)),
                {}};
    for (const TraceEvidence* evidence : {freed, bad})
      if (evidence->step > 0 && evidence->step <= trace_.steps.size())
        cause.steps.push_back(evidence->step - 1);
    cause.reordered = of_order().reordered;
    return cause;
  }

  Cause of_order() {
    const std::vector<size_t>& steps = trace_.critical.steps;
    for (size_t step : steps)
      if (step >= trace_.steps.size()) return {};
    if (trace_.critical.kind == CauseKind::Order && steps.size() == 1 && trace_.critical.late)
      return {"order violation",
              fmt::format("{} before {}", told(steps[0]), told(*trace_.critical.late)), steps,
              false,
              fmt::format("{} before {}", briefly(*trace_.critical.late), briefly(steps[0]))};
    if (trace_.critical.kind == CauseKind::Order && steps.size() == 2)
      return {"order violation", fmt::format("{} before {}", told(steps[0]), told(steps[1])), steps,
              false, fmt::format("{} before {}", briefly(steps[1]), briefly(steps[0]))};
    if (trace_.critical.kind == CauseKind::Atomicity && steps.size() == 3)
      return {"atomicity violation",
              fmt::format("{} and returns to it{}; in between, {}", told(steps[0]),
                          where(narrator_.place_of(trace_.steps[steps[2]])), told(steps[1])),
              steps, false, fmt::format("{} before or after both of them", briefly(steps[1]))};
    return {};
  }

  Narrator& narrator_;
  const Trace& trace_;
};

}  // namespace

Cause cause_of(Narrator& narrator) {
  return Detective(narrator).find();
}

std::string in_words(const Cause& cause) {
  if (!cause.confirmed) return cause.sentence;
  return fmt::format("{}; run so that {}, the program did not show the bug", cause.sentence,
                     cause.reordered);
}

bool is_lost_wakeup(const Trace& trace) {
  if (trace.failure.kind == FindingKind::LostWakeup) return true;
  return trace.failure.kind == FindingKind::Deadlock && !is_circle_of_mutexes(trace) &&
         find_lost_signal(trace).has_value();
}

Headline headline_of(Narrator& narrator) {
  const Trace& trace = narrator.trace();
  const bool lost = is_lost_wakeup(trace);
  Headline headline{lost ? "lost wake-up" : std::string(name(trace.failure.kind)),
                    plain_message(narrator)};
  if (!lost || trace.failure.kind != FindingKind::Deadlock) return headline;
  const std::optional<LostSignal> signal = find_lost_signal(trace);
  const TraceStep& wakes = trace.steps[signal->signal];
  const TraceStep& waits = trace.steps[signal->wait];
  const std::string place = brief(narrator.place_of(wakes));
  const std::string what = narrator.object_name(waits.action.object);
  const uint32_t waiter = index(waits.action.thread);
  headline.message = fmt::format(
      "thread {} signals {}{}{}{} {}", index(wakes.action.thread), what, place.empty() ? "" : " (",
      place, place.empty() ? "" : ")",
      signal->before()
          ? fmt::format("before thread {} waits for it, and nobody wakes thread {} again", waiter,
                        waiter)
          : fmt::format("but wakes another thread than thread {}, which waits for ever", waiter));
  return headline;
}

}  // namespace heddle
