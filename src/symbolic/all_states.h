// All states of a small system, one by one, breadth first: what engines are compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "circuit/aig.h"

namespace heddle::symbolic {

struct AllStates {
  std::optional<uint32_t> depth;  // of the first bad step, if there is any
  uint32_t levels = 0;            // after so many steps no state is new
};

inline AllStates all_states(const circuit::System& system, uint32_t property) {
  using State = std::vector<bool>;
  const circuit::Aig& aig = system.aig;
  const size_t inputs = aig.inputs().size(), latches = aig.latches().size();
  std::set<State> reached;
  std::vector<State> frontier;
  for (uint64_t bits = 0; bits < uint64_t{1} << latches; ++bits) {
    State state;
    bool allowed = true;
    for (uint32_t i = 0; i < latches; ++i) {
      state.push_back((bits >> i & 1) != 0);
      const circuit::Reset reset = aig.reset(i);
      allowed &= reset == circuit::Reset::Free || state[i] == (reset == circuit::Reset::One);
    }
    if (allowed && reached.insert(state).second) frontier.push_back(state);
  }
  AllStates result;
  for (; !frontier.empty(); ++result.levels) {
    std::vector<State> next;
    for (const State& state : frontier) {
      for (uint64_t bits = 0; bits < uint64_t{1} << inputs; ++bits) {
        circuit::Simulation simulation(system);
        std::vector<bool> vector;
        for (uint32_t i = 0; i < inputs; ++i) vector.push_back((bits >> i & 1) != 0);
        simulation.set_latches(state);
        simulation.set_inputs(vector);
        if (!simulation.constraints_hold()) continue;
        if (simulation.value(system.properties[property].bad)) {
          result.depth = result.levels;
          return result;
        }
        simulation.step();
        if (State successor = simulation.latches(); reached.insert(successor).second)
          next.push_back(successor);
      }
    }
    frontier = std::move(next);
  }
  return result;
}

}  // namespace heddle::symbolic
