// Random programs: every complete strategy agrees with naive enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "explore/minimise.h"
#include "strategies/registry.h"
#include "toy/enumerated_samples.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(600);
constexpr size_t kMostExecutions = 3000;

RunOptions options_for(const char* strategy, int32_t bound = -1, uint64_t seed = 1) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  options.bound = bound;
  options.seed = seed;
  return options;
}

const EnumeratedSamples& samples() {
  static const EnumeratedSamples kept = enumerated_samples(
      kPrograms, kMostExecutions, random_program, [](const ToyExecutor&) { return uint64_t{0}; });
  return kept;
}

template <typename Check>
void for_random_programs(Check check) {
  for_each_sample(samples(), check);
}

std::vector<Execution> within(const std::vector<Execution>& executions, uint32_t bound) {
  std::vector<Execution> result;
  std::copy_if(executions.begin(), executions.end(), std::back_inserter(result),
               [&](const Execution& e) { return e.preemptions <= bound; });
  return result;
}

std::map<std::string, std::pair<uint32_t, Outcome>> by_schedule(
    const std::vector<Execution>& executions) {
  std::map<std::string, std::pair<uint32_t, Outcome>> result;
  for (const Execution& e : executions) result[to_string(e.schedule)] = {e.preemptions, e.outcome};
  return result;
}

TEST(RandomPrograms, CoverWhatTheyAreMeantTo) {
  std::map<size_t, size_t> threads;
  size_t deadlocks = 0, failures = 0, choices = 0, executions = 0;
  for_random_programs([&](ToyExecutor& executor, const std::vector<Execution>& all) {
    ++threads[executor.program().threads.size()];
    const auto any = [&](auto predicate) { return std::any_of(all.begin(), all.end(), predicate); };
    deadlocks += any([](const Execution& e) { return e.outcome == Outcome::Deadlock; });
    failures += any([](const Execution& e) { return e.outcome == Outcome::Failed; });
    choices += any([](const Execution& e) {
      return std::any_of(e.schedule.begin(), e.schedule.end(),
                         [](Transition t) { return t.choice > 0; });
    });
    executions += all.size();
  });
  for (size_t n = 2; n <= 4; ++n) EXPECT_GT(threads[n], sample_size(20)) << n;
  EXPECT_GT(deadlocks, sample_size(50));
  EXPECT_GT(failures, sample_size(50));
  EXPECT_GT(choices, sample_size(50));
  EXPECT_GT(executions, sample_size(50'000));
}

TEST(RandomPrograms, DfsVisitsEveryExecutionOnce) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    const Exploration dfs = explore_all(executor, make_strategy(options_for("dfs")));
    EXPECT_TRUE(dfs.complete);
    EXPECT_EQ(dfs.guarantee, "all executions");
    EXPECT_EQ(sorted_schedules(dfs.executions), sorted_schedules(all));
    EXPECT_EQ(by_schedule(dfs.executions), by_schedule(all));
  });
}

TEST(RandomPrograms, DfsRepeatsTheLongestPrefixItCan) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>&) {
    Explorer explorer(make_strategy(options_for("dfs")), {.keep_going = true});
    ExploreObserver observer;
    Schedule previous;
    while (explorer.begin_execution(observer)) {
      const size_t decided = explorer.strategy().prefix().size();
      explorer.explore_one(executor, observer);
      explorer.finish_execution(observer);
      const Schedule& now = explorer.schedule();
      const auto parting = std::mismatch(previous.begin(), previous.end(), now.begin(), now.end());
      const size_t common = static_cast<size_t>(parting.second - now.begin());
      if (explorer.executions() > 1) {
        ASSERT_EQ(decided, common + 1);
      }
      previous = now;
    }
  });
}

TEST(RandomPrograms, IcbVisitsEveryExecutionOnceInOrderOfPreemptions) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    const Exploration icb = explore_all(executor, make_strategy(options_for("icb")));
    EXPECT_TRUE(icb.complete);
    EXPECT_EQ(icb.guarantee, "all executions, whatever the number of preemptions");
    EXPECT_TRUE(std::is_sorted(
        icb.executions.begin(), icb.executions.end(),
        [](const Execution& a, const Execution& b) { return a.preemptions < b.preemptions; }));
    EXPECT_EQ(sorted_schedules(icb.executions), sorted_schedules(all));
    EXPECT_EQ(by_schedule(icb.executions), by_schedule(all));
  });
}

TEST(RandomPrograms, IcbWithABoundVisitsExactlyWhatIsWithinIt) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    for (uint32_t bound = 0; bound <= 4; ++bound) {
      const std::vector<Execution> expected = within(all, bound);
      const Exploration icb =
          explore_all(executor, make_strategy(options_for("icb", static_cast<int32_t>(bound))));
      EXPECT_TRUE(icb.complete);
      EXPECT_EQ(sorted_schedules(icb.executions), sorted_schedules(expected)) << bound;
      EXPECT_EQ(icb.guarantee.find("undecided") == std::string::npos, expected.size() == all.size())
          << icb.guarantee;
    }
  });
}

