// The portfolio: complete where its parts are, and honest about how far it got.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/published.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(200);

RunOptions portfolio(int32_t bound = -1) {
  RunOptions options;
  std::strcpy(options.strategy, "portfolio");
  options.bound = bound;
  return options;
}

// Final states and deadlocks; failures by their place.
template <typename Executions>
std::set<std::pair<Outcome, uint64_t>> ends(const Executions& executions) {
  std::set<std::pair<Outcome, uint64_t>> result;
  for (const Execution& e : executions)
    if (e.outcome != Outcome::Abandoned) result.insert({e.outcome, e.state});
  return result;
}

bool fails(const Enumeration& all) {
  for (const Execution& e : all.executions)
    if (e.outcome == Outcome::Failed) return true;
  return false;
}

TEST(Portfolio, EndsWithEverything) {
  size_t kept = 0;
  for (uint64_t seed = 1; kept < kPrograms; ++seed) {
    ToyExecutor executor(random_program(seed));
    const auto hash = [&] { return executor.state_hash(); };
    const Enumeration all = enumerate(executor, 2000, hash);
    if (!all.complete || all.executions.size() < 2 || fails(all)) continue;
    ++kept;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    const Exploration explored = explore_all(executor, make_strategy(portfolio()), 0, hash);
    ASSERT_TRUE(explored.complete);
    ASSERT_EQ(explored.guarantee, "all executions, up to the order of independent steps");
    ASSERT_EQ(ends(explored.executions), ends(all.executions));
  }
}

// Executions may take seconds: a program of a few classes is not sampled three hundred times.
TEST(Portfolio, FewClassesTakeFewExecutions) {
  size_t kept = 0;
  for (uint64_t seed = 1; kept < 20; ++seed) {
    ToyExecutor executor(random_program(seed));
    const Enumeration all = enumerate(executor, 2000);
    if (!all.complete || all.executions.size() < 2 || fails(all)) continue;
    RunOptions options;
    std::strcpy(options.strategy, "optimal-dpor");
    const Exploration classes = explore_all(executor, make_strategy(options));
    if (classes.executions.size() > 10) continue;
    ++kept;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    const Exploration explored = explore_all(executor, make_strategy(portfolio()));
    EXPECT_TRUE(explored.complete);
    EXPECT_LE(explored.executions.size(), 20u);
  }
}

TEST(Portfolio, StopsAtABound) {
  ToyExecutor executor(fib(5));
  const Exploration explored = explore_all(executor, make_strategy(portfolio(1)));
  EXPECT_TRUE(explored.complete);
  EXPECT_EQ(explored.guarantee,
            "all classes of executions that have one with at most 1 preemption; undecided beyond");
}

TEST(Portfolio, SaysHowFarItGot) {
  ToyExecutor executor(fib(6));
  const Exploration few = explore_all(executor, make_strategy(portfolio()), 100);
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(few.guarantee, "");
  const Exploration more = explore_all(executor, make_strategy(portfolio()), 30'000);
  EXPECT_FALSE(more.complete);
  EXPECT_NE(more.guarantee.find("at most 2 preemptions; undecided beyond"), std::string::npos)
      << more.guarantee;
}

// Behind the first look, every other batch is sampled, in the same way each time.
TEST(Portfolio, SamplesGoOn) {
  std::vector<bool> sampled[2];
  for (std::vector<bool>& samples : sampled) {
    ToyExecutor executor(fib(6));
    Explorer explorer(make_strategy(portfolio()), {.max_executions = 22'000});
    ExploreObserver observer;
    while (explorer.begin_execution(observer)) {
      const bool sample = explorer.strategy().traits().samples;
      explorer.explore_one(executor, observer);
      explorer.finish_execution(observer);
      if (explorer.executions() > 310) samples.push_back(sample);
    }
  }
  EXPECT_EQ(sampled[0], sampled[1]);
  const auto after_first_look = sampled[0].begin() + 20'000;
  EXPECT_EQ(std::count(sampled[0].begin(), after_first_look, true), 0);
  const auto samples = std::count(after_first_look, sampled[0].end(), true);
  EXPECT_GT(samples, 200);
  EXPECT_LT(samples, 1500);
}

}  // namespace
}  // namespace heddle::toy
