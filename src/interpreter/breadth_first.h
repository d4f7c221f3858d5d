// A plain search through all states, for tests: every move from every state, each state once.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "interpreter/graph_space.h"
#include "interpreter/state_text.h"

namespace heddle {

struct AllStates {
  size_t states = 0, steps = 0;
  std::set<std::string> ends;       // the memory of those in which the program has ended
  std::set<std::string> deadlocks;  // who is blocked, and the memory
  std::set<std::string> failures;   // kind, thread and place
  std::set<std::string> messages;   // of them
  std::set<std::string> cuts;
  bool dismissed = false;
  bool complete = false;
};

// What makes a failure the same wherever it is found. What the message says of others is chance.
inline std::string failure_text(const Failure& failure) {
  return std::string(name(failure.kind)) + " of thread " + std::to_string(index(failure.thread)) +
         " at " + std::to_string(value(failure.pc));
}

// Who is blocked, and what the memory is like.
inline std::string deadlock_text(Machine& machine, const uint8_t* state) {
  std::string text = "blocked:";
  for (uint32_t thread = 0; thread < machine.program().slots; ++thread)
    if (machine.is_live(state, thread)) text += " " + std::to_string(thread);
  return text + "\n" + memory_text(machine, state);
}

inline AllStates search_all_states(GraphSpace& space, size_t most = 1'000'000) {
  AllStates found;
  std::set<std::string> seen;
  std::deque<std::string> todo;
  const auto bytes = [](std::string& s) { return reinterpret_cast<uint8_t*>(s.data()); };
  const auto reach = [&](Outcome outcome, std::string& state) {
    switch (outcome) {
      case Outcome::Running:
        if (seen.insert(state).second) todo.push_back(state);
        break;
      case Outcome::Ended:
        found.ends.insert(memory_text(space.machine(), bytes(state)));
        break;
      case Outcome::Failed:
        found.failures.insert(failure_text(space.failure()));
        found.messages.insert(space.failure().message);
        break;
      case Outcome::Dismissed:
        found.dismissed = true;
        break;
      case Outcome::Cut:
        found.cuts.insert(space.bound());
        break;
    }
  };
  std::string next(space.state_size(), '\0');
  reach(space.initial(bytes(next)), next);
  std::vector<Move> moves;
  while (!todo.empty() && seen.size() < most) {
    std::string state = std::move(todo.front());
    todo.pop_front();
    space.moves(bytes(state), moves);
    if (moves.empty() && space.is_deadlock(bytes(state)))
      found.deadlocks.insert(deadlock_text(space.machine(), bytes(state)));
    for (const Move move : moves) {
      ++found.steps;
      reach(space.take(bytes(state), move, bytes(next)), next);
    }
  }
  found.states = seen.size();
  found.complete = todo.empty();
  return found;
}

}  // namespace heddle
