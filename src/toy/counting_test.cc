// Independent threads: the number of executions is known in closed form.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

uint64_t count(const Program& program, const char* strategy) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  ToyExecutor executor(program);
  const Exploration exploration = explore_all(executor, make_strategy(options));
  EXPECT_TRUE(exploration.complete);
  EXPECT_TRUE(exploration.findings.empty());
  return exploration.executions.size();
}

uint64_t factorial(uint64_t n) {
  return n == 0 ? 1 : n * factorial(n - 1);
}

// Lemma 1 of Mittermayr and Blieberger; a start and an exit come on top of each thread's stores.
uint64_t multinomial(const std::vector<uint64_t>& stores) {
  uint64_t steps = 0, same = 1;
  for (uint64_t k : stores) {
    steps += k + 2;
    same *= factorial(k + 2);
  }
  return factorial(steps) / same;
}

class IndependentThreads : public testing::TestWithParam<std::vector<uint64_t>> {};

TEST_P(IndependentThreads, GiveTheMultinomial) {
  Program program;
  for (uint64_t k : GetParam())
    program.threads.push_back(Script(k, store(static_cast<uint32_t>(program.threads.size()), 1)));
  program.initially_live = static_cast<uint32_t>(program.threads.size());
  const uint64_t expected = multinomial(GetParam());
  EXPECT_EQ(count(program, "dfs"), expected);
  EXPECT_EQ(count(program, "icb"), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Lemma1, IndependentThreads,
    testing::Values(std::vector<uint64_t>{3}, std::vector<uint64_t>{0, 0},
                    std::vector<uint64_t>{1, 1}, std::vector<uint64_t>{2, 3},
                    std::vector<uint64_t>{5, 4}, std::vector<uint64_t>{0, 0, 0},
                    std::vector<uint64_t>{1, 0, 2}, std::vector<uint64_t>{1, 1, 1},
                    std::vector<uint64_t>{0, 0, 0, 0}, std::vector<uint64_t>{2, 2, 2}));

// A parent and the children it creates form a tree of steps; the number of ways to run it is n!
// over the product of the sizes of all subtrees (the hook formula for trees, Knuth 5.1.4).
TEST(CreatedThreads, GiveTheHookFormula) {
  for (uint64_t children = 1; children <= 3; ++children) {
    Program program;
    program.threads.emplace_back();
    for (uint64_t child = 1; child <= children; ++child) {
      program.threads[0].push_back(spawn(static_cast<uint32_t>(child)));
      program.threads.push_back({store(static_cast<uint32_t>(child), 1)});
    }
    uint64_t subtree = 1, hooks = 1;  // the parent's exit
    for (uint64_t child = 1; child <= children; ++child) {
      subtree += 1 + 3;  // this creation, and the child's start, store and exit
      hooks *= subtree * factorial(3);
    }
    ++subtree;  // the parent's start
    hooks *= subtree;
    EXPECT_EQ(count(program, "dfs"), factorial(subtree) / hooks);
    EXPECT_EQ(count(program, "icb"), factorial(subtree) / hooks);
  }
}

TEST(Choices, MultiplyTheExecutions) {
  const Program program{{{choose(0, 3), choose(1, 2), store_sum(0, 0, 0)}}};
  EXPECT_EQ(count(program, "dfs"), 6u);
  EXPECT_EQ(count(program, "icb"), 6u);
}

}  // namespace
}  // namespace heddle::toy
