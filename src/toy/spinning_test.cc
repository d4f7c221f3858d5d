// Threads that wait in loops: whatever a search does about them, it finds the same ends.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <regex>
#include <set>

#include "strategies/registry.h"
#include "toy/enumerate.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

using Ends = std::set<std::string>;

// Where a spinning thread stands in its loop, and what it read last, is of no interest.
std::string end_of(const ToyExecutor& executor) {
  if (executor.status() == Status::Finished) return "finished: " + executor.state_text();
  if (executor.status() == Status::Failed) return "failed: " + executor.failure().message;
  std::string text = "no way on:";
  for (uint32_t i = 0; i < 4; ++i) text += " " + std::to_string(executor.variable(i));
  for (const ThreadView& view : executor.configuration().live) {
    text += "; thread " + std::to_string(index(view.id)) + " ";
    if (view.spin != Spin::None)
      text += "spins";
    else
      text += std::string(name(view.next.op)) + std::to_string(value(view.next.pc));
  }
  return text;
}

// All executions in which threads that spin wait for a change.
bool enumerate_waiting(const Program& program, Ends& ends) {
  ToyExecutor executor(program);
  executor.set_spinning(Spinning::Wait);
  return enumerate(executor, 400,
                   [&] {
                     ends.insert(end_of(executor));
                     return uint64_t{0};
                   })
      .complete;
}

// All ends within so many steps in which nothing at all is done about loops.
void enumerate_unrolled(ToyExecutor& executor, Schedule& schedule, size_t depth, size_t& budget,
                        Ends& ends) {
  executor.reset();
  for (Transition transition : schedule) executor.step(transition);
  if (executor.status() != Status::Running) {
    ends.insert(end_of(executor));
    return;
  }
  if (schedule.size() == depth || budget == 0) return;
  --budget;
  const std::vector<ThreadView> live = executor.configuration().live;
  for (const ThreadView& view : live) {
    for (uint32_t choice = 0; choice < view.choices; ++choice) {
      schedule.push_back({view.id, choice});
      enumerate_unrolled(executor, schedule, depth, budget, ends);
      schedule.pop_back();
    }
  }
}

class LastEnding final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override { last = summary.ending; }
  Ending last = Ending::Finished;
};

Ends explore(const Program& program, const RunOptions& options) {
  ExploreLimits limits;
  limits.keep_going = true;
  limits.max_steps = 2000;
  limits.doubts_livelocks = false;
  Explorer explorer(make_strategy(options), limits);
  ToyExecutor executor(program);
  LastEnding observer;
  Ends ends;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    if (observer.last == Ending::Abandoned || observer.last == Ending::Pruned) continue;
    EXPECT_NE(observer.last, Ending::TooLong);
    ends.insert(end_of(executor));
  }
  EXPECT_TRUE(explorer.complete());
  return ends;
}

Ends explore(const Program& program, const char* strategy, const char* filters = "") {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  std::strcpy(options.filters, filters);
  return explore(program, options);
}

Ends explore_within(const Program& program, const char* strategy, int32_t bound) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  options.bound = bound;
  return explore(program, options);
}

struct Sample {
  uint64_t seed;
  Program program;
  Ends ends;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kept = [] {
    std::vector<Sample> result;
    for (uint64_t seed = 1; result.size() < sample_size(1000); ++seed) {
      Sample sample{seed, random_waiters(seed), {}};
      if (enumerate_waiting(sample.program, sample.ends)) result.push_back(std::move(sample));
    }
    return result;
  }();
  return kept;
}

std::string describe(const Sample& sample) {
  return "seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program);
}

TEST(Spinning, WaitingLosesNoEnd) {
  size_t ends = 0;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(describe(sample));
    ToyExecutor executor(sample.program);
    Schedule schedule;
    Ends unrolled;
    size_t budget = 500;
    enumerate_unrolled(executor, schedule, 16, budget, unrolled);
    for (const std::string& end : unrolled)
      ASSERT_TRUE(end.starts_with("no way on") || sample.ends.contains(end)) << end;
    ends += unrolled.size();
  }
  EXPECT_GT(ends, samples().size() / 4);
}

