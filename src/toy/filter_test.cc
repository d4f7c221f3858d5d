// Random programs: with every sound combination of filters, a search finds the same final states,
// deadlocks and failures as naive enumeration.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <tuple>

#include "states/state_tracker.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"
#include "toy/enumerated_samples.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/parallel_program.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(2000);
constexpr size_t kMostExecutions = 1500;

RunOptions options_for(const char* strategy, const char* filters,
                       PickOrder order = PickOrder::Depth) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  std::strcpy(options.filters, filters);
  options.order = order;
  return options;
}

// How an execution ended: where it failed, or else in which state it stopped.
using End = std::pair<Outcome, uint64_t>;

uint64_t end_of(const ToyExecutor& executor) {
  return executor.status() == Status::Failed ? value(executor.failure().pc) : executor.state_hash();
}

std::set<End> ends(const std::vector<Execution>& executions, uint32_t bound = ~0u) {
  std::set<End> result;
  for (const Execution& e : executions)
    if (e.outcome != Outcome::Abandoned && e.preemptions <= bound)
      result.insert({e.outcome, e.state});
  return result;
}

Exploration explore(ToyExecutor& executor, const RunOptions& options) {
  std::unique_ptr<Strategy> strategy = make_strategy(options);
  EXPECT_NE(strategy, nullptr) << refusal(options);
  return explore_all(executor, std::move(strategy), 0, [&] { return end_of(executor); });
}

const EnumeratedSamples& samples() {
  static const EnumeratedSamples kept = enumerated_samples(
      kPrograms, kMostExecutions,
      [](uint64_t seed) {
        return seed % 2 == 0 ? random_program(seed) : random_parallel_program(seed);
      },
      end_of);
  return kept;
}

template <typename Check>
void for_random_programs(Check check) {
  for_each_sample(samples(), check);
}

struct Combination {
  const char* filters;
  PickOrder order;
};

class Complete : public testing::TestWithParam<Combination> {};

TEST_P(Complete, FindsAllEnds) {
  const auto [filters, order] = GetParam();
  size_t executions = 0, abandoned = 0, all_executions = 0;
  for_random_programs([&](ToyExecutor& executor, const std::vector<Execution>& all) {
    const Exploration found = explore(executor, options_for("dfs", filters, order));
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.guarantee, "all final states, deadlocks and failures");
    EXPECT_EQ(ends(found.executions), ends(all));
    for (const Execution& e : found.executions) {
      ++executions;
      abandoned += e.outcome == Outcome::Abandoned;
    }
    all_executions += all.size();
  });
  printf("%s: %zu executions, %zu of them abandoned; %zu in all\n", filters, executions, abandoned,
         all_executions);
}

INSTANTIATE_TEST_SUITE_P(
    Combinations, Complete,
    testing::Values(Combination{"", PickOrder::Breadth}, Combination{"seen", PickOrder::Depth},
                    Combination{"seen", PickOrder::Breadth}, Combination{"seen", PickOrder::Random},
                    Combination{"seen:16", PickOrder::Depth},
                    Combination{"depth:100", PickOrder::Depth},
                    Combination{"local-cycles", PickOrder::Depth},
                    Combination{"seen,local-cycles", PickOrder::Depth},
                    Combination{"seen,local-cycles", PickOrder::Random},
                    Combination{"super-step", PickOrder::Depth},
                    Combination{"super-step", PickOrder::Breadth},
                    Combination{"super-step", PickOrder::Random},
                    Combination{"seen,super-step", PickOrder::Depth},
                    Combination{"super-step,seen", PickOrder::Random},
                    Combination{"seen:16,super-step", PickOrder::Depth},
                    Combination{"seen,depth:100,super-step", PickOrder::Breadth}));

