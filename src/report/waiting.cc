#include "report/waiting.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

std::string at(const Place& place) {
  return place.known() ? fmt::format(" at {}", brief(place)) : "";
}

bool acquires(const Action& action, ThreadId thread, Address mutex) {
  return action.thread == thread && action.object == mutex &&
         (action.op == Op::MutexLock || action.op == Op::MutexTryLock ||
          action.op == Op::MutexTimedLock || action.op == Op::CondRelock ||
          action.op == Op::SpinLock || action.op == Op::SpinTryLock || action.op == Op::RwRead ||
          action.op == Op::RwTryRead || action.op == Op::RwWrite || action.op == Op::RwTryWrite ||
          action.op == Op::RwTimedRead || action.op == Op::RwTimedWrite || action.op == Op::Retry);
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
  const Op op = next.op == Op::Blocked ? static_cast<Op>(next.size) : next.op;
  switch (op) {
    case Op::MutexLock:
    case Op::SpinLock:
      return fmt::format("waits for {}", narrator.object_name(next.object));
    case Op::CondRelock:
      return fmt::format("was woken and waits for {}", narrator.object_name(next.object));
    case Op::CondBlocked:
      return fmt::format("waits for a signal on {}", narrator.object_name(next.object));
    case Op::RwRead:
      return fmt::format("waits to read under {}", narrator.object_name(next.object));
    case Op::RwWrite:
      return fmt::format("waits to write under {}", narrator.object_name(next.object));
    case Op::SemWait:
      return fmt::format("waits for a post to {}", narrator.object_name(next.object));
    case Op::FdRead:
      return "waits for something to read from a descriptor";
    case Op::FdWrite:
      return "waits for room to write to a descriptor";
    case Op::FdWait:
      return "waits for a descriptor to be ready";
    case Op::FutexBlocked:
      return fmt::format("waits on the futex {}", narrator.object_name(next.object));
    case Op::BarrierBlocked:
      return fmt::format("waits at {} for others to arrive", narrator.object_name(next.object));
    case Op::ThreadJoin:
      return fmt::format(
          "waits for the end of {}",
          narrator.thread_label(ThreadId{static_cast<uint32_t>(value(next.object))}));
    default:
      return fmt::format("is blocked before it {}", narrator.description(next));
  }
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