TEST(Spinning, LivelocksAndEndsAreBothAmongTheSamples) {
  std::map<bool, size_t> count;
  for (const Sample& sample : samples())
    for (const std::string& end : sample.ends) ++count[end.find("spins") != std::string::npos];
  EXPECT_GT(count[true], samples().size() / 10);
  EXPECT_GT(count[false], samples().size() / 10);
}

struct Search {
  const char* strategy;
  const char* filters;
};

class SpinningSearch : public testing::TestWithParam<Search> {};

TEST_P(SpinningSearch, FindsEveryEnd) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(describe(sample));
    ASSERT_EQ(explore(sample.program, GetParam().strategy, GetParam().filters), sample.ends);
  }
}

INSTANTIATE_TEST_SUITE_P(Waiters, SpinningSearch,
                         testing::Values(Search{"dfs", ""}, Search{"dfs", "seen"},
                                         Search{"icb", ""}, Search{"icb", "seen"},
                                         Search{"sleep-sets", ""}, Search{"dpor", ""},
                                         Search{"source-dpor", ""}, Search{"optimal-dpor", ""},
                                         Search{"cb-por-1", ""}, Search{"cb-por-2", ""},
                                         Search{"portfolio", ""}),
                         [](const auto& info) {
                           std::string text = info.param.strategy;
                           if (info.param.filters[0] != '\0')
                             text += "_" + std::string(info.param.filters);
                           for (char& c : text) c = c == '-' ? '_' : c;
                           return text;
                         });

// To wait is not to be preempted, for a reduction that cannot see a thread wait either.
TEST(Spinning, AReductionWithinABoundFindsTheEndsWithinIt) {
  size_t beyond = 0;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(describe(sample));
    for (int32_t bound : {0, 1, 2}) {
      const Ends reduced = explore_within(sample.program, "dpor", bound);
      ASSERT_EQ(reduced, explore_within(sample.program, "icb", bound)) << "bound " << bound;
      beyond += sample.ends.size() > reduced.size();
    }
  }
  EXPECT_GT(beyond, samples().size() / 20);
}

// Which context bounds of partial orders do not know.
TEST(Spinning, ContextBoundsSayThatTheyCountWaiting) {
  const Program waits{{{spawn(1), load(0, 0), skip_unless(0, 1, -2)}, {store(0, 1)}}};
  const Program looks{{{spawn(1), load(0, 0)}, {store(0, 1)}}};
  for (const char* strategy : {"cb-por-1", "cb-por-2"}) {
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    options.bound = 0;
    ExploreObserver observer;
    for (const auto& [program, says] : {std::pair(waits, true), std::pair(looks, false)}) {
      ToyExecutor executor(program);
      Explorer explorer(make_strategy(options), {});
      explorer.run(executor, observer);
      const std::string guarantee = explorer.strategy().guarantee();
      EXPECT_NE(guarantee.find("at most 0 preemptions"), std::string::npos) << guarantee;
      EXPECT_EQ(guarantee.find("in which it waits is one") != std::string::npos, says) << guarantee;
    }
  }
}

// The same program, but each loop counts its rounds in a register of its own.
Program counting(Program program) {
  for (Script& script : program.threads) {
    std::vector<int> begins;  // of what stands for an instruction
    Script counted;
    for (const Instruction& i : script) {
      begins.push_back(static_cast<int>(counted.size()));
      if (i.code == Code::SkipUnless && i.skip < 0) counted.push_back(count(3, 1));
      counted.push_back(i);
    }
    begins.push_back(static_cast<int>(counted.size()));
    for (int old = 0, now = 0; now < static_cast<int>(counted.size()); ++now) {
      Instruction& i = counted[static_cast<size_t>(now)];
      if (i.code == Code::Count) continue;
      ++old;
      if (i.code == Code::SkipUnless) i.skip = begins[static_cast<size_t>(old + i.skip)] - now - 1;
    }
    script = counted;
  }
  return program;
}

