// Minimisation of random failing schedules, held against the fewest context switches that any
// execution with the same bug has.
#include "explore/minimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "strategies/follow.h"
#include "strategies/registry.h"
#include "toy/enumerate.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

std::optional<Finding> same_in(const std::vector<Finding>& findings, const Failure& failure) {
  for (const Finding& finding : findings)
    if (finding.same_bug(failure)) return finding;
  return std::nullopt;
}

// Of all executions that fail in this way.
size_t fewest_switches(ToyExecutor& toy, const Failure& failure) {
  size_t fewest = ~size_t{0};
  for (const Execution& execution : enumerate(toy, 100'000).executions) {
    if (execution.outcome != Outcome::Failed && execution.outcome != Outcome::Deadlock) continue;
    const size_t switches = context_switches(execution.schedule);
    if (switches >= fewest) continue;
    if (same_in(explore_all(toy, make_follow(execution.schedule)).findings, failure))
      fewest = switches;
  }
  return fewest;
}

TEST(Minimise, CountsContextSwitches) {
  Schedule schedule;
  EXPECT_EQ(context_switches(schedule), 0u);
  ASSERT_TRUE(parse_schedule("0*3 1 2 1*4", schedule));
  EXPECT_EQ(context_switches(schedule), 3u);
}

TEST(Minimise, ComesCloseToTheFewestContextSwitches) {
  std::vector<size_t> surplus;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    ToyExecutor toy(random_program(seed));
    RunOptions options;
    std::strcpy(options.strategy, "random");
    options.seed = seed;
    const Exploration wild = explore_all(toy, make_strategy(options), 30);
    for (const Finding& finding : wild.findings) {
      const Rerun attempt = [&](const Schedule& wanted) {
        return same_in(explore_all(toy, make_follow(wanted)).findings, finding.failure);
      };
      const Finding least = minimise(finding, attempt, 1000);
      EXPECT_LE(least.preemptions, finding.preemptions);
      EXPECT_LE(context_switches(least.schedule), context_switches(finding.schedule));
      EXPECT_TRUE(same_in(explore_all(toy, make_follow(least.schedule)).findings, finding.failure))
          << "seed " << seed;
      surplus.push_back(context_switches(least.schedule) - fewest_switches(toy, finding.failure));
    }
  }
  ASSERT_GT(surplus.size(), 20u);
  std::sort(surplus.begin(), surplus.end());
  EXPECT_EQ(surplus[surplus.size() / 2], 0u);
  EXPECT_LE(surplus[surplus.size() * 9 / 10], 3u);
}

// A random schedule of eight hundred steps has some six hundred switches more than are needed.
TEST(Minimise, ALongScheduleTakesFewAttempts) {
  Program program;
  program.initially_live = 4;
  for (uint32_t thread = 0; thread < 4; ++thread) {
    Script script(200, add(0, 0, 1));
    if (thread < 2) script.insert(script.end(), {lock(thread), lock(1 - thread)});
    if (thread < 2) script.insert(script.end(), {unlock(thread), unlock(1 - thread)});
    program.threads.push_back(std::move(script));
  }
  ToyExecutor toy(program);
  RunOptions options;
  std::strcpy(options.strategy, "random");
  const Exploration wild = explore_all(toy, make_strategy(options), 2000);
  ASSERT_EQ(wild.findings.size(), 1u);
  const Finding& finding = wild.findings.front();
  ASSERT_GT(context_switches(finding.schedule), 400u);
  size_t attempts = 0;
  const Rerun attempt = [&](const Schedule& wanted) {
    ++attempts;
    return same_in(explore_all(toy, make_follow(wanted)).findings, finding.failure);
  };
  const Finding least = minimise(finding, attempt, 60);
  EXPECT_LE(attempts, 60u);
  EXPECT_EQ(context_switches(least.schedule), 3u) << to_string(least.schedule);
}

}  // namespace
}  // namespace heddle::toy
