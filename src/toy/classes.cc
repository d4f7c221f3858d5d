#include "toy/classes.h"

#include <algorithm>
#include <map>
#include <vector>

#include "model/dependence.h"

namespace heddle::toy {
namespace {

struct Event {
  Action action;
  std::vector<Action> inside;  // of an atomic section, or the action alone
  std::string name;            // thread, number of the step in it, what it does
  const Event* woken_by = nullptr;
  bool fails = false;
  bool by_source = false;  // an access to memory, of which only the source counts
  const Event* source = nullptr;
};

std::string name_of(const Action& action, uint32_t choice, uint32_t number) {
  return std::to_string(index(action.thread)) + "." + std::to_string(number) + " " +
         std::string(name(action.op)) + " " + std::to_string(value(action.object)) + "/" +
         std::to_string(choice);
}

bool touch_the_same(const Event& a, const Event& b) {
  if (a.action.thread == b.action.thread) return true;
  for (const Action& x : a.inside)
    for (const Action& y : b.inside)
      if (dependent(x, y)) return true;
  return false;
}

bool precedes(const Event& a, const Event& b) {
  if (a.by_source && b.by_source && a.action.thread != b.action.thread) return b.source == &a;
  return b.woken_by == &a || touch_the_same(a, b);
}

// Which of the events came before the last, itself included.
std::vector<bool> past_of_last(const std::vector<Event>& events) {
  std::vector<bool> counts(events.size(), false);
  counts.back() = true;
  for (size_t i = events.size() - 1; i-- > 0;)
    for (size_t j = i + 1; j < events.size() && !counts[i]; ++j)
      counts[i] = counts[j] && precedes(events[i], events[j]);
  return counts;
}

std::string text_of(const std::vector<Event>& events, const std::vector<bool>& counts) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < events.size(); ++i) {
    if (!counts[i]) continue;
    std::vector<std::string> earlier;
    for (size_t j = 0; j < i; ++j)
      if (precedes(events[j], events[i])) earlier.push_back(events[j].name);
    std::sort(earlier.begin(), earlier.end());
    std::string line = events[i].name + " after";
    for (const std::string& name : earlier) line += ", " + name;
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void add_failure(Classes& classes, std::vector<Event>& events, const Failure& failure) {
  classes.failed = true;
  const std::vector<bool> counts = past_of_last(events);
  bool caused = false;
  for (size_t i = 0; i < events.size(); ++i) caused = caused || (counts[i] && events[i].fails);
  if (!caused) classes.failures.push_back({failure, text_of(events, counts)});
  events.back().fails = true;
}

void note_source(Event& event, std::map<Address, const Event*>& writers) {
  const Op op = event.action.op;
  const bool fails = op == Op::AtomicCas && event.action.second == kWouldFail;
  const bool looks = op == Op::AtomicLoad || op == Op::AtomicRmw || op == Op::AtomicCas;
  const bool writes =
      op == Op::AtomicStore || op == Op::AtomicRmw || (op == Op::AtomicCas && !fails);
  event.by_source = looks || writes;
  if (looks) event.source = writers[event.action.object];
  if (writes) writers[event.action.object] = &event;
}

// The beginning of a section touches nothing.
std::vector<Action> inside_of(const Executor& executor) {
  std::vector<Action> result;
  for (Action action : executor.last_section()) {
    action.in_section = false;
    if (action.op != Op::AtomicBegin) result.push_back(action);
  }
  return result;
}

// Threads that were blocked on a condition and are so no more.
std::vector<ThreadId> woken(const std::vector<ThreadView>& before,
                            const std::vector<ThreadView>& after) {
  std::vector<ThreadId> result;
  for (const ThreadView& view : before) {
    if (view.next.op != Op::CondBlocked) continue;
    for (const ThreadView& now : after)
      if (now.id == view.id && now.next.op == Op::CondRelock) result.push_back(now.id);
  }
  return result;
}

}  // namespace

Classes classes_of(Executor& executor, const Schedule& schedule, Equivalence equivalence) {
  Classes classes;
  std::vector<Event> events;
  events.reserve(schedule.size());
  std::map<ThreadId, uint32_t> steps;
  std::map<ThreadId, const Event*> wakers;
  std::map<Address, const Event*> writers;
  classes.failed = executor.reset() == Status::Dismissed;
  for (Transition t : schedule) {
    const std::vector<ThreadView> before = executor.configuration().live;
    const Action action = executor.configuration().find(t.thread)->next;
    events.push_back({action, {action}, name_of(action, t.choice, steps[t.thread]++)});
    if (action.op == Op::CondRelock) events.back().woken_by = wakers[t.thread];
    if (equivalence == Equivalence::ReadsFrom) note_source(events.back(), writers);
    executor.step(t);
    if (is_section(action)) events.back().inside = inside_of(executor);
    if (executor.status() == Status::Failed) {
      add_failure(classes, events, executor.failure());
      executor.continue_without_failed_thread();
    }
    if (executor.status() == Status::Dismissed) {
      classes.failed = events.back().fails = true;
      executor.continue_without_failed_thread();
    }
    if (executor.status() == Status::Running)
      for (ThreadId thread : woken(before, executor.configuration().live))
        wakers[thread] = &events.back();
  }
  if (!classes.failed) classes.whole = text_of(events, std::vector<bool>(events.size(), true));
  return classes;
}

}  // namespace heddle::toy