// What a thread has counted, and the numbers of its instructions, are of no interest either.
Ends without_counts(const Ends& ends) {
  static const std::regex registers(" at [0-9]+((?: -?[0-9]+){3}) -?[0-9]+");
  static const std::regex place("([a-z])[0-9]+");
  Ends result;
  for (const std::string& end : ends)
    result.insert(std::regex_replace(std::regex_replace(end, registers, " with$1"), place, "$1"));
  return result;
}

TEST(Spinning, LoopsThatCountTheirRoundsEndTheSame) {
  for (size_t i = 0; i < samples().size(); i += 4) {
    const Sample& sample = samples()[i];
    SCOPED_TRACE(describe(sample));
    const Program program = counting(sample.program);
    for (const char* strategy : {"dfs", "icb", "optimal-dpor", "portfolio"})
      ASSERT_EQ(without_counts(explore(program, strategy)), without_counts(sample.ends))
          << strategy;
  }
}

// Round after round is explored, and what the thread does when it has counted far enough is found.
void expect_one_failed_assertion(const Program& program) {
  ToyExecutor executor(program);
  for (const char* strategy : {"dfs", "icb", "optimal-dpor", "dpor", "cb-por-2", "portfolio"}) {
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    Explorer explorer(make_strategy(options), {.max_steps = 1000, .keep_going = true});
    ExploreObserver observer;
    explorer.run(executor, observer);
    EXPECT_TRUE(explorer.complete()) << strategy;
    ASSERT_EQ(explorer.findings().size(), 1u) << strategy;
    EXPECT_EQ(explorer.findings()[0].failure.kind, FindingKind::Assertion) << strategy;
  }
}

// A thread that looks twelve times and then does something: no waiting, though it looks like it.
TEST(Spinning, LoopsThatGiveUpAreFollowedToTheirEnd) {
  Program program;
  program.initially_live = 2;
  program.threads = {{load(0, 0), skip_unless(0, 1, 1), skip(3), count(3, 1),
                      skip_unless(3, 12, -5), assert_equal(3, 0)},
                     {store(0, 1)}};
  expect_one_failed_assertion(program);
}

// Having given up, the thread comes to a lock that is always taken then: it has left the loop all
// the same.
TEST(Spinning, LoopsThatGiveUpAreFollowedToALock) {
  const Program program{{{lock(0), spawn(1), store(0, 1), unlock(0)},
                         {load(0, 0), skip_unless(0, 1, 1), skip(4), count(3, 1),
                          skip_unless(3, 12, -5), lock(0), assert_equal(3, 0)}}};
  expect_one_failed_assertion(program);
}

// A lock that spins a thousand times before it blocks: the rounds in between are not worth an
// execution each. Who sees the change leaves the loop, who does not gives up.
TEST(Spinning, LoopsThatCountFarAreLeftInOnePiece) {
  const Program program{{{spawn(1), store(0, 1), store(1, 1)},
                         {load(0, 0), skip_unless(0, 1, 1), skip(2), count(3, 1),
                          skip_unless(3, 1000, -5), add(1, 1, 2)}}};
  for (const char* strategy : {"dfs", "icb", "sleep-sets", "dpor", "source-dpor", "optimal-dpor",
                               "cb-por-2", "portfolio"}) {
    SCOPED_TRACE(strategy);
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    Explorer explorer(make_strategy(options), {.keep_going = true});
    ToyExecutor executor(program);
    ExploreObserver observer;
    std::set<std::pair<int32_t, bool>> ends;  // of variable 1, and whether it gave up
    while (explorer.begin_execution(observer)) {
      explorer.explore_one(executor, observer);
      if (executor.status() == Status::Finished)
        ends.emplace(executor.variable(1),
                     executor.state_text().find(" 1000") != std::string::npos);
      explorer.finish_execution(observer);
    }
    EXPECT_TRUE(explorer.complete());
    EXPECT_LT(explorer.executions(), 400u);
    // The second store comes before the addition or after it; the change is seen or not.
    const std::set<std::pair<int32_t, bool>> expected{{1, false}, {3, false}, {1, true}, {3, true}};
    EXPECT_EQ(ends, expected);
  }
}

