// The sampler with a guarantee keeps it on programs whose bugs have a known depth.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

constexpr uint64_t kExecutions = 20'000;

Exploration sample(const Program& program, uint32_t depth, uint64_t executions = kExecutions) {
  RunOptions options;
  std::strcpy(options.strategy, "pct");
  options.pct_depth = depth;
  options.seed = 11;
  ToyExecutor executor(program);
  return explore_all(executor, make_strategy(options), executions);
}

uint64_t hits(const Exploration& exploration) {
  uint64_t count = 0;
  for (const Finding& finding : exploration.findings) count += finding.occurrences;
  return count;
}

uint64_t longest(const Exploration& exploration) {
  uint64_t steps = 0;
  for (const Execution& e : exploration.executions)
    steps = std::max<uint64_t>(steps, e.schedule.size());
  return steps;
}

// As many as the theorem promises, less four standard deviations.
void expect_theorem(const Program& program, uint32_t depth) {
  const Exploration exploration = sample(program, depth);
  const double n = static_cast<double>(program.threads.size());
  const double k = static_cast<double>(longest(exploration));
  const double promised = static_cast<double>(kExecutions) / (n * std::pow(k, depth - 1));
  EXPECT_GT(static_cast<double>(hits(exploration)), promised - 4 * std::sqrt(promised));
  EXPECT_GT(hits(exploration), 0u);
}

// Depth 1: a use before the initialisation in another thread.
const Program kOrder{{{store(0, 1)}, {load(0, 0), assert_equal(0, 1)}}, 2};

// Depth 2: another thread's store falls between two loads.
const Program kAtomicity{
    {{load(0, 0), skip_unless(0, 0, 2), load(1, 0), assert_equal(1, 0), yield()}, {store(0, 1)}},
    2};

// Depth 2: two mutexes in opposite orders.
const Program kDeadlock{
    {{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}}, 2};

// Depth 3: thread 0 must see variable 0 become 1, and then 0 again.
const Program kThere{
    {{load(0, 0), load(1, 0), load(2, 0), skip_unless(1, 1, 1), assert_equal(2, 1), yield()},
     {store(0, 1), store(0, 0)}},
    2};

TEST(Pct, FindsBugsOfTheirDepth) {
  expect_theorem(kOrder, 1);
  expect_theorem(kAtomicity, 2);
  expect_theorem(kDeadlock, 2);
  expect_theorem(kThere, 3);
}

TEST(Pct, FindsNoBugDeeperThanItsDepth) {
  EXPECT_EQ(hits(sample(kAtomicity, 1)), 0u);
  EXPECT_EQ(hits(sample(kDeadlock, 1)), 0u);
}

TEST(Pct, StatesItsProbability) {
  const Program program{{{spawn(1), spawn(2)}, {store(0, 1)}, {store(0, 1)}}};
  EXPECT_EQ(sample(program, 3, 10).guarantee,
            "10 executions sampled; each finds a bug of depth 3 with probability at least "
            "1/(3*10^2)");
}

TEST(Pct, EndsSpinLoopsThatYield) {
  const Script spin = {load(0, 0), skip_unless(0, 0, 1), yield(), skip_unless(0, 1, -4)};
  const Exploration exploration = sample({{spin, spin, {store(0, 1)}}, 3}, 3, 500);
  EXPECT_TRUE(exploration.findings.empty());
  EXPECT_LT(longest(exploration), 100u);
}

}  // namespace
}  // namespace heddle::toy
