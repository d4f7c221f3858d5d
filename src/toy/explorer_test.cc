#include "explore/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

std::unique_ptr<Strategy> strategy(const char* name) {
  RunOptions options;
  std::strcpy(options.strategy, name);
  return make_strategy(options);
}

const Script kIncrement = {load(0, 0), store_sum(0, 0, 1)};

// Two threads take two mutexes in opposite orders.
const Program kDeadlock{{{spawn(1), spawn(2), join(1), join(2)},
                         {lock(0), lock(1), unlock(1), unlock(0)},
                         {lock(1), lock(0), unlock(0), unlock(1)}}};

class Counter final : public ExploreObserver {
 public:
  explicit Counter(uint64_t stop_after = ~uint64_t{0}) : stop_after_(stop_after) {}
  bool stop_requested() override { return executions >= stop_after_; }
  void steps_taken(uint64_t count) override { steps += count; }
  void execution_ended(const ExecutionSummary& summary) override {
    ++executions;
    failed += summary.failed;
    steps_in_summaries += summary.steps;
  }
  uint64_t steps = 0, executions = 0, failed = 0, steps_in_summaries = 0;

 private:
  const uint64_t stop_after_;
};

TEST(Explorer, StopsAtTheFirstFinding) {
  ToyExecutor executor(kDeadlock);
  Explorer explorer(strategy("icb"), {});
  Counter counter;
  EXPECT_EQ(explorer.run(executor, counter), EndReason::FirstFinding);
  EXPECT_FALSE(explorer.complete());
  ASSERT_EQ(explorer.findings().size(), 1u);
  const Finding& finding = explorer.findings()[0];
  EXPECT_EQ(finding.failure.kind, FindingKind::Deadlock);
  EXPECT_EQ(finding.failure.message, "deadlock: thread 0, thread 1 and thread 2 are blocked");
  EXPECT_EQ(finding.failure.thread, ThreadId{1});  // thread 0 only joins
  EXPECT_EQ(finding.preemptions, 1u);
  EXPECT_EQ(finding.execution, explorer.executions());
  EXPECT_EQ(counter.executions, explorer.executions());
}

// A third thread takes one of the mutexes as well: it is blocked behind the others, or is not.
TEST(Explorer, WhoIsBlockedBehindADeadlockMakesNoOther) {
  Program program = kDeadlock;
  program.threads[0] = {spawn(1), spawn(2), spawn(3), join(3), join(2), join(1)};
  program.threads.push_back({lock(0), unlock(0)});
  ToyExecutor executor(program);
  const Exploration all = explore_all(executor, strategy("dfs"));
  ASSERT_EQ(all.findings.size(), 1u);
  uint64_t deadlocks = 0;
  for (const Execution& execution : all.executions)
    deadlocks += execution.outcome == Outcome::Deadlock ? 1 : 0;
  EXPECT_EQ(all.findings[0].occurrences, deadlocks);
}

TEST(Explorer, DeadlocksOverOtherLocksAreOthers) {
  Program program = kDeadlock;
  program.threads.push_back({lock(2), lock(3), unlock(3), unlock(2)});
  program.threads.push_back({lock(3), lock(2), unlock(2), unlock(3)});
  program.threads[0] = {spawn(1), spawn(2), join(1), join(2), spawn(3), spawn(4), join(3), join(4)};
  ToyExecutor executor(program);
  EXPECT_EQ(explore_all(executor, strategy("dfs")).findings.size(), 2u);
}

// Nobody waits in a circle: what counts is the condition that is never signalled, not who waits for
// those that wait for it.
TEST(Explorer, AWaitInVainIsOneDeadlock) {
  const Program program{{{spawn(1), spawn(2), join(2), join(1)},
                         {lock(0), wait(0, 0), unlock(0)},
                         {lock(1), signal(0), unlock(1)}}};
  ToyExecutor executor(program);
  const Exploration all = explore_all(executor, strategy("dfs"));
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].failure.thread, ThreadId{1});
  EXPECT_GT(all.findings[0].occurrences, 1u);
}