TEST(Filters, AgreeOnDensePrograms) {
  size_t programs = 0;
  for (uint64_t seed = 1; programs < sample_size(40); ++seed) {
    ToyExecutor executor(random_dense_program(seed));
    const Enumeration all = enumerate(executor, 20'000, [&] { return end_of(executor); });
    if (!all.complete || all.executions.size() < 1000) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    ++programs;
    for (const char* filters : {"seen", "seen:64", "super-step", "super-step,seen"})
      for (const PickOrder order : {PickOrder::Depth, PickOrder::Random})
        EXPECT_EQ(ends(explore(executor, options_for("dfs", filters, order)).executions),
                  ends(all.executions))
            << filters;
    for (int32_t bound = 0; bound <= 3; ++bound) {
      RunOptions options = options_for("icb", "seen");
      options.bound = bound;
      EXPECT_EQ(ends(explore(executor, options).executions),
                ends(all.executions, static_cast<uint32_t>(bound)));
    }
    if (HasFailure()) return;
  }
}

// The happens-before classes of the executions.
std::set<uint64_t> classes(ToyExecutor& executor, const std::vector<Execution>& executions) {
  std::set<uint64_t> result;
  for (const Execution& e : executions) {
    if (e.outcome == Outcome::Abandoned) continue;
    executor.reset();
    StateTracker tracker;
    for (Transition t : e.schedule) {
      tracker.extend(executor.configuration().find(t.thread)->next, t.choice);
      executor.step(t);
    }
    result.insert(tracker.hash());
  }
  return result;
}

TEST(SeenFilter, RunsEachClassOnce) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    const std::set<uint64_t> expected = classes(executor, all);
    RunOptions options = options_for("dfs", "seen");
    for (bool exact : {false, true}) {
      options.exact_states = exact;
      const Exploration found = explore(executor, options);
      EXPECT_EQ(classes(executor, found.executions), expected);
      size_t ended = 0;
      for (const Execution& e : found.executions) ended += e.outcome != Outcome::Abandoned;
      if (!exact) {
        EXPECT_EQ(ended, expected.size());
      }
      EXPECT_EQ(found.guarantee, "all final states, deadlocks and failures");  // no collisions
    }
  });
}

TEST(DepthFilter, CoversWhatIsWithinTheBound) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    for (const char* filters : {"depth:7", "seen,depth:7", "depth:7,super-step,seen"}) {
      std::vector<Execution> short_ones;
      for (const Execution& e : all)
        if (e.schedule.size() <= 7) short_ones.push_back(e);
      const Exploration found = explore(executor, options_for("dfs", filters));
      EXPECT_TRUE(found.complete);
      for (const End& end : ends(short_ones))
        if (end.first != Outcome::Failed || std::strcmp(filters, "depth:7,super-step,seen") != 0) {
          EXPECT_TRUE(ends(found.executions).contains(end)) << filters;
        }
      for (const Execution& e : found.executions) EXPECT_LE(e.schedule.size(), 7u);
      if (short_ones.size() < all.size() && std::strcmp(filters, "depth:7") == 0) {
        EXPECT_NE(found.guarantee.find("within the first 7 steps; undecided beyond"),
                  std::string::npos);
      }
    }
  });
}

TEST(IcbWithStates, FindsWhatIsWithinEachBound) {
  size_t with = 0, without = 0;
  for_random_programs([&](ToyExecutor& executor, const std::vector<Execution>& all) {
    for (const char* filters : {"seen", "seen:20", "seen,depth:100"}) {
      for (int32_t bound = -1; bound <= 3; ++bound) {
        RunOptions options = options_for("icb", filters);
        options.bound = bound;
        const Exploration found = explore(executor, options);
        EXPECT_TRUE(found.complete);
        const uint32_t most = bound < 0 ? ~0u : static_cast<uint32_t>(bound);
        EXPECT_EQ(ends(found.executions), ends(all, most)) << filters << bound;
        for (size_t i = 1; i < found.executions.size(); ++i)
          EXPECT_LE(found.executions[i - 1].preemptions, found.executions[i].preemptions + 1);
        if (bound < 0 && std::strcmp(filters, "seen") == 0) {
          with += found.executions.size();
          without += all.size();
        }
      }
    }
  });
  printf("icb: %zu executions with states, %zu without\n", with, without);
}

