#include "toy/toy_executor.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "toy/enumerate.h"

namespace heddle::toy {
namespace {

Op next_op(const ToyExecutor& executor, uint32_t thread) {
  return executor.configuration().find(ThreadId{thread})->next.op;
}

uint32_t choices(const ToyExecutor& executor, uint32_t thread) {
  return executor.configuration().find(ThreadId{thread})->choices;
}

void steps(ToyExecutor& executor, const char* text) {
  Schedule schedule;
  ASSERT_TRUE(parse_schedule(text, schedule));
  for (Transition transition : schedule) executor.step(transition);
}

TEST(ToyExecutor, CreatesStartsJoinsAndEndsThreads) {
  ToyExecutor executor({{{spawn(1), join(1)}, {}}});
  executor.reset();
  EXPECT_EQ(executor.configuration().live.size(), 1u);
  EXPECT_EQ(next_op(executor, 0), Op::ThreadStart);
  steps(executor, "0*2");
  EXPECT_EQ(executor.configuration().created, ThreadId{1});
  EXPECT_EQ(next_op(executor, 1), Op::ThreadStart);
  EXPECT_EQ(next_op(executor, 0), Op::ThreadJoin);
  EXPECT_EQ(choices(executor, 0), 0u);
  steps(executor, "1");
  EXPECT_EQ(next_op(executor, 1), Op::ThreadExit);
  steps(executor, "1");
  EXPECT_EQ(choices(executor, 0), 1u);
  EXPECT_EQ(executor.configuration().find(ThreadId{1}), nullptr);
  steps(executor, "0*2");
  EXPECT_EQ(executor.status(), Status::Finished);
}

TEST(ToyExecutor, MutexesExclude) {
  ToyExecutor executor({{{lock(0), unlock(0)}, {lock(0), unlock(0)}}, 2});
  executor.reset();
  steps(executor, "0*2 1");
  EXPECT_EQ(choices(executor, 1), 0u);
  EXPECT_TRUE(executor.configuration().switch_preempts() == false);  // thread 1 ran last
  steps(executor, "0");
  EXPECT_EQ(choices(executor, 1), 1u);
}

TEST(ToyExecutor, TryingToLockNeverBlocks) {
  ToyExecutor executor({{{lock(0), unlock(0)}, {try_lock(0, 0), try_lock(1, 0)}}, 2});
  executor.reset();
  steps(executor, "0*2 1");
  EXPECT_EQ(choices(executor, 1), 1u);
  steps(executor, "1 0 1");
  EXPECT_NE(executor.state_text().find("thread 1 phase 7 at 2 0 1"), std::string::npos)
      << executor.state_text();
  EXPECT_EQ(choices(executor, 0), 1u);
}

TEST(ToyExecutor, ExitEndsTheProgramWhateverOthersDo) {
  ToyExecutor executor({{{exit_program()}, {store(0, 1)}}, 2});
  executor.reset();
  EXPECT_EQ(next_op(executor, 1), Op::ThreadStart);
  steps(executor, "1 0*2");
  EXPECT_EQ(executor.status(), Status::Finished);
  EXPECT_EQ(executor.variable(0), 0);
}

TEST(ToyExecutor, ASignalChoosesAmongTheWaitersAndTheyRelock) {
  const Script waiter = {lock(0), wait(0, 0), unlock(0)};
  ToyExecutor executor({{{signal(0), signal(0)}, waiter, waiter}, 3});
  executor.reset();
  steps(executor, "0");
  EXPECT_EQ(choices(executor, 0), 1u);  // a signal that nobody hears
  steps(executor, "1*2");
  EXPECT_EQ(next_op(executor, 1), Op::CondWait);
  steps(executor, "1");
  EXPECT_EQ(next_op(executor, 1), Op::CondBlocked);
  EXPECT_EQ(choices(executor, 1), 0u);
  steps(executor, "2*2");  // the wait has released the mutex
  steps(executor, "2");
  EXPECT_EQ(choices(executor, 0), 2u);
  steps(executor, "0/1");  // thread 2 was second to wait
  EXPECT_EQ(next_op(executor, 1), Op::CondBlocked);
  EXPECT_EQ(next_op(executor, 2), Op::CondRelock);
  EXPECT_EQ(choices(executor, 2), 1u);
  steps(executor, "0");
  EXPECT_EQ(next_op(executor, 1), Op::CondRelock);
  steps(executor, "2");
  EXPECT_EQ(choices(executor, 1), 0u);  // the mutex is taken
  steps(executor, "2 1*3");
  EXPECT_EQ(executor.configuration().find(ThreadId{1}), nullptr);
}

TEST(ToyExecutor, ABroadcastWakesAllWaiters) {
  const Script waiter = {lock(0), wait(0, 0), unlock(0)};
  ToyExecutor executor({{{broadcast(0)}, waiter, waiter}, 3});
  executor.reset();
  steps(executor, "1*3 2*3 0*2");
  EXPECT_EQ(next_op(executor, 1), Op::CondRelock);
  EXPECT_EQ(next_op(executor, 2), Op::CondRelock);
}

TEST(ToyExecutor, AssertionsBelongToTheStepBeforeThem) {
  ToyExecutor executor({{{add(0, 0, 1), add(0, 0, 1), assert_equal(0, 0), yield()}}});
  executor.reset();
  steps(executor, "0*2");
  EXPECT_EQ(executor.status(), Status::Running);
  steps(executor, "0");
  EXPECT_EQ(executor.status(), Status::Failed);
  EXPECT_EQ(executor.failure().kind, FindingKind::Assertion);
  EXPECT_EQ(executor.failure().thread, ThreadId{0});
  executor.reset();
  EXPECT_EQ(executor.status(), Status::Running);
  EXPECT_EQ(executor.variable(0), 0);
}

TEST(ToyExecutor, MisuseFails) {
  for (const Script& script : {Script{unlock(0)}, Script{wait(0, 0)}}) {
    ToyExecutor executor({{script}});
    executor.reset();
    steps(executor, "0*2");
    EXPECT_EQ(executor.failure().kind, FindingKind::MutexMisuse);
  }
  ToyExecutor executor({{{spawn(1), spawn(1)}, {}}});
  executor.reset();
  steps(executor, "0*3");
  EXPECT_EQ(executor.failure().kind, FindingKind::ThreadMisuse);
}

TEST(ToyExecutor, YieldingGivesUpTheProcessor) {
  ToyExecutor executor({{{yield()}, {}}, 2});
  executor.reset();
  EXPECT_FALSE(executor.configuration().switch_preempts());  // nobody has run yet
  steps(executor, "0");
  EXPECT_TRUE(executor.configuration().switch_preempts());
  steps(executor, "0");
  EXPECT_FALSE(executor.configuration().switch_preempts());
}

TEST(Enumerate, FindsTheThreeEndsOfALostUpdate) {
  const Script increment = {load(0, 0), store_sum(0, 0, 1)};
  ToyExecutor executor({{increment, increment}, 2});
  std::map<uint64_t, std::string> states;
  const Enumeration all = enumerate(executor, 1000, [&] {
    states[executor.state_hash()] = executor.state_text();
    return executor.state_hash();
  });
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.executions.size(), 70u);  // 8 over 4
  EXPECT_EQ(states.size(), 3u);           // 2 with either order, or 1
  EXPECT_FALSE(enumerate(executor, 69).complete);
  EXPECT_TRUE(enumerate(executor, 70).complete);
}

}  // namespace
}  // namespace heddle::toy