// How often the schedule passes over a thread that would be next: the running one as long as it
// can, then the others in a circle.
uint32_t delays_of(ToyExecutor& executor, const Schedule& schedule) {
  uint32_t delays = 0;
  executor.reset();
  for (Transition transition : schedule) {
    const Configuration& now = executor.configuration();
    const uint32_t threads = static_cast<uint32_t>(executor.program().threads.size());
    const uint32_t last = now.last == kNoThread ? 0 : index(now.last);
    for (uint32_t i = now.last_gave_up ? 1 : 0;; ++i) {
      const ThreadId next{(last + i) % threads};
      if (next == transition.thread) break;
      const ThreadView* view = now.find(next);
      if (view != nullptr && view->enabled()) ++delays;
    }
    executor.step(transition);
  }
  return delays;
}

TEST(RandomPrograms, DelaysVisitsExactlyWhatIsWithinItsBoundInOrder) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    for (int32_t bound : {0, 1, 3, -1}) {
      const Exploration search = explore_all(executor, make_strategy(options_for("delays", bound)));
      EXPECT_TRUE(search.complete);
      std::vector<Execution> expected;
      for (const Execution& execution : all)
        if (bound < 0 || delays_of(executor, execution.schedule) <= static_cast<uint32_t>(bound))
          expected.push_back(execution);
      ASSERT_EQ(sorted_schedules(search.executions), sorted_schedules(expected)) << bound;
      const auto known = by_schedule(all);
      uint32_t before = 0;
      for (const Execution& execution : search.executions) {
        const uint32_t delays = delays_of(executor, execution.schedule);
        EXPECT_GE(delays, before);
        EXPECT_LE(execution.preemptions, delays);
        EXPECT_EQ(execution.preemptions, known.find(to_string(execution.schedule))->second.first);
        before = delays;
      }
      EXPECT_EQ(search.guarantee.find("undecided") == std::string::npos,
                expected.size() == all.size())
          << search.guarantee;
    }
  });
}

TEST(RandomPrograms, SwitchesVisitsExactlyWhatIsWithinItsBoundInOrder) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    for (int32_t bound : {0, 2, 4, -1}) {
      const Exploration search =
          explore_all(executor, make_strategy(options_for("switches", bound)));
      EXPECT_TRUE(search.complete);
      std::vector<Execution> expected, visited;
      for (const Execution& execution : all)
        if (bound < 0 || context_switches(execution.schedule) <= static_cast<size_t>(bound))
          expected.push_back(execution);
      for (const Execution& execution : search.executions)
        if (execution.outcome != Outcome::Abandoned) visited.push_back(execution);
      ASSERT_EQ(sorted_schedules(visited), sorted_schedules(expected)) << bound;
      ASSERT_EQ(by_schedule(visited), by_schedule(expected)) << bound;
      EXPECT_TRUE(std::is_sorted(
          visited.begin(), visited.end(), [](const Execution& a, const Execution& b) {
            return context_switches(a.schedule) < context_switches(b.schedule);
          }));
      EXPECT_EQ(search.guarantee.find("undecided") == std::string::npos,
                expected.size() == all.size())
          << search.guarantee;
    }
  });
}

// Each bug is reported by the first schedule that shows it, and none has fewer switches.
TEST(RandomPrograms, SwitchesFindsTheFewestForEachBug) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    size_t fewest[2] = {SIZE_MAX, SIZE_MAX};
    for (const Execution& execution : all)
      if (execution.outcome == Outcome::Deadlock || execution.outcome == Outcome::Failed) {
        size_t& least = fewest[execution.outcome == Outcome::Deadlock];
        least = std::min(least, context_switches(execution.schedule));
      }
    size_t found[2] = {SIZE_MAX, SIZE_MAX};
    for (const Finding& f :
         explore_all(executor, make_strategy(options_for("switches"))).findings) {
      size_t& least = found[f.failure.kind == FindingKind::Deadlock];
      least = std::min(least, context_switches(f.schedule));
    }
    EXPECT_EQ(fewest[0], found[0]);
    EXPECT_EQ(fewest[1], found[1]);
  });
}

TEST(RandomPrograms, SamplersStayInsideTheTreeAndRepeatForASeed) {
  for_random_programs([](ToyExecutor& executor, const std::vector<Execution>& all) {
    const auto known = by_schedule(all);
    for (const char* name : {"random", "pct"}) {
      const auto sample = [&](uint64_t seed) {
        return explore_all(executor, make_strategy(options_for(name, -1, seed)), 20);
      };
      const Exploration first = sample(7), again = sample(7);
      EXPECT_EQ(first.end_reason, EndReason::ExecutionLimit);
      EXPECT_FALSE(first.complete);
      ASSERT_EQ(first.executions.size(), 20u);
      for (size_t i = 0; i < 20; ++i) {
        const Execution& e = first.executions[i];
        EXPECT_EQ(e.schedule, again.executions[i].schedule);
        const auto found = known.find(to_string(e.schedule));
        ASSERT_NE(found, known.end());
        EXPECT_EQ(found->second, std::pair(e.preemptions, e.outcome));
      }
    }
  });
}

}  // namespace
}  // namespace heddle::toy
