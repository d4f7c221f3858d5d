#include "explore/failures.h"

#include <algorithm>
#include <string>

namespace heddle {
namespace {

std::string thread_name(ThreadId id) {
  return "thread " + std::to_string(index(id));
}

// "thread 0", "thread 0 and thread 1", "thread 0, thread 1 and thread 2".
std::string list_threads(const std::vector<ThreadView>& threads) {
  std::string text;
  for (size_t i = 0; i < threads.size(); ++i) {
    if (i > 0) text += i + 1 == threads.size() ? " and " : ", ";
    text += thread_name(threads[i].id);
  }
  return text;
}

// A thread that waits in a join is seldom where the deadlock is: prefer one that is not.
const ThreadView& place_of_deadlock(const std::vector<ThreadView>& threads) {
  for (const ThreadView& view : threads)
    if (view.next.op != Op::ThreadJoin) return view;
  return threads.front();
}

const ThreadView& first_spinning(const std::vector<ThreadView>& threads) {
  for (const ThreadView& view : threads)
    if (view.spin != Spin::None) return view;
  return threads.front();
}

// Why `wanted` cannot be taken here.
std::string difference(const Configuration& configuration, Transition wanted) {
  const ThreadView* view = configuration.find(wanted.thread);
  if (view == nullptr) return "which is not alive";
  const std::string action(name(view->next.op));
  if (!view->enabled()) return "which is blocked (" + action + ")";
  return "alternative " + std::to_string(wanted.choice) + ", but its " + action + " has only " +
         std::to_string(view->choices);
}

}  // namespace

Failure deadlock(const Configuration& configuration) {
  const std::vector<ThreadView>& blocked = configuration.live;
  const ThreadView& place = place_of_deadlock(blocked);
  return {
      FindingKind::Deadlock,
      "deadlock: " + list_threads(blocked) + (blocked.size() == 1 ? " is" : " are") + " blocked",
      place.id, place.next.pc};
}

Failure spinning_for_ever(const Configuration& configuration) {
  std::vector<ThreadView> spinning;
  for (const ThreadView& view : configuration.live)
    if (view.spin != Spin::None) spinning.push_back(view);
  const bool one = spinning.size() == 1;
  const ThreadView& place = first_spinning(configuration.live);
  Failure failure{FindingKind::Livelock,
                  "livelock: " + list_threads(spinning) + (one ? " waits" : " wait") + " in " +
                      (one ? "a loop" : "loops") + " for a change that no thread will make",
                  place.id, place.next.pc};
  failure.object = place.next.object;
  return failure;
}

// Every thread that can go on makes a number of steps, then as many again: it must not do anything
// that it did not do the first time.
bool keeps_spinning(Executor& executor) {
  constexpr size_t kSteps = 200;  // of each thread, twice
  executor.set_spinning(Spinning::Unroll);
  std::vector<Action> seen;
  bool watching = true;
  for (size_t round = 0; round < 2 * kSteps; ++round) {
    watching = watching && round < kSteps;
    const std::vector<ThreadView> views = executor.configuration().live;
    for (const ThreadView& before : views) {
      const ThreadView* view = executor.configuration().find(before.id);
      if (view == nullptr || !view->enabled()) continue;
      const Action next = view->next;
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const Action& action) {
        return action.same_as(next) && action.pc == next.pc;
      });
      if (!known && !watching) return false;
      if (!known) seen.push_back(next);
      if (executor.step({before.id, 0}) != Status::Running) return false;
    }
  }
  return true;
}

Failure livelock(uint64_t max_steps) {
  return {FindingKind::Livelock,
          "the execution did not end within " + std::to_string(max_steps) + " steps"};
}

Failure nondeterminism(const Executor& executor, std::span<const Transition> prefix, size_t taken) {
  std::string message = "the program did not repeat itself: ";
  if (executor.status() != Status::Running) {
    message += "it ended after " + std::to_string(taken) + " of " + std::to_string(prefix.size()) +
               " known steps";
    return {FindingKind::Nondeterminism, message};
  }
  const Transition wanted = prefix[taken];
  message += "step " + std::to_string(taken + 1) + " of the schedule belongs to " +
             thread_name(wanted.thread) + ", " + difference(executor.configuration(), wanted);
  return {FindingKind::Nondeterminism, message, wanted.thread};
}

}  // namespace heddle
