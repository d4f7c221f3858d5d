// The samplers that know about partial orders (POS and SURW) and about what reads from what (RFF).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/parallel_program.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

std::unique_ptr<Strategy> make(const char* name, uint64_t seed) {
  RunOptions options;
  std::strcpy(options.strategy, name);
  options.seed = seed;
  return make_strategy(options);
}

Exploration sample(ToyExecutor& executor, const char* name, uint64_t seed, uint64_t executions) {
  return explore_all(executor, make(name, seed), executions);
}

TEST(Samplers, StayInsideTheTreeAndRepeatForASeed) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    ToyExecutor executor(seed % 2 == 0 ? random_program(seed) : random_parallel_program(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    for (const char* name : {"pos", "surw", "rff"}) {
      const Exploration first = sample(executor, name, 7, 30),
                        again = sample(executor, name, 7, 30);
      EXPECT_EQ(first.end_reason, EndReason::ExecutionLimit);
      EXPECT_FALSE(first.complete);
      ASSERT_EQ(first.executions.size(), 30u);
      for (size_t i = 0; i < 30; ++i)  // the executor checks every step that is taken
        ASSERT_EQ(first.executions[i].schedule, again.executions[i].schedule);
    }
  }
}

// One thread of 1 store and one of 25: how often does the single store come last?
size_t times_last(const char* name, size_t executions) {
  Program program{{Script(25, add(0, 0, 1)), {add(0, 0, 1), assert_equal(0, 0)}}, 2};
  program.threads[1] = {add(0, 0, 1)};
  ToyExecutor executor(program);
  size_t last = 0;
  for (const Execution& e : sample(executor, name, 3, executions).executions) {
    size_t stores = 0, before_single = 0, of_single = 0;
    for (Transition t : e.schedule) {
      if (t.thread == ThreadId{1} && ++of_single == 2) before_single = stores;
      stores += t.thread == ThreadId{0};
    }
    last += before_single >= 26;  // the start and 25 stores of the other
  }
  return last;
}

TEST(Surw, FindsTheLateStoreThatARandomWalkDoesNot) {
  EXPECT_EQ(times_last("random", 2000), 0u);
  const size_t by_surw = times_last("surw", 2000);
  EXPECT_GT(by_surw, 30u);  // about one in 26 is expected where the variable is selected
  EXPECT_LT(by_surw, 300u);
}

// With threads of known length that touch one variable each order is equally likely.
TEST(Surw, IsUniformOverTheOrdersOfSelectedSteps) {
  const Program program{{{store(0, 1), store(0, 2), store(0, 3)}, {store(0, 4), store(0, 5)}}, 2};
  ToyExecutor executor(program);
  std::map<std::string, double> seen;
  const size_t executions = 20'000;
  for (const Execution& e : sample(executor, "surw", 11, executions).executions) {
    std::string stores;
    uint32_t taken[2] = {0, 0};
    for (Transition t : e.schedule) {
      const uint32_t step = taken[index(t.thread)]++;
      const uint32_t own_stores = t.thread == ThreadId{0} ? 3 : 2;
      if (step >= 1 && step <= own_stores) stores += t.thread == ThreadId{0} ? 'a' : 'b';
    }
    ++seen[stores];
  }
  EXPECT_EQ(seen.size(), 10u);  // 5 over 2
  for (const auto& [order, count] : seen) EXPECT_NEAR(count / executions, 0.1, 0.03) << order;
}

// Figure 1 of the POS paper in spirit: many steps that concern nobody must not hide a conflict.
TEST(Pos, IsNotMisledByStepsThatConcernNobody) {
  Program program{{{}, {store(0, 1)}}, 2};
  for (int i = 0; i < 20; ++i) program.threads[0].push_back(store(1, i));  // private
  program.threads[0].push_back(store(0, 2));
  ToyExecutor executor(program);
  size_t single_last = 0;
  const size_t executions = 2000;
  for (const Execution& e : sample(executor, "pos", 5, executions).executions) {
    executor.reset();
    executor.run(e.schedule);
    single_last += executor.variable(0) == 1;
  }
  EXPECT_GT(single_last, executions / 50);
}

// Twenty threads set one variable, then another. A looker that sees the first set expects the
// second to be set too. It fails only while all twenty wait between their two stores, or before the
// first.
TEST(Rff, HoldsBackAllOthers) {
  Program program;
  program.threads.resize(22);
  Script& main = program.threads[0];
  for (uint32_t i = 1; i < 22; ++i) main.push_back(spawn(i));
  for (uint32_t i = 1; i < 21; ++i) program.threads[i] = {store(0, 1), store(1, 1)};
  program.threads[21] = {load(0, 0), skip_unless(0, 1, 2), load(1, 1), assert_equal(1, 1)};
  ToyExecutor executor(program);
  for (uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_EQ(sample(executor, "rff", seed, 10).findings.size(), 1u) << "seed " << seed;
  EXPECT_EQ(sample(executor, "pos", 1, 300).findings.size(), 0u);
}

TEST(Samplers, FindALostUpdate) {
  const Script increment = {load(0, 0), store_sum(0, 0, 1)};
  const Program program{{{spawn(1), spawn(2), join(1), join(2), load(0, 0), assert_equal(0, 2)},
                         increment,
                         increment}};
  for (const char* name : {"pos", "surw", "rff"}) {
    ToyExecutor executor(program);
    const Exploration found = sample(executor, name, 1, 200);
    ASSERT_EQ(found.findings.size(), 1u) << name;
    EXPECT_EQ(found.findings[0].failure.kind, FindingKind::Assertion);
  }
}

}  // namespace
}  // namespace heddle::toy
