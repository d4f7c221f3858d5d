// The estimate of a search's size: exact where all branches are equally large, and at the end.
#include <gtest/gtest.h>

#include <cstring>

#include "explore/explorer.h"
#include "strategies/registry.h"
#include "toy/generator.h"
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
    result.push_back(explorer.estimated_executions());
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
      EXPECT_EQ(explorer.estimated_executions(), explorer.executions());
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
    ++all;
    near += half_way >= whole / 4 && half_way <= whole * 4;
  }
  EXPECT_GT(all, 20u);
  EXPECT_GT(near * 10, all * 8);
}

TEST(Estimate, IsUnknownForSamplers) {
  Explorer explorer(strategy("random"), {.max_executions = 10});
  ToyExecutor executor(random_program(1));
  ExploreObserver observer;
  explorer.run(executor, observer);
  EXPECT_EQ(explorer.estimated_executions(), 0u);
}

}  // namespace
}  // namespace heddle::toy
