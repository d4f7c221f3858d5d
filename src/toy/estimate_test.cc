// The estimate of a search's size: exact where all branches are equally large, and at the end. In
// between, from walks beside the search (strategies/estimating.h), which must not disturb it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "explore/explorer.h"
#include "strategies/registry.h"
#include "toy/generator.h"
#include "toy/published.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

std::unique_ptr<Strategy> strategy(const char* name) {
  RunOptions options;
  std::strcpy(options.strategy, name);
  return make_strategy(options);
}

// After each execution, what was expected; the last is how many there were.
std::vector<uint64_t> estimates(const Program& program, const char* name) {
  Explorer explorer(strategy(name), {.keep_going = true});
  ToyExecutor executor(program);
  ExploreObserver observer;
  std::vector<uint64_t> result;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    result.push_back(explorer.estimate().executions);
  }
  result.push_back(explorer.executions());
  return result;
}

// Choices alone: every branch is as large as its siblings.
TEST(Estimate, IsExactFromTheFirstExecutionOnAnEvenTree) {
  const Program program{{{choose(0, 3), choose(1, 4), choose(2, 5)}}, 1};
  for (const char* name : {"dfs", "icb", "optimal-dpor"})
    for (uint64_t estimate : estimates(program, name)) EXPECT_EQ(estimate, 60u) << name;
}

TEST(Estimate, IsExactAtTheEnd) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Program program = random_program(seed);
    for (const char* name : {"dfs", "dpor", "optimal-dpor"}) {
      Explorer explorer(strategy(name), {.max_executions = 2000, .keep_going = true});
      ToyExecutor executor(program);
      ExploreObserver observer;
      if (explorer.run(executor, observer) != EndReason::Exhausted) continue;
      EXPECT_EQ(explorer.estimate().executions, explorer.executions());
      EXPECT_NEAR(explorer.strategy().share().part, 1, 1e-9) << "seed " << seed << " " << name;
    }
  }
}

// Half-way through uneven trees it is wrong, but not by orders of magnitude.
TEST(Estimate, IsOfTheRightSizeOnUnevenTrees) {
  size_t near = 0, all = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<uint64_t> guessed = estimates(random_crowd(seed), "optimal-dpor");
    const uint64_t whole = guessed.back();
    if (whole < 40 || whole > 20'000) continue;
    const uint64_t half_way = guessed[guessed.size() / 2];
    if (half_way == 0) continue;  // nobody dares to say
    ++all;
    near += half_way >= whole / 4 && half_way <= whole * 4;
  }
  EXPECT_GT(all, 20u);
  EXPECT_GT(near * 10, all * 8);
}

// Once a thousand executions are done it is within ten times the truth, or absent.
TEST(Estimate, IsWithinTenTimesTheTruthOrAbsent) {
  size_t told = 0, wrong = 0, all = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const Program program = seed % 2 == 0 ? random_crowd(seed) : random_accesses(seed);
    for (const char* name : {"optimal-dpor", "source-dpor", "dfs"}) {
      Explorer explorer(strategy(name), {.max_executions = 12'000, .keep_going = true});
      ToyExecutor executor(program);
      ExploreObserver observer;
      uint64_t early = 0;
      while (explorer.begin_execution(observer)) {
        explorer.explore_one(executor, observer);
        explorer.finish_execution(observer);
        if (explorer.executions() == 1000) early = explorer.estimate().executions;
      }
      const uint64_t whole = explorer.executions();
      if (!explorer.complete() || whole < 1500) continue;
      ++all;
      if (early == 0) continue;
      ++told;
      wrong += early > whole * 10 || whole > early * 10;
    }
  }
  std::printf("told %zu of %zu, wrong %zu\n", told, all, wrong);
  EXPECT_GT(told, all / 10);
  EXPECT_LE(wrong * 20, told);
}

// A thousand executions say nothing about how many millions of millions there are.
TEST(Estimate, IsAbsentWhereTheSearchHasHardlyBegun) {
  for (const char* name : {"dfs", "sleep-sets"}) {
    Explorer explorer(strategy(name), {.max_executions = 1000});
    ToyExecutor executor(philosophers(4, 3));
    ExploreObserver observer;
    explorer.run(executor, observer);
    EXPECT_EQ(explorer.estimate().executions, 0u) << name;
  }
}

class CountsEndings final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override {
    ++(summary.is_probe ? walks : executions);
    if (summary.is_probe) failing_walks += summary.failed;
    if (!summary.is_probe) steps += summary.steps;
  }
  uint64_t walks = 0, failing_walks = 0, executions = 0, steps = 0;
};

TEST(Estimate, IsNearTheTruthEarly) {
  struct Known {
    Program program;
    double classes;
  };
  const Known all[] = {{fib(6), 73'789}, {readers(5, 4), 75'000}, {philosophers(4, 3), 61'340}};
  for (const Known& known : all) {
    Explorer explorer(strategy("optimal-dpor"), {.max_executions = 8000});
    ToyExecutor executor(known.program);
    CountsEndings observer;
    explorer.run(executor, observer);
    const Estimate estimate = explorer.estimate();
    EXPECT_GT(static_cast<double>(estimate.executions), known.classes / 2);
    EXPECT_LT(static_cast<double>(estimate.executions), known.classes * 2);
    EXPECT_GT(estimate.error, 0.01);
    EXPECT_LT(estimate.error, 0.5);
    EXPECT_GT(observer.walks, 50u);
    EXPECT_LT(observer.walks, 400u);
  }
}

TEST(Estimate, CostsNoExecutionOfTheSearch) {
  for (const char* name : {"optimal-dpor", "source-dpor", "dpor", "portfolio"}) {
    Explorer explorer(strategy(name), {});
    ToyExecutor executor(fib(5));
    CountsEndings observer;
    EXPECT_EQ(explorer.run(executor, observer), EndReason::Exhausted);
    EXPECT_TRUE(explorer.complete());
    EXPECT_GT(observer.walks, 50u) << name;
    EXPECT_EQ(explorer.executions(), observer.executions) << name;
    EXPECT_EQ(explorer.events(), observer.steps) << name;
    if (std::strcmp(name, "optimal-dpor") == 0) {
      EXPECT_EQ(explorer.executions(), 8953u);
      EXPECT_EQ(explorer.blocked(), 0u);
    }
  }
}

// The second thread's first look comes before everything in those executions only that the search
// tries last. A walk finds it early, with a schedule that shows it again.
TEST(Estimate, FindsBugsBesideTheSearch) {
  Program program = fib(6);
  program.threads[0].insert(program.threads[0].begin(), store(2, 1));
  program.threads[1].insert(program.threads[1].begin(), {load(2, 2), assert_equal(2, 1)});
  Explorer explorer(strategy("optimal-dpor"), {});
  ToyExecutor executor(program);
  CountsEndings observer;
  EXPECT_EQ(explorer.run(executor, observer), EndReason::FirstFinding);
  EXPECT_EQ(observer.failing_walks, 1u);
  EXPECT_LT(explorer.executions(), 3000u);
  ASSERT_EQ(explorer.findings().size(), 1u);
  ToyExecutor again(program);
  again.reset();
  again.run(explorer.findings()[0].schedule);
  EXPECT_EQ(again.status(), Status::Failed);
}

TEST(Estimate, IsUnknownForSamplers) {
  Explorer explorer(strategy("random"), {.max_executions = 10});
  ToyExecutor executor(random_program(1));
  ExploreObserver observer;
  explorer.run(executor, observer);
  EXPECT_EQ(explorer.estimate().executions, 0u);
}

}  // namespace
}  // namespace heddle::toy
