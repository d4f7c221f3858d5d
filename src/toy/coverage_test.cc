// Coverage against enumeration.
#include "strategies/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "strategies/registry.h"
#include "toy/classes.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

std::unique_ptr<Strategy> make(const char* name) {
  RunOptions options;
  std::strcpy(options.strategy, name);
  return make_strategy(options);
}

CoverageRow last_row(const CoverageLog& log) {
  return log.row(log.size() - 1);
}

TEST(Coverage, LeavesTheSearchAsItIs) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    ToyExecutor executor(random_program(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    for (const char* name : {"dfs", "icb", "optimal-dpor", "pct"}) {
      CoverageLog log;
      const Exploration plain = explore_all(executor, make(name), 300),
                        counted = explore_all(executor, with_coverage(make(name), log), 300);
      ASSERT_EQ(plain.executions.size(), counted.executions.size());
      for (size_t i = 0; i < plain.executions.size(); ++i) {
        ASSERT_EQ(plain.executions[i].schedule, counted.executions[i].schedule);
        ASSERT_EQ(plain.executions[i].preemptions, counted.executions[i].preemptions);
      }
      EXPECT_EQ(plain.complete, counted.complete);
      EXPECT_EQ(plain.findings.size(), counted.findings.size());
      EXPECT_EQ(last_row(log).execution, counted.executions.size());
    }
  }
}

// Two threads of two stores each to their own variables: a grid of states around the stores, and
// one end. With dfs every state is seen, with optimal-dpor one path through them.
TEST(Coverage, CountsStatesAndEnds) {
  const Program program{{{store(0, 1), store(0, 2)}, {store(1, 1), store(1, 2)}}, 2};
  ToyExecutor executor(program);
  CoverageLog all, one;
  explore_all(executor, with_coverage(make("dfs"), all), 0);
  explore_all(executor, with_coverage(make("optimal-dpor"), one), 0);
  EXPECT_EQ(last_row(all).states, 24u);  // start, two stores, exit of each: 5 × 5 - 1
  EXPECT_EQ(last_row(all).terminal_states, 1u);
  EXPECT_EQ(last_row(one).states, 8u);
  EXPECT_EQ(last_row(one).terminal_states, 1u);
}

TEST(Coverage, EndsAreTheClassesOfOptimalReduction) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ToyExecutor executor(random_program(seed));
    CoverageLog dfs, optimal;
    const Exploration full = explore_all(executor, with_coverage(make("dfs"), dfs), 20'000);
    const bool fails = std::any_of(full.executions.begin(), full.executions.end(),
                                   [](const auto& e) { return e.outcome == Outcome::Failed; });
    if (!full.complete || fails) continue;  // after a failure only the reduction goes on
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    explore_all(executor, with_coverage(make("optimal-dpor"), optimal), 0);
    EXPECT_EQ(last_row(dfs).terminal_states, last_row(optimal).terminal_states);
    EXPECT_LE(last_row(optimal).states, last_row(dfs).states);
  }
}

TEST(CoverageLog, KeepsTheEndOfEachBoundAndTheLastRow) {
  CoverageLog log;
  for (uint64_t i = 1; i <= 1'000'000; ++i) log.add({i, i, 1, i <= 500'001 ? 0 : 1});
  EXPECT_LT(log.size(), 10'000u);
  EXPECT_EQ(log.row(log.size() - 1).execution, 1'000'000u);
  bool end_of_first = false;
  for (size_t i = 0; i < log.size(); ++i) {
    end_of_first |= log.row(i).execution == 500'001;
    if (i > 0) {
      EXPECT_LT(log.row(i - 1).execution, log.row(i).execution);
    }
  }
  EXPECT_TRUE(end_of_first);
  EXPECT_EQ(log.row(0).execution, 1u);
  EXPECT_EQ(log.row(999).execution, 1000u);
}

}  // namespace
}  // namespace heddle::toy