// Rounds that take a lock are no such looks: in each of them somebody else may come first, and the
// thread may tell in which it was.
TEST(Spinning, LoopsThatTakeALockInEachRoundAreFollowedRoundByRound) {
  constexpr int kRounds = LoopPlaces::kFew + 4;
  Program program;
  program.initially_live = 2;
  program.threads = {{lock(0), load(0, 0), unlock(0), skip_unless(0, 1, 1), skip(2), count(3, 1),
                      skip_unless(3, kRounds, -7)},
                     {lock(0), store(0, 1), unlock(0)}};
  for (const char* strategy : {"dfs", "icb", "sleep-sets", "dpor", "source-dpor", "optimal-dpor"})
    EXPECT_EQ(explore(program, strategy).size(), size_t{kRounds} + 1) << strategy;
}

// What a thread waits for it may look at in some of its rounds only; whoever takes it to wait in
// the others must not take it for good.
TEST(Spinning, LoopsThatLookSeldomWaitAllTheSame) {
  const Script inner_loop_first{load(1, 1),   count(3, 1), skip_unless(3, 8, -3),
                                count(3, -8), load(0, 0),  skip_unless(0, 1, -6)};
  const Script inner_loop_later{load(0, 0),  skip_unless(0, 1, 1),  skip(6),      load(1, 1),
                                count(3, 1), skip_unless(3, 8, -3), count(3, -8), skip(-8)};
  for (const Script& waiter : {inner_loop_first, inner_loop_later}) {
    Program program;
    program.initially_live = 2;
    program.threads = {waiter, {store(2, 1), store(0, 1)}};
    for (const char* strategy : {"dfs", "icb", "optimal-dpor", "dpor", "portfolio"}) {
      SCOPED_TRACE(strategy);
      RunOptions options;
      std::strcpy(options.strategy, strategy);
      Explorer explorer(make_strategy(options), {.max_executions = 20000, .max_steps = 1000});
      ToyExecutor executor(program);
      ExploreObserver observer;
      explorer.run(executor, observer);
      EXPECT_TRUE(explorer.complete());
      EXPECT_TRUE(explorer.findings().empty());
    }
  }
}

// A loop that ends after the limit of steps is no livelock, whatever the threads do in it.
TEST(Spinning, LongLoopsAreUndecided) {
  Program program;
  program.initially_live = 2;
  const Script locks{lock(0), unlock(0), count(3, 1), skip_unless(3, 900, -4)};
  const Script looks{load(0, 0), count(3, 1), skip_unless(3, 900, -3)};
  program.threads = {locks, looks};
  for (const char* strategy : {"dfs", "icb", "optimal-dpor", "portfolio", "random"}) {
    SCOPED_TRACE(strategy);
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    Explorer explorer(make_strategy(options), {.max_executions = 50, .max_steps = 400});
    ToyExecutor executor(program);
    ExploreObserver observer;
    explorer.run(executor, observer);
    EXPECT_TRUE(explorer.findings().empty());
    EXPECT_FALSE(explorer.complete());
    EXPECT_GT(explorer.cut_off(), 0u);
  }
}

// Two threads that each wait for the other: no schedule helps.
TEST(Spinning, ALivelockIsReportedAsSuch) {
  Program program;
  program.initially_live = 2;
  program.threads = {{load(0, 0), skip_unless(0, 1, -2), store(1, 1)},
                     {load(0, 1), skip_unless(0, 1, -2), store(0, 1)}};
  ToyExecutor executor(program);
  for (const char* strategy : {"dfs", "icb", "optimal-dpor", "portfolio", "pct"}) {
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    Explorer explorer(make_strategy(options), {.max_steps = 1000});
    ExploreObserver observer;
    explorer.run(executor, observer);
    ASSERT_EQ(explorer.findings().size(), 1u) << strategy;
    EXPECT_EQ(
        explorer.findings()[0].failure.message,
        "livelock: thread 0 and thread 1 wait in loops for a change that no thread will make");
  }
}

}  // namespace
}  // namespace heddle::toy
