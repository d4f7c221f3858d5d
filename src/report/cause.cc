// The classes are those of Lu, Park, Seo and Zhou (ASPLOS 2008) with two kinds of deadlock.
//
// A deadlock says itself who waits for what. For the rest we look at the end of the execution. If a
// thread did something to an object, another changed that object, and the first came back to it,
// then the first expected the two to be one: an atomicity violation. If there is no such sandwich,
// what counts is the last time that two threads met at an object: in the other order the bug would
// not be there, an order violation.
#include "report/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/dependence.h"

namespace heddle {
namespace {

class Detective {
 public:
  explicit Detective(Narrator& narrator) : narrator_(narrator), trace_(narrator.trace()) {
    constexpr size_t kLookedAt = 1000;  // steps at the end: the search is quadratic
    if (trace_.steps.size() > kLookedAt) from_ = trace_.steps.size() - kLookedAt;
  }

  Cause find() {
    switch (trace_.failure.kind) {
      case FindingKind::Deadlock:
      case FindingKind::LostWakeup:
        return of_waiting();
      case FindingKind::DataRace:
        return of_race();
      case FindingKind::Livelock:
      case FindingKind::Nondeterminism:
        return {};
      default:
        return of_order();
    }
  }

 private:
  std::string where(const Place& place) {
    std::string text = brief(place);
    return text.empty() ? "" : " at " + text;
  }
  std::string told(size_t step) {
    return narrator_.thread_label(trace_.steps[step].action.thread) + ' ' +
           narrator_.deed(trace_.steps[step].action) +
           where(narrator_.place_of(trace_.steps[step]));
  }

  Cause of_waiting() {
    if (trace_.cycle.size() > 1 && all_at_mutexes()) return inversion();
    for (const TraceThreadEnd& end : trace_.ends) {
      if (end.next.op != Op::CondBlocked) continue;
      if (std::optional<Cause> lost = lost_signal(end.next)) return *lost;
    }
    return {};
  }

  bool all_at_mutexes() const {
    return std::all_of(trace_.cycle.begin(), trace_.cycle.end(), [&](ThreadId thread) {
      return std::any_of(trace_.ends.begin(), trace_.ends.end(), [&](const TraceThreadEnd& end) {
        return end.next.thread == thread && end.next.op == Op::MutexLock;
      });
    });
  }

  Cause inversion() {
    Cause cause{"lock-order inversion", "", {}};
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

  std::optional<Cause> lost_signal(const Action& waiting) {
    std::optional<size_t> wait, before, after;
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      const Action& action = trace_.steps[i].action;
      if (action.object != waiting.object) continue;
      bool waits = action.op == Op::CondWait && action.thread == waiting.thread;
      if (waits && after) before = after;
      if (waits) wait = i, after = std::nullopt;
      if (action.op == Op::CondSignal || action.op == Op::CondBroadcast)
        (wait ? after : before) = i;
    }
    if (!wait || (!before && !after)) return std::nullopt;
    if (!after)
      return Cause{
          "lost signal",
          fmt::format("{} before {}, so nobody is left to wake it", told(*before), told(*wait)),
          {*before, *wait}};
    return Cause{
        "lost signal",
        fmt::format("{} after {}, but that wakes another thread, and nobody is left to wake "
                    "this one",
                    told(*after), told(*wait)),
        {*wait, *after}};
  }

  Cause of_race() {
    const std::vector<TraceEvidence>& all = trace_.evidence;
    if (all.size() < 2 || all[0].role != "later-access" || all[1].role != "earlier-access")
      return {};
    std::string object = narrator_.object_name(trace_.failure.object);
    auto place = [&](const TraceEvidence& evidence) {
      TraceStep step;
      step.action = evidence.action;
      step.stack = evidence.stack;
      return where(narrator_.place_of(step));
    };
    return {"missing lock",
            fmt::format("no lock and no other synchronisation orders the access to {} by {}{} and "
                        "the one by {}{}",
                        object, narrator_.thread_label(all[1].action.thread), place(all[1]),
                        narrator_.thread_label(all[0].action.thread), place(all[0])),
            {}};
  }

  static bool meet(const Action& a, const Action& b) {
    bool threads = a.op == Op::ThreadCreate || a.op == Op::ThreadJoin || a.op == Op::ThreadExit ||
                   a.op == Op::ThreadStart || a.op == Op::ProcessExit;
    return !threads && a.thread != b.thread && b.op != Op::ProcessExit && dependent(a, b);
  }

  Cause of_order() {
    const std::vector<TraceStep>& steps = trace_.steps;
    for (size_t last = steps.size(); last-- > from_;)
      if (std::optional<Cause> cause = sandwich(last)) return *cause;
    for (size_t later = steps.size(); later-- > from_;)
      for (size_t earlier = later; earlier-- > from_;)
        if (meet(steps[earlier].action, steps[later].action))
          return {"order violation",
                  fmt::format("{} before {}", told(earlier), told(later)),
                  {earlier, later}};
    return {};
  }

  // The last step of another thread that changed the object between two visits of this one.
  std::optional<Cause> sandwich(size_t last) {
    const std::vector<TraceStep>& steps = trace_.steps;
    const Action& back = steps[last].action;
    for (size_t between = last; between-- > from_;) {
      if (!meet(steps[between].action, back)) continue;
      for (size_t first = between; first-- > from_;) {
        const Action& before = steps[first].action;
        if (before.thread != back.thread || before.object != back.object) continue;
        if (!meet(before, steps[between].action)) continue;
        return Cause{"atomicity violation",
                     fmt::format("between {} and its return to {}{}, {}", told(first),
                                 narrator_.object_name(back.object),
                                 where(narrator_.place_of(steps[last])), told(between)),
                     {first, between, last}};
      }
    }
    return std::nullopt;
  }

  Narrator& narrator_;
  const Trace& trace_;
  size_t from_ = 0;
};

}  // namespace

Cause cause_of(Narrator& narrator) {
  return Detective(narrator).find();
}

}  // namespace heddle
