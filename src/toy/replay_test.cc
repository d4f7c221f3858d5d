// Schedules are values: whatever was explored can be written down, read and run again.
#include "strategies/replay.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

// Passes everything on, and notes the actions taken.
class Recorder final : public Executor {
 public:
  explicit Recorder(Executor& inner) : inner_(inner) {}
  Status reset() override {
    actions.clear();
    return inner_.reset();
  }
  const Configuration& configuration() const override { return inner_.configuration(); }
  Status status() const override { return inner_.status(); }
  const Failure& failure() const override { return inner_.failure(); }
  Status step(Transition t) override {
    actions.push_back(configuration().find(t.thread)->next);
    return inner_.step(t);
  }
  std::vector<Action> actions;

 private:
  Executor& inner_;
};

bool same_actions(const std::vector<Action>& a, const std::vector<Action>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Action& x, const Action& y) { return x.same_as(y); });
}

TEST(Replay, RepeatsEveryExploredExecution) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    ToyExecutor toy(random_program(seed));
    Recorder recorder(toy);
    RunOptions options;
    std::strcpy(options.strategy, "pct");
    options.seed = seed;
    Explorer explorer(make_strategy(options), {.max_executions = 10, .keep_going = true});
    ExploreObserver observer;
    while (explorer.begin_execution(observer)) {
      explorer.explore_one(recorder, observer);
      explorer.finish_execution(observer);
      const std::vector<Action> actions = recorder.actions;
      const uint64_t state = toy.state_hash();
      Schedule schedule;
      ASSERT_TRUE(parse_schedule(to_string(explorer.schedule()), schedule));
      ASSERT_EQ(schedule, explorer.schedule());
      const Exploration replay = explore_all(recorder, make_replay(schedule, 0));
      ASSERT_EQ(replay.executions.size(), 1u);
      EXPECT_EQ(replay.executions[0].schedule, schedule);
      EXPECT_TRUE(same_actions(recorder.actions, actions));
      EXPECT_EQ(toy.state_hash(), state);
    }
  }
}

TEST(Replay, FindsTheSameFailureAgain) {
  size_t failures = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    ToyExecutor toy(random_program(seed));
    const Exploration icb = explore_all(toy, make_strategy(RunOptions{}), 200);
    for (const Finding& finding : icb.findings) {
      ++failures;
      const Exploration replay =
          explore_all(toy, make_replay(finding.schedule, finding.preemptions));
      ASSERT_EQ(replay.findings.size(), 1u);
      EXPECT_EQ(replay.findings[0].failure.message, finding.failure.message);
      EXPECT_EQ(replay.findings[0].preemptions, finding.preemptions);
      EXPECT_EQ(replay.findings[0].schedule, finding.schedule);
    }
  }
  EXPECT_GT(failures, 20u);
}

TEST(Replay, GoesOnWithoutPreemptionsAfterTheSchedule) {
  const Script body = {store(0, 1), store(0, 2)};
  ToyExecutor toy({{body, body, body}, 3});
  Schedule schedule;
  ASSERT_TRUE(parse_schedule("2 1 2", schedule));
  const Exploration replay = explore_all(toy, make_replay(schedule, 2));
  ASSERT_EQ(replay.executions.size(), 1u);
  EXPECT_EQ(to_string(replay.executions[0].schedule), "2 1 2*3 0*4 1*3");
  EXPECT_EQ(replay.executions[0].preemptions, 2u);
  EXPECT_TRUE(replay.complete);
}

TEST(Replay, NamesTheStepThatTheProgramDoesNotTake) {
  ToyExecutor toy({{{lock(0), unlock(0)}, {lock(0), signal(0), unlock(0)}}, 2});
  const auto message = [&](const char* text) {
    Schedule schedule;
    EXPECT_TRUE(parse_schedule(text, schedule));
    const Exploration replay = explore_all(toy, make_replay(schedule, 0));
    EXPECT_EQ(replay.findings.at(0).failure.kind, FindingKind::Nondeterminism);
    return replay.findings.at(0).failure.message;
  };
  const std::string begin = "the program did not repeat itself: ";
  EXPECT_EQ(message("0*2 1*2"),
            begin + "step 4 of the schedule belongs to thread 1, which is blocked (mutex-lock)");
  EXPECT_EQ(message("0*4 0"),
            begin + "step 5 of the schedule belongs to thread 0, which is not alive");
  EXPECT_EQ(message("1*2 1/3"), begin +
                                    "step 3 of the schedule belongs to thread 1, alternative 3, "
                                    "but its cond-signal has only 1");
  EXPECT_EQ(message("0*4 1*6"), begin + "it ended after 9 of 10 known steps");
}

}  // namespace
}  // namespace heddle::toy