TEST(Explorer, KeepsGoingAndKeepsTheCheapestSchedule) {
  ToyExecutor executor(kDeadlock);
  Explorer explorer(strategy("dfs"), {.keep_going = true});
  Counter counter;
  EXPECT_EQ(explorer.run(executor, counter), EndReason::Exhausted);
  EXPECT_TRUE(explorer.complete());
  ASSERT_EQ(explorer.findings().size(), 1u);
  const Finding& finding = explorer.findings()[0];
  const Enumeration all = enumerate(executor, 100'000);
  uint64_t deadlocks = 0;
  for (const Execution& e : all.executions) deadlocks += e.outcome == Outcome::Deadlock;
  EXPECT_EQ(finding.occurrences, deadlocks);
  EXPECT_EQ(counter.failed, deadlocks);
  EXPECT_EQ(finding.preemptions, 1u);
  EXPECT_EQ(counter.executions, all.executions.size());
  EXPECT_EQ(counter.steps, explorer.events());
  EXPECT_EQ(counter.steps_in_summaries, explorer.events());
}

TEST(Explorer, BeingExhaustedWinsOverTheExecutionLimit) {
  ToyExecutor executor({{kIncrement, kIncrement}, 2});  // 70 executions
  for (const char* name : {"dfs", "icb"}) {
    for (uint64_t limit : {1, 69, 70, 71}) {
      Explorer explorer(strategy(name), {.max_executions = limit});
      Counter counter;
      const EndReason reason = explorer.run(executor, counter);
      EXPECT_EQ(reason, limit < 70 ? EndReason::ExecutionLimit : EndReason::Exhausted);
      EXPECT_EQ(explorer.complete(), limit >= 70);
      EXPECT_EQ(explorer.executions(), std::min<uint64_t>(limit, 70));
    }
  }
}

TEST(Explorer, StopsWhenAsked) {
  ToyExecutor executor({{kIncrement, kIncrement}, 2});
  Explorer explorer(strategy("random"), {});
  Counter counter(5);
  EXPECT_EQ(explorer.run(executor, counter), EndReason::Stopped);
  EXPECT_EQ(explorer.executions(), 5u);
}

TEST(Explorer, CallsAnEndlessExecutionALivelock) {
  ToyExecutor executor({{{load(0, 0), skip_unless(0, 1, -2)}}});
  Explorer explorer(strategy("dfs"), {.max_steps = 50, .unrolls_loops = true});
  ExploreObserver observer;
  EXPECT_EQ(explorer.run(executor, observer), EndReason::FirstFinding);
  EXPECT_EQ(explorer.findings()[0].failure.kind, FindingKind::Livelock);
  EXPECT_EQ(
      explorer.findings()[0].failure.message,
      "the execution did not end within 50 steps, nor when every thread had its turn: it comes "
      "back to a state in which it was before");
  EXPECT_EQ(explorer.findings()[0].schedule.size(), 50u);
}

// Thread 1 counts its rounds, so that they are no waiting; thread 2 would end them.
TEST(Explorer, StarvationIsNoLivelock) {
  const Program program{{{spawn(1), spawn(2), join(1), join(2)},
                         {add(1, 1, 1), load(0, 0), skip_unless(0, 1, -3)},
                         {store(0, 1)}}};
  for (const char* name : {"dfs", "icb", "optimal-dpor", "pct"}) {
    ToyExecutor executor(program);
    Explorer explorer(strategy(name), {.max_executions = 200, .max_steps = 60, .keep_going = true});
    ExploreObserver observer;
    explorer.run(executor, observer);
    EXPECT_TRUE(explorer.findings().empty()) << name;
    EXPECT_FALSE(explorer.complete());
    if (std::strcmp(name, "pct") != 0) {
      EXPECT_GT(explorer.cut_off(), 0u) << name;
    }
  }
}

// What shows while the threads have their turns is a bug like any other.
TEST(Explorer, ABugBeyondTheLimitOfStepsIsReported) {
  const Program program{{{spawn(1), spawn(2), join(1), join(2)},
                         {add(1, 1, 1), load(0, 0), skip_unless(0, 1, -3), assert_equal(0, 7)},
                         {store(0, 1)}}};
  ToyExecutor executor(program);
  Explorer explorer(strategy("icb"), {.max_steps = 60});
  ExploreObserver observer;
  EXPECT_EQ(explorer.run(executor, observer), EndReason::FirstFinding);
  EXPECT_EQ(explorer.findings()[0].failure.kind, FindingKind::Assertion);
}

TEST(Explorer, AllowsExactlyTheLargestNumberOfSteps) {
  ToyExecutor executor({{{store(0, 1)}}});
  Explorer explorer(strategy("dfs"), {.max_steps = 3});
  ExploreObserver observer;
  EXPECT_EQ(explorer.run(executor, observer), EndReason::Exhausted);
  EXPECT_TRUE(explorer.findings().empty());
}

TEST(Explorer, TellsFailuresApartByPlace) {
  ToyExecutor executor(
      {{{choose(0, 3), skip_unless(0, 0, 1), assert_equal(0, 9), assert_equal(0, 1), yield()}}});
  Explorer explorer(strategy("icb"), {.keep_going = true});
  ExploreObserver observer;
  explorer.run(executor, observer);
  ASSERT_EQ(explorer.findings().size(), 2u);
  EXPECT_EQ(explorer.findings()[0].occurrences, 1u);
  EXPECT_EQ(to_string(explorer.findings()[0].schedule), "0*2");
  EXPECT_EQ(to_string(explorer.findings()[1].schedule), "0 0/2");
}

// Spin loops that yield end in the first execution, whoever has to wait for whom.
TEST(Explorer, LetsSpinningThreadsTakeTurns) {
  const Script spin = {yield(), load(0, 0), skip_unless(0, 1, -3)};
  ToyExecutor executor({{spin, spin, spin, {store(0, 1)}}, 4});
  for (const char* name : {"dfs", "icb", "pct"}) {
    Explorer explorer(strategy(name), {.max_executions = 1, .max_steps = 100});
    ExploreObserver observer;
    EXPECT_EQ(explorer.run(executor, observer), EndReason::ExecutionLimit) << name;
  }
}

}  // namespace
}  // namespace heddle::toy
