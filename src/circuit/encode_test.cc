// The circuit of a program against the interpreter, on random programs: step by step along random
// schedules, and state by state over all of them.
#include "circuit/encode.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <set>
#include <string>

#include "base/random.h"
#include "circuit/trace.h"
#include "explicit/random_graphs.h"
#include "graph/check.h"
#include "graph/generator.h"
#include "graph/text.h"

namespace heddle::circuit {
namespace {

uint64_t times(uint64_t few) {
  const char* tests = getenv("HEDDLE_TESTS");
  const std::string which = tests == nullptr ? "" : tests;
  return which == "night" ? few * 20 : which == "all" ? few * 3 : few;
}

std::vector<bool> reset_of(const System& system) {
  std::vector<bool> reset;
  for (uint32_t i = 0; i < system.aig.latches().size(); ++i)
    reset.push_back(system.aig.reset(i) == Reset::One);
  return reset;
}

// Data races as prove/judged_space.cc sees them.
bool has_race(GraphSpace& space, const uint8_t* state) {
  std::vector<NextAction> accesses;
  for (uint32_t thread = 0; thread < space.thread_slots(); ++thread) {
    if (!space.is_live(state, thread)) continue;
    const NextAction next = space.next_action(state, thread);
    const bool access =
        next.kind >= graph::ActionKind::Load && next.kind <= graph::ActionKind::AtomicCas;
    if (!access || next.choices == 0 || next.touch_count == 0) continue;
    const auto plain = [](const NextAction& a) {
      return a.kind == graph::ActionKind::Load || a.kind == graph::ActionKind::Store;
    };
    for (const NextAction& other : accesses)
      if (other.touches[0].resource == next.touches[0].resource &&
          (other.touches[0].writes || next.touches[0].writes) && (plain(other) || plain(next)))
        return true;
    accesses.push_back(next);
  }
  return false;
}

// What a step of the circuit ends with: "" for none.
std::string end_of(const Encoded& encoded, const Simulation& simulation) {
  if (simulation.value(encoded.ended)) return "ended";
  if (simulation.value(encoded.dismissed)) return "dismissed";
  for (size_t i = 0; i < encoded.asks.size(); ++i) {
    if (!simulation.value(encoded.system.properties[i].bad)) continue;
    if (!encoded.asks[i]) return "beyond";
    if (*encoded.asks[i] != FindingKind::DataRace) return std::string(name(*encoded.asks[i]));
  }
  return "";
}
std::string end_of(Outcome outcome, const Failure& failure) {
  switch (outcome) {
    case Outcome::Running:
      return "";
    case Outcome::Ended:
      return "ended";
    case Outcome::Failed:
      return std::string(name(failure.kind));
    case Outcome::Dismissed:
      return "dismissed";
    case Outcome::Cut:
      return "beyond";
  }
  return "";
}

bool constraints_but_assumptions_hold(const Encoded& encoded, const Simulation& simulation) {
  for (const Literal each : encoded.system.constraints)
    if (each != !encoded.dismissed && !simulation.value(each)) return false;
  return true;
}

// One random step that the constraints allow; false: there is none.
bool random_step(const Encoded& encoded, Simulation& simulation, Random& random, Run& run) {
  const Aig& aig = encoded.system.aig;
  for (int attempt = 0; attempt < 400; ++attempt) {
    std::vector<bool> inputs(aig.inputs().size());
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = random.below(2) == 0;
    const uint64_t chosen = random.below(encoded.execute.size());
    for (size_t slot = 0; slot < encoded.execute.size(); ++slot)
      inputs[aig.number_of(encoded.execute[slot].node())] = slot == chosen;
    if (attempt % 2 == 0)
      for (const Literal bit : encoded.choice) inputs[aig.number_of(bit.node())] = false;
    simulation.set_inputs(inputs);
    if (!constraints_but_assumptions_hold(encoded, simulation)) continue;
    run.steps.push_back(std::move(inputs));
    return true;
  }
  return false;
}

// Who can move, and whether there is a race, in the states that both have.
void compare_views(const Encoded& encoded, Simulation& simulation, GraphSpace& space) {
  const auto state = state_of(encoded, simulation);
  bool running = false;
  for (const Literal bit : encoded.fields.now(encoded.fields.running))
    running = running || simulation.value(bit);
  if (!state || running || simulation.value(encoded.fields.now(encoded.fields.halted)[0])) return;
  for (uint32_t slot = 0; slot < encoded.able.size(); ++slot)
    EXPECT_EQ(simulation.value(encoded.able[slot]),
              space.machine().choices(state->data(), slot) > 0)
        << "thread " << slot << "\n"
        << space.state_text(state->data());
  bool race = false, deadlock = false;
  for (size_t i = 0; i < encoded.asks.size(); ++i) {
    const bool bad = simulation.value(encoded.system.properties[i].bad);
    race = race || (bad && encoded.asks[i] == FindingKind::DataRace);
    deadlock = deadlock || (bad && encoded.asks[i] == FindingKind::Deadlock);
  }
  EXPECT_EQ(race, has_race(space, state->data())) << space.state_text(state->data());
  if (space.is_deadlock(state->data())) {
    EXPECT_TRUE(deadlock);
  }
}

struct Totals {
  std::map<std::string, int> ends;
  uint64_t steps = 0;
};

void walk(const Encoded& encoded, Random& random, Totals& totals) {
  GraphSpace space = space_of(encoded);
  Simulation simulation(encoded.system);
  Run run{reset_of(encoded.system), {}};
  simulation.reset(run.reset);
  std::string end;
  bool stuck = false;
  while (end.empty() && !stuck && run.steps.size() < 60) {
    stuck = !random_step(encoded, simulation, random, run);
    if (stuck) {
      // Nobody steps: allowed only where nobody can.
      std::vector<bool> none(encoded.system.aig.inputs().size());
      simulation.set_inputs(none);
      EXPECT_TRUE(simulation.constraints_hold());
      run.steps.push_back(none);
    }
    compare_views(encoded, simulation, space);
    end = end_of(encoded, simulation);
    if (end.empty()) simulation.step();
  }
  // The walk may have been left in the middle of a step of the interpreter: it goes on to its end.
  for (int more = 0; end.empty() && !stuck && more < 100; ++more) {
    bool running = false;
    for (const Literal bit : encoded.fields.now(encoded.fields.running))
      running = running || simulation.value(bit);
    if (!running || !random_step(encoded, simulation, random, run)) break;
    end = end_of(encoded, simulation);
    if (end.empty()) simulation.step();
  }
  totals.steps += run.steps.size();
  ++totals.ends[end];
  const auto traced = retrace(encoded, run, std::nullopt);
  if (const auto* wrong = std::get_if<std::string>(&traced)) {
    ADD_FAILURE() << *wrong << ", at the end " << end;
    return;
  }
  const auto& execution = std::get<Execution>(traced);
  const bool deadlock = execution.outcome == Outcome::Running && stuck;
  EXPECT_EQ(end, deadlock ? "deadlock" : end_of(execution.outcome, execution.failure))
      << execution.failure.message << execution.bound;
}

void walk_program(const graph::Program& program, uint64_t seed, Totals& totals) {
  ASSERT_TRUE(graph::problems_of(program).empty());
  const auto made = encode(program, {});
  ASSERT_TRUE(std::holds_alternative<Encoded>(made)) << std::get<Refusal>(made).sentence;
  Random random(seed);
  for (int i = 0; i < 8 && !::testing::Test::HasFailure(); ++i)
    walk(std::get<Encoded>(made), random, totals);
  if (::testing::Test::HasFailure()) std::cerr << graph::to_text(program);
}

TEST(Encode, RandomWalksOfLocksAndWaiting) {
  Totals totals;
  for (uint64_t seed = 0; seed < times(60) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    walk_program(explicit_states::random_graph(seed), seed, totals);
  }
  EXPECT_GT(totals.ends["ended"], 20);
  EXPECT_GT(totals.ends["deadlock"], 20);
  EXPECT_GT(totals.ends["assertion"], 5);
}

TEST(Encode, RandomWalksOfPointersAndErrors) {
  Totals totals;
  for (uint64_t seed = 1; seed <= times(80) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph::GeneratorOptions options;
    options.sections = seed % 3 == 0;
    options.threads = seed % 4 == 0 ? 3 : 2;
    walk_program(graph::random_program(seed, options), seed, totals);
  }
  EXPECT_GE(totals.ends.size(), 5U);
}

// All that can be reached: states in which nobody is in the middle of a step, and ends.
struct Reached {
  std::set<std::vector<uint8_t>> states;
  std::set<std::string> ends;
  std::set<std::vector<uint8_t>> deadlocks;
  bool complete = true;
  friend bool operator==(const Reached&, const Reached&) = default;
};
constexpr size_t kMostStates = 3000;

Reached reached_by_interpreter(GraphSpace& space) {
  Reached result;
  std::vector<uint8_t> state(space.state_size());
  std::deque<std::vector<uint8_t>> todo;
  const auto arrive = [&](Outcome outcome) {
    if (outcome != Outcome::Running) {
      result.ends.insert(end_of(outcome, space.failure()));
    } else if (result.states.insert(state).second) {
      todo.push_back(state);
    }
  };
  arrive(space.initial(state.data()));
  std::vector<Move> moves;
  while (!todo.empty() && result.states.size() < kMostStates) {
    const std::vector<uint8_t> from = std::move(todo.front());
    todo.pop_front();
    if (space.is_deadlock(from.data())) {
      result.ends.insert("deadlock");
      result.deadlocks.insert(from);
    }
    if (has_race(space, from.data())) result.ends.insert("race");
    space.moves(from.data(), moves);
    for (const Move move : moves) arrive(space.take(from.data(), move, state.data()));
  }
  result.complete = todo.empty();
  return result;
}

// The inputs of the circuit one after the other; programs without inputs of their own only.
Reached reached_by_circuit(const Encoded& encoded) {
  Reached result;
  const Aig& aig = encoded.system.aig;
  std::set<std::vector<bool>> seen;
  std::deque<std::vector<bool>> todo{reset_of(encoded.system)};
  Simulation simulation(encoded.system);
  const auto is_running = [&] {
    bool running = false;
    for (const Literal bit : encoded.fields.now(encoded.fields.running))
      running = running || simulation.value(bit);
    return running;
  };
  const auto note_end = [&] {
    if (const std::string end = end_of(encoded, simulation); !end.empty()) result.ends.insert(end);
    for (size_t i = 0; i < encoded.asks.size(); ++i)
      if (encoded.asks[i] == FindingKind::DataRace &&
          simulation.value(encoded.system.properties[i].bad))
        result.ends.insert("race");
  };
  while (!todo.empty() && seen.size() < 4 * kMostStates) {
    const std::vector<bool> from = std::move(todo.front());
    todo.pop_front();
    const size_t choices = size_t{1} << encoded.choice.size();
    for (size_t slot = 0; slot <= encoded.execute.size(); ++slot)
      for (size_t choice = 0; choice < choices; ++choice) {
        std::vector<bool> inputs(aig.inputs().size());
        if (slot < encoded.execute.size())
          inputs[aig.number_of(encoded.execute[slot].node())] = true;
        for (size_t i = 0; i < encoded.choice.size(); ++i)
          inputs[aig.number_of(encoded.choice[i].node())] = (choice >> i & 1) != 0;
        std::vector<bool> values = simulation.values();
        for (size_t i = 0; i < from.size(); ++i) values[aig.latches()[i]] = from[i];
        simulation.restore(std::move(values));
        simulation.set_inputs(inputs);
        if (!constraints_but_assumptions_hold(encoded, simulation)) continue;
        if (const auto state = state_of(encoded, simulation);
            state && !is_running() && !encoded.starts_before_main &&
            !simulation.value(encoded.fields.now(encoded.fields.halted)[0])) {
          result.states.insert(*state);
          if (slot == encoded.execute.size()) result.deadlocks.insert(*state);
        }
        note_end();
        if (simulation.value(encoded.dismissed)) continue;
        simulation.step();
        if (seen.insert(simulation.latches()).second) todo.push_back(simulation.latches());
      }
  }
  result.complete = todo.empty();
  return result;
}

TEST(Encode, ReachesTheSameStates) {
  uint64_t compared = 0;
  std::map<std::string, int> ends;
  for (uint64_t seed = 0; seed < times(60) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    explicit_states::RandomGraphOptions options;
    options.most_actions = 3;
    options.most_threads = 2;
    options.early_exit = seed % 5 == 0;
    const graph::Program program = explicit_states::random_graph(seed, options);
    const auto made = encode(program, {});
    ASSERT_TRUE(std::holds_alternative<Encoded>(made));
    const Encoded& encoded = std::get<Encoded>(made);
    GraphSpace space = space_of(encoded);
    const Reached expected = reached_by_interpreter(space);
    if (!expected.complete || encoded.starts_before_main) continue;
    const Reached seen = reached_by_circuit(encoded);
    EXPECT_EQ(seen.ends, expected.ends);
    EXPECT_EQ(seen.states.size(), expected.states.size());
    EXPECT_EQ(seen, expected);
    for (const std::string& end : expected.ends) ++ends[end];
    ++compared;
    if (HasFailure()) std::cerr << graph::to_text(program);
  }
  EXPECT_GT(compared, times(60) * 8 / 10);
  EXPECT_GT(ends["deadlock"], 10);
  EXPECT_GT(ends["race"], 10);
  EXPECT_GT(ends["assertion"], 2);
}

// Fewer schedules, and nothing that shows only in those that are left out.
TEST(Encode, ReductionsPreserveDeadlocksFailuresAndEnds) {
  uint64_t full = 0, stubborn = 0, transactions = 0;
  for (uint64_t seed = 0; seed < times(30) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph::Program program;
    if (seed % 4 == 3) {
      graph::GeneratorOptions options;
      options.choices = false;
      options.threads = 2;
      options.actions = 3;
      program = graph::random_program(seed, options);
    } else {
      explicit_states::RandomGraphOptions options;
      options.most_actions = 3;
      options.most_threads = seed % 2 == 0 ? 3 : 2;
      options.early_exit = seed % 5 == 0;
      options.sections = seed % 3 == 0;
      program = explicit_states::random_graph(seed, options);
    }
    Reached expected;
    bool first = true;
    for (const ScheduleReduction reduction :
         {ScheduleReduction::None, ScheduleReduction::Stubborn, ScheduleReduction::Transactions}) {
      EncodeOptions options;
      options.reduction = reduction;
      const auto made = encode(program, options);
      ASSERT_TRUE(std::holds_alternative<Encoded>(made));
      const Encoded& encoded = std::get<Encoded>(made);
      if (encoded.starts_before_main) break;
      const Reached seen = reached_by_circuit(encoded);
      if (first) expected = seen;
      first = false;
      if (!expected.complete) break;
      EXPECT_TRUE(seen.complete);
      EXPECT_EQ(seen.ends, expected.ends) << static_cast<int>(reduction);
      EXPECT_EQ(seen.deadlocks, expected.deadlocks) << static_cast<int>(reduction);
      EXPECT_LE(seen.states.size(), expected.states.size());
      if (reduction == ScheduleReduction::None) full += seen.states.size();
      if (reduction == ScheduleReduction::Stubborn) stubborn += seen.states.size();
      if (reduction == ScheduleReduction::Transactions) transactions += seen.states.size();
    }
    if (HasFailure()) std::cerr << graph::to_text(program);
  }
  EXPECT_LT(stubborn, full * 3 / 4);
  EXPECT_LT(transactions, stubborn);
}

}  // namespace
}  // namespace heddle::circuit