// A thread that waits for a flag in a loop: without the filter the search would not end.
TEST(LocalCycles, EndBusyWaiting) {
  // skip_unless(reg, value, skip) skips unless reg == value: back to the load unless the flag is 1.
  const Script plain = {load(0, 0), skip_unless(0, 1, -2), load(1, 1), assert_equal(1, 7)};
  const Script polite = {load(0, 0), skip_unless(0, 1, -3), load(1, 1), assert_equal(1, 7)};
  Script with_yield = polite;
  with_yield.insert(with_yield.begin(), yield());
  for (const Script& waiter : {plain, with_yield}) {
    for (const int32_t data : {7, 6}) {
      ToyExecutor executor({{waiter, {store(1, data), store(0, 1)}, waiter}, 3});
      for (const char* filters : {"local-cycles", "seen,local-cycles"}) {
        for (const PickOrder order : {PickOrder::Depth, PickOrder::Breadth, PickOrder::Random}) {
          if (order != PickOrder::Depth && std::strcmp(filters, "local-cycles") == 0) continue;
          const Exploration found = explore(executor, options_for("dfs", filters, order));
          EXPECT_TRUE(found.complete);
          EXPECT_EQ(found.findings.size(), data == 7 ? 0u : 2u);  // one for each waiter
          if (data == 7) {
            EXPECT_EQ(ends(found.executions).size(), 1u);
          }
        }
      }
    }
  }
}

TEST(Combinations, ThatAreNotSoundAreRefused) {
  const auto why = [](const char* strategy, const char* filters,
                      PickOrder order = PickOrder::Depth) {
    const RunOptions options = options_for(strategy, filters, order);
    EXPECT_EQ(make_strategy(options) == nullptr, !refusal(options).empty());
    return refusal(options);
  };
  EXPECT_EQ(why("dfs", "seen,depth:3,local-cycles"), "");
  EXPECT_EQ(why("icb", "seen:9,depth:3"), "");
  EXPECT_NE(why("icb", "super-step").find("more preemptions"), std::string::npos);
  EXPECT_NE(why("icb", "local-cycles").find("preemptions"), std::string::npos);
  EXPECT_NE(why("dfs", "local-cycles,super-step").find("cannot be combined"), std::string::npos);
  EXPECT_NE(why("pct", "seen").find("cannot be combined with --strategy=pct"), std::string::npos);
  EXPECT_NE(why("icb", "", PickOrder::Random).find("for --strategy=dfs only"), std::string::npos);
  EXPECT_NE(why("dfs", "sin").find("no filter 'sin'"), std::string::npos);
}

// Two actions that enable a third only together (see filters/super_step.cc): thread 2 waits, 0
// signals, 1 holds the mutex meanwhile; what 2 then reads depends on how far 0 has come.
TEST(SuperSteps, SeeWhatTwoActionsEnableTogether) {
  const Program program{{{signal(0), store(0, 1)},
                         {lock(0), yield(), unlock(0), store(1, 1)},
                         {lock(0), wait(0, 0), load(0, 0), load(1, 1), unlock(0)}},
                        3};
  ToyExecutor executor(program);
  const Enumeration all = enumerate(executor, 1'000'000, [&] { return end_of(executor); });
  ASSERT_TRUE(all.complete);
  for (const char* filters : {"super-step", "super-step,seen"}) {
    const Exploration found = explore(executor, options_for("dfs", filters));
    EXPECT_EQ(ends(found.executions), ends(all.executions));
    EXPECT_LT(found.executions.size(), all.executions.size() / 10);
  }
}

}  // namespace
}  // namespace heddle::toy
