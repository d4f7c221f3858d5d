// The same final states, deadlocks and failures from every search.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "explicit/check.h"
#include "explicit/random_graphs.h"
#include "graph/check.h"
#include "graph/generator.h"
#include "interpreter/graph_space.h"
#include "toy/sample_size.h"

namespace heddle::explicit_states {
namespace {

using Bytes = std::vector<uint8_t>;

// What a search must not lose.
struct Seen {
  std::set<Bytes> finals;     // memory at the end
  std::set<Bytes> deadlocks;  // whole states
  std::set<std::pair<FindingKind, uint64_t>> failures;
  bool cut = false;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Bytes memory_of(const StateSpace& space, const uint8_t* state) {
  Bytes memory;
  for (const StateLayout::CellLayout& cell : space.layout().cells) {
    memory.insert(memory.end(), state + cell.bytes.offset,
                  state + cell.bytes.offset + cell.bytes.size);
  }
  return memory;
}

std::string text_of(const Seen& seen) {
  return std::to_string(seen.finals.size()) + " final states, " +
         std::to_string(seen.deadlocks.size()) + " deadlocks, " +
         std::to_string(seen.failures.size()) + " failures";
}

// Loops that post to a semaphore have more.
constexpr uint64_t kMostCompared = 3000;

Seen look(StateSpace& space, CheckOptions options, CheckResult* result = nullptr) {
  Seen seen;
  options.keep_going = true;
  options.on_end = [&](const uint8_t* state, Outcome outcome) {
    if (outcome == Outcome::Ended) seen.finals.insert(memory_of(space, state));
    if (outcome == Outcome::Cut) seen.cut = true;
    if (outcome == Outcome::Running) {
      seen.deadlocks.insert(Bytes(state, state + space.state_size()));
    }
    if (outcome == Outcome::Failed) {
      seen.failures.insert({space.failure().kind, value(space.failure().pc)});
    }
  };
  options.max_states = kMostCompared;
  CheckResult done = check(space, options);
  if (result != nullptr) *result = std::move(done);
  return seen;
}

// A finding's path must lead to it.
void replay(StateSpace& space, const CheckFinding& finding) {
  Bytes state(space.state_size());
  ASSERT_EQ(space.initial(state.data()), Outcome::Running);
  std::vector<Move> moves;
  Outcome outcome = Outcome::Running;
  for (const Move move : finding.path) {
    ASSERT_EQ(outcome, Outcome::Running);
    space.moves(state.data(), moves);
    ASSERT_NE(std::find(moves.begin(), moves.end(), move), moves.end());
    outcome = space.take(state.data(), move, state.data());
  }
  if (finding.failure.kind == FindingKind::Deadlock && outcome == Outcome::Running) {
    EXPECT_TRUE(space.is_deadlock(state.data()));
    EXPECT_TRUE(same_bug(space.deadlock(state.data()), finding.failure));
    return;
  }
  ASSERT_EQ(outcome, Outcome::Failed);
  EXPECT_TRUE(same_bug(space.failure(), finding.failure));
}

CheckOptions with(SearchOrder order, ReductionKind reduction) {
  CheckOptions options;
  options.order = order;
  options.reduction = reduction;
  return options;
}

const uint32_t kGraphs = static_cast<uint32_t>(toy::sample_size(2000));

struct Totals {
  uint64_t compared = 0, states = 0, stubborn = 0, transactions = 0, more = 0;
  uint64_t deadlocks = 0, failures = 0, finals = 0, cyclic = 0;
};

// Reductions do not keep the memory that is left when the process ends before its threads have.
bool may_exit_early(const graph::Program& program) {
  const auto exits = [](const graph::Block& block) {
    return block.jump.kind == graph::JumpKind::Exit;
  };
  return std::any_of(program.routines.begin(), program.routines.end(), [&](const auto& routine) {
    return std::any_of(routine.blocks.begin(), routine.blocks.end(), exits);
  });
}

// Each reduction in each order, against a search without any.
void compare(const graph::Program& program, Totals& totals) {
  ASSERT_TRUE(graph::problems_of(program).empty()) << graph::problems_of(program).front();
  GraphSpace space(program);
  CheckResult full;
  Seen expected = look(space, with(SearchOrder::DepthFirst, ReductionKind::None), &full);
  if (full.coverage.incomplete != Incomplete::No) return;
  const bool without_finals = may_exit_early(program);
  if (without_finals) expected.finals.clear();
  ++totals.compared;
  totals.states += full.states;
  totals.deadlocks += expected.deadlocks.size();
  totals.failures += expected.failures.size();
  totals.finals += expected.finals.size();
  for (const SearchOrder order : {SearchOrder::DepthFirst, SearchOrder::BreadthFirst}) {
    uint64_t of_static = 0;
    for (const ReductionKind reduction :
         {ReductionKind::None, ReductionKind::Stubborn, ReductionKind::Transactions}) {
      CheckResult result;
      Seen seen = look(space, with(order, reduction), &result);
      if (without_finals) seen.finals.clear();
      EXPECT_EQ(seen, expected) << "order " << static_cast<int>(order) << ", reduction "
                                << static_cast<int>(reduction) << ": " << text_of(seen)
                                << " instead of " << text_of(expected);
      EXPECT_EQ(result.coverage.incomplete, Incomplete::No);
      EXPECT_LE(result.states, full.states);
      for (const CheckFinding& finding : result.findings) replay(space, finding);
      if (reduction == ReductionKind::None) {
        EXPECT_EQ(result.states, full.states);
      }
      if (reduction == ReductionKind::Stubborn) of_static = result.states;
      if (reduction == ReductionKind::Transactions) {
        if (order == SearchOrder::BreadthFirst) {
          EXPECT_LE(result.states, of_static);
        }
        totals.more += result.states > of_static ? 1 : 0;
      }
      if (order == SearchOrder::BreadthFirst) continue;
      if (reduction == ReductionKind::Stubborn) totals.stubborn += result.states;
      if (reduction == ReductionKind::Transactions) {
        totals.transactions += result.states;
        totals.cyclic += result.full_expansions != 0 ? 1 : 0;
      }
    }
  }
}

TEST(Differential, EverySearchSeesTheSame) {
  Totals totals;
  for (uint64_t seed = 0; seed < kGraphs && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(random_graph(seed), totals);
  }
  EXPECT_GT(totals.compared, kGraphs * 8 / 10);
  EXPECT_LT(totals.stubborn, totals.states / 2);
  EXPECT_LT(totals.transactions, totals.stubborn);
  // The comparison is worth little if there is nothing to lose.
  EXPECT_GT(totals.deadlocks, kGraphs / 4);
  EXPECT_GT(totals.failures, kGraphs / 10);
  EXPECT_GT(totals.finals, kGraphs / 1);
  EXPECT_GT(totals.cyclic, kGraphs / 20);
}

// With pointers, allocation, once, compare-and-swap, and threads that break rules.
TEST(Differential, ProgramsWithPointers) {
  Totals totals;
  for (uint64_t seed = 1; seed <= kGraphs / 2 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph::GeneratorOptions options;
    options.sections = seed % 3 == 0;
    options.threads = seed % 4 == 0 ? 3 : 2;
    options.actions = options.threads == 3 ? 3 : 4;
    compare(graph::random_program(seed, options), totals);
  }
  EXPECT_GT(totals.compared, kGraphs / 4);
  EXPECT_GT(totals.failures, kGraphs / 20);
}

// Without endless loops lock patterns never visit more states, in either order.
TEST(Differential, PatternsVisitNoMoreStates) {
  Totals totals;
  RandomGraphOptions options;
  options.loops = false;
  for (uint64_t seed = 0; seed < kGraphs / 4 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(random_graph(seed, options), totals);
  }
  EXPECT_EQ(totals.more, 0U);
  EXPECT_LT(totals.transactions, totals.stubborn);
}

TEST(Differential, EarlyExit) {
  Totals totals;
  RandomGraphOptions options;
  options.early_exit = true;
  for (uint64_t seed = 0; seed < kGraphs / 8 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(random_graph(seed, options), totals);
  }
}

TEST(Differential, OtherStores) {
  for (uint64_t seed = 0; seed < kGraphs / 8 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    GraphSpace space(random_graph(seed));
    CheckResult full;
    const Seen expected = look(space, with(SearchOrder::DepthFirst, ReductionKind::None), &full);
    if (full.coverage.incomplete != Incomplete::No) continue;
    for (const Storage storage : {Storage::HashCompact, Storage::Bitstate}) {
      for (const ReductionKind reduction : {ReductionKind::None, ReductionKind::Transactions}) {
        CheckOptions options = with(SearchOrder::DepthFirst, reduction);
        options.storage = storage;
        options.memory_limit = uint64_t{1} << 23;
        CheckResult result;
        EXPECT_EQ(look(space, options, &result), expected);
        EXPECT_GT(result.coverage.expected_omissions, 0);
        EXPECT_LT(result.coverage.expected_omissions, 1e-3);
        for (const CheckFinding& finding : result.findings) replay(space, finding);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::explicit_states
