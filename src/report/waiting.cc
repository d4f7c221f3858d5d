#include "report/waiting.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

std::string at(const Place& place) {
  return place.known() ? fmt::format(" at {}", brief(place)) : "";
}

bool acquires(const Action& action, ThreadId thread, Address mutex) {
  if (action.thread != thread || action.object != mutex) return false;
  switch (operation(action.op).lock) {
    case LockEffect::Acquire:
    case LockEffect::TryAcquire:
    case LockEffect::AcquireRead:
    case LockEffect::AcquireWrite:
      return true;
    default:
      return action.op == Op::Retry;
  }
}

// "(locked at step 9, queue.c:40)"
std::string acquisition(Narrator& narrator, ThreadId thread, Address mutex) {
  const std::vector<TraceStep>& steps = narrator.trace().steps;
  for (size_t i = steps.size(); i-- > 0;) {
    if (!acquires(steps[i].action, thread, mutex)) continue;
    std::string place = brief(narrator.place_of(steps[i]));
    return fmt::format(" (since step {}{}{})", i + 1, place.empty() ? "" : ", ", place);
  }
  return "";
}

std::string wish(Narrator& narrator, const TraceThreadEnd& end) {
  const Action& next = end.next;
  const Operation& row = operation(next.op == Op::Blocked ? static_cast<Op>(next.size) : next.op);
  if (row.waiting.empty())
    return fmt::format("is blocked before it {}", narrator.description(next));
  const std::string what =
      row.object == ObjectSort::Thread
          ? narrator.thread_label(ThreadId{static_cast<uint32_t>(value(next.object))})
          : narrator.object_name(next.object);
  return fmt::format(fmt::runtime(row.waiting), what);
}

std::string holder(Narrator& narrator, const TraceThreadEnd& end) {
  if (end.waits_for == kNoThread || end.next.op == Op::ThreadJoin) return "";
  std::string who =
      end.waits_for == end.next.thread ? "itself" : narrator.thread_label(end.waits_for);
  return fmt::format(", held by {}{}", who, acquisition(narrator, end.waits_for, end.next.object));
}

std::string sentence(Narrator& narrator, const TraceThreadEnd& end) {
  return fmt::format("  {} {}{}{}\n", narrator.thread_label(end.next.thread), wish(narrator, end),
                     at(narrator.place_of(end)), holder(narrator, end));
}

}  // namespace

std::string waiting_report(Narrator& narrator, const TextStyle& style) {
  const Trace& trace = narrator.trace();
  auto in_cycle = [&](ThreadId thread) {
    return std::find(trace.cycle.begin(), trace.cycle.end(), thread) != trace.cycle.end();
  };
  std::string out;
  if (!trace.cycle.empty()) out += painted("waiting in a circle:", Paint::Strong, style) + '\n';
  for (ThreadId thread : trace.cycle)
    for (const TraceThreadEnd& end : trace.ends)
      if (end.next.thread == thread) out += sentence(narrator, end);
  bool first = true;
  for (const TraceThreadEnd& end : trace.ends) {
    if (end.enabled || in_cycle(end.next.thread)) continue;
    if (first)
      out +=
          painted(trace.cycle.empty() ? "blocked for ever:" : "blocked behind them:", Paint::Strong,
                  style) +
          '\n';
    first = false;
    out += sentence(narrator, end);
  }
  return out;
}

}  // namespace heddle
