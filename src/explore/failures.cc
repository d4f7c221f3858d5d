#include "explore/failures.h"

#include <algorithm>
#include <string>
#include <utility>

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

// Whether following who waits for whom from `start` leads back to it.
bool waits_in_circle(const Executor& executor, const ThreadView& start) {
  const ThreadView* view = &start;
  for (size_t left = executor.configuration().live.size(); left > 0; --left) {
    view = executor.configuration().find(executor.waits_for(view->next));
    if (view == nullptr) return false;
    if (view == &start) return true;
  }
  return false;
}

// The blocked threads that make the deadlock: those that wait in circles; if there are none, those
// that wait for no live thread in particular. The others are blocked behind them.
std::vector<ThreadView> knot_of(const Executor& executor) {
  const Configuration& configuration = executor.configuration();
  std::vector<ThreadView> circles, roots;
  for (const ThreadView& view : configuration.live) {
    if (waits_in_circle(executor, view)) circles.push_back(view);
    if (configuration.find(executor.waits_for(view.next)) == nullptr) roots.push_back(view);
  }
  return circles.empty() ? roots : circles;
}

// The places and objects at which these threads wait, whoever they are and in whatever order.
uint64_t hash_of(const std::vector<ThreadView>& threads) {
  std::vector<std::pair<uint64_t, uint64_t>> waits;
  waits.reserve(threads.size());
  for (const ThreadView& view : threads) {
    const bool joins = view.next.op == Op::ThreadJoin;  // its object is a thread
    waits.emplace_back(value(view.next.pc), joins ? 0 : value(view.next.object));
  }
  std::sort(waits.begin(), waits.end());
  waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, a word at a time
  for (const auto& [pc, object] : waits)
    for (uint64_t word : {pc, object}) hash = (hash ^ word) * 0x100000001b3;
  return hash | 1;
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

Failure deadlock(const Executor& executor) {
  const std::vector<ThreadView>& blocked = executor.configuration().live;
  const std::vector<ThreadView> knot = knot_of(executor);
  const ThreadView& place = place_of_deadlock(knot.empty() ? blocked : knot);
  Failure failure{
      FindingKind::Deadlock,
      "deadlock: " + list_threads(blocked) + (blocked.size() == 1 ? " is" : " are") + " blocked",
      place.id, place.next.pc};
  failure.knot = hash_of(knot);
  return failure;
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
  failure.knot = hash_of(spinning);
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
          "the execution did not end within " + std::to_string(max_steps) +
              " steps, nor when every thread had its turn: it comes back to a "
              "state in which it was before"};
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
