// Whole searches of toy programs.
#include "search/search.h"

#include <gtest/gtest.h>

#include <map>

#include "strategies/registry.h"
#include "toy/enumerate.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle {
namespace {

using namespace toy;

class KeepingHost final : public Host {
 public:
  bool stop_requested() override { return stopped; }
  void search_ended(const Explorer&) override { ++searches; }
  void take_sketch(uint32_t number, const Trace& sketch) override { sketches[number] = sketch; }
  void take_trace(uint32_t number, const Trace& trace) override { traces[number] = trace; }
  void withdraw(uint32_t number) override { sketches.erase(number); }
  bool is_suppressed(uint32_t, const Trace&) override { return false; }

  bool stopped = false;
  int searches = 0;
  std::map<uint32_t, Trace> sketches, traces;
};

RunOptions options_for(StrategyId id) {
  RunOptions options;
  name_strategy(options, id);
  options.keep_going = true;
  options.max_executions = 300;
  return options;
}

struct Session {
  Session(const Program& program, const RunOptions& chosen)
      : options(chosen), toy(program), state(make_search(options, nullptr), limits_of(options)) {}

  void run() {
    PlainRunner runner(toy);
    ExecutionRecorder recorder(toy);
    Search search(state, {options, nullptr, runner, runner, recorder, host});
    search.run();
    guarantee = state.explorer.strategy().guarantee();
  }

  RunOptions options;
  ToyExecutor toy;
  SearchState state;
  KeepingHost host;
  std::string guarantee;
};

// The fewest preemptions of an execution that fails like this.
uint32_t fewest_preemptions(ToyExecutor& toy, const Failure& failure) {
  uint32_t fewest = ~0u;
  for (const Execution& execution : enumerate(toy, 100'000).executions) {
    if (execution.preemptions >= fewest) continue;
    if (execution.outcome != Outcome::Failed && execution.outcome != Outcome::Deadlock) continue;
    toy.reset();
    toy.run(execution.schedule);
    const bool failed = toy.status() == Status::Failed;
    if (failed ? same_bug(toy.failure(), failure) : failure.kind == FindingKind::Deadlock)
      fewest = execution.preemptions;
  }
  return fewest;
}

TEST(Search, EveryFindingIsSketchedAndTracedAndShowsAgain) {
  size_t seen = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    for (StrategyId id : {StrategyId::random, StrategyId::optimal_dpor, StrategyId::portfolio}) {
      Session session(random_program(seed), options_for(id));
      session.run();
      EXPECT_EQ(session.host.searches, 1);
      ASSERT_EQ(session.host.traces.size(), session.state.explorer.findings().size());
      for (const auto& [number, trace] : session.host.traces) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + trace.failure.message);
        ++seen;
        ASSERT_TRUE(session.host.sketches.contains(number));
        EXPECT_EQ(trace.steps.size(), trace.schedule.size());
        EXPECT_EQ(trace.failure.kind, session.host.sketches[number].failure.kind);
        session.toy.reset();
        EXPECT_EQ(session.toy.run(trace.schedule), trace.schedule.size());
        EXPECT_TRUE(session.toy.status() == Status::Failed ||
                    !session.toy.configuration().any_enabled());
      }
    }
  }
  EXPECT_GT(seen, 50u);
}

// Few threads, one kind of bug: whatever finds it, the report has the fewest preemptions.
TEST(Search, FindingsAreReportedWithTheFewestPreemptions) {
  const Program counter{{{load(0, 0), store_sum(0, 0, 1)},
                         {load(0, 0), store_sum(0, 0, 1)},
                         {load(1, 0), assert_equal(1, 2)}},
                        3};
  const Program locks{{{lock(0), yield(), lock(1), unlock(1), unlock(0)},
                       {lock(1), yield(), lock(0), unlock(0), unlock(1)}},
                      2};
  for (const Program& program : {counter, locks}) {
    for (StrategyId id : {StrategyId::random, StrategyId::pct, StrategyId::source_dpor}) {
      Session session(program, options_for(id));
      session.run();
      ASSERT_FALSE(session.host.traces.empty());
      for (const auto& [number, trace] : session.host.traces)
        EXPECT_EQ(trace.preemptions, fewest_preemptions(session.toy, trace.failure));
    }
  }
}

TEST(Search, SaysWhichStepsAreToBlame) {
  const Program locks{{{lock(0), yield(), lock(1), unlock(1), unlock(0)},
                       {lock(1), yield(), lock(0), unlock(0), unlock(1)}},
                      2};
  Session session(locks, options_for(StrategyId::icb));
  session.run();
  ASSERT_EQ(session.host.traces.size(), 1u);
  const Trace& trace = session.host.traces.begin()->second;
  EXPECT_EQ(trace.failure.kind, FindingKind::Deadlock);
  EXPECT_EQ(trace.cycle.size(), 2u);
  EXPECT_EQ(trace.ends.size(), 2u);
  EXPECT_NE(trace.critical.kind, CauseKind::None);
}

// The process may die between any two steps of the report; the next one goes on from the state.
TEST(Search, GoesOnWhereAProcessDied) {
  const Program locks{{{lock(0), yield(), lock(1), unlock(1), unlock(0)},
                       {lock(1), yield(), lock(0), unlock(0), unlock(1)}},
                      2};
  Session session(locks, options_for(StrategyId::dfs));
  session.run();
  const Trace whole = session.host.traces.begin()->second;
  session.host.traces.clear();
  session.state.phase = SearchPhase::Reporting;  // died when the trace was made but not handed over
  session.state.recorded = whole;
  session.run();
  EXPECT_EQ(session.host.searches, 1);
  ASSERT_EQ(session.host.traces.size(), 1u);
  EXPECT_EQ(session.host.traces.begin()->second.schedule, whole.schedule);
}

TEST(Recorder, NamesTheFirstDifferenceFromARecording) {
  const Program two{{{store(0, 1)}, {store(1, 1)}}, 2};
  ToyExecutor toy(two);
  ExecutionRecorder recorder(toy);
  Schedule schedule;
  ASSERT_TRUE(parse_schedule("0*3 1*3", schedule));
  const Trace recorded = recorder.record(schedule, nullptr, LastStep::Take);
  EXPECT_EQ(recorded.steps.size(), 6u);
  Trace other = recorded;
  other.failure.kind = FindingKind::Assertion;
  other.steps[1].action.object = Address{0x999};
  const Trace again = recorder.record(schedule, &other, LastStep::Take);
  EXPECT_EQ(again.failure.kind, FindingKind::Nondeterminism);
  EXPECT_NE(again.failure.message.find("step 2 differs"), std::string::npos)
      << again.failure.message;
  EXPECT_EQ(again.steps.size(), 1u);
}

}  // namespace
}  // namespace heddle
