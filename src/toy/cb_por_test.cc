// Context-bounded partial-order reduction against enumeration: of each class, the fewest
// preemptions of any of its executions.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "states/state_tracker.h"
#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/parallel_program.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(2000);
constexpr size_t kMostExecutions = 1500;

std::unique_ptr<Strategy> make(const char* name, int32_t bound) {
  RunOptions options;
  std::strcpy(options.strategy, name);
  options.bound = bound;
  std::unique_ptr<Strategy> strategy = make_strategy(options);
  EXPECT_NE(strategy, nullptr);
  return strategy;
}

// Compared in full, not by hashes.
CanonicalState class_of(ToyExecutor& executor, const Schedule& schedule) {
  executor.reset();
  StateTracker tracker;
  std::vector<ExtendedAction> elements;
  for (Transition t : schedule) {
    elements.push_back(tracker.extend(executor.configuration().find(t.thread)->next, t.choice));
    executor.step(t);
  }
  return canonical(elements);
}

using Classes = std::map<CanonicalState, uint32_t>;  // with the fewest preemptions

Classes classes_of(ToyExecutor& executor, const std::vector<Execution>& all) {
  Classes classes;
  for (const Execution& e : all) {
    const auto [it, fresh] = classes.emplace(class_of(executor, e.schedule), e.preemptions);
    if (!fresh) it->second = std::min(it->second, e.preemptions);
  }
  return classes;
}

std::set<CanonicalState> within(const Classes& classes, uint32_t bound) {
  std::set<CanonicalState> result;
  for (const auto& [state, preemptions] : classes)
    if (preemptions <= bound) result.insert(state);
  return result;
}

struct Visited {
  std::set<CanonicalState> classes;
  size_t ended = 0, abandoned = 0;
};

Visited visit(ToyExecutor& executor, const Exploration& exploration) {
  Visited visited;
  for (const Execution& e : exploration.executions) {
    if (e.outcome == Outcome::Abandoned) {
      ++visited.abandoned;
      continue;
    }
    ++visited.ended;
    visited.classes.insert(class_of(executor, e.schedule));
  }
  return visited;
}

TEST(CbPor, RunsEachClassWithinTheBoundOnce) {
  size_t programs = 0, classes_in_all = 0, executions = 0, abandoned_1 = 0, abandoned_2 = 0;
  for (uint64_t seed = 1; programs < kPrograms; ++seed) {
    ToyExecutor executor(seed % 2 == 0 ? random_program(seed) : random_parallel_program(seed));
    const Enumeration all = enumerate(executor, kMostExecutions);
    if (!all.complete || all.executions.size() == 1) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    ++programs;
    const Classes classes = classes_of(executor, all.executions);
    classes_in_all += classes.size();
    executions += all.executions.size();
    for (uint32_t bound = 0; bound <= 3; ++bound) {
      const std::set<CanonicalState> expected = within(classes, bound);
      for (const char* name : {"cb-por-1", "cb-por-2"}) {
        const Exploration found = explore_all(executor, make(name, static_cast<int32_t>(bound)));
        const Visited visited = visit(executor, found);
        EXPECT_TRUE(found.complete);
        EXPECT_EQ(visited.classes.size(), expected.size()) << name << " at bound " << bound;
        EXPECT_TRUE(visited.classes == expected) << name << " at bound " << bound;
        EXPECT_EQ(visited.ended, expected.size()) << name << " at bound " << bound;
        EXPECT_EQ(found.guarantee.find("undecided") == std::string::npos,
                  expected.size() == classes.size() &&
                      found.guarantee.find("whatever") != std::string::npos)
            << found.guarantee;
        (std::strcmp(name, "cb-por-1") == 0 ? abandoned_1 : abandoned_2) += visited.abandoned;
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(abandoned_2, 0u);
  printf("%zu programs, %zu executions, %zu classes; abandoned by cb-por-1: %zu\n", programs,
         executions, classes_in_all, abandoned_1);
}

// With every bound up to the largest.
void expect_each_class_once(ToyExecutor& executor, const Classes& classes, uint32_t largest_bound) {
  for (uint32_t bound = 0; bound <= largest_bound; ++bound) {
    const std::set<CanonicalState> expected = within(classes, bound);
    for (const char* name : {"cb-por-1", "cb-por-2"}) {
      const Visited visited =
          visit(executor, explore_all(executor, make(name, static_cast<int32_t>(bound))));
      EXPECT_TRUE(visited.classes == expected) << name << " at bound " << bound;
      EXPECT_EQ(visited.ended, expected.size()) << name << " at bound " << bound;
      if (std::strcmp(name, "cb-por-2") == 0) {
        EXPECT_EQ(visited.abandoned, 0u) << bound;
      }
    }
  }
}

TEST(CbPor, AgreesOnDensePrograms) {
  size_t programs = 0, classes_in_all = 0, most_classes = 0;
  for (uint64_t seed = 1; programs < sample_size(40); ++seed) {
    ToyExecutor executor(random_dense_program(seed));
    const Enumeration all = enumerate(executor, 20'000);
    if (!all.complete || all.executions.size() < 1000) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    ++programs;
    const Classes classes = classes_of(executor, all.executions);
    classes_in_all += classes.size();
    most_classes = std::max(most_classes, classes.size());
    expect_each_class_once(executor, classes, 5);
    if (HasFailure()) return;
  }
  printf("%zu dense programs, %zu classes, up to %zu\n", programs, classes_in_all, most_classes);
}

TEST(CbPor, WithoutABoundGoesOnUntilNothingIsLeft) {
  size_t programs = 0;
  for (uint64_t seed = 1; programs < sample_size(200); ++seed) {
    ToyExecutor executor(random_program(seed));
    const Enumeration all = enumerate(executor, kMostExecutions);
    if (!all.complete || all.executions.size() == 1) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ++programs;
    const Classes classes = classes_of(executor, all.executions);
    for (const char* name : {"cb-por-1", "cb-por-2"}) {
      const Exploration found = explore_all(executor, make(name, -1));
      EXPECT_TRUE(found.complete);
      EXPECT_EQ(found.guarantee, "all classes of executions, whatever the number of preemptions");
      EXPECT_TRUE(visit(executor, found).classes == within(classes, ~0u));
    }
    if (HasFailure()) return;
  }
}

// Whether a thread is enabled in a prefix that was not run through must be known for all that
// threads wait for; where it is not, executions are abandoned, which loses nothing.
TEST(CbPor, AgreesWhereThreadsShareWhatTheyWaitFor) {
  size_t programs = 0, classes_in_all = 0, abandoned = 0;
  for (uint64_t seed = 1; programs < sample_size(200); ++seed) {
    ToyExecutor executor(random_sharing(seed));
    const Enumeration all = enumerate(executor, kMostExecutions);
    if (!all.complete || all.executions.size() == 1) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    ++programs;
    const Classes classes = classes_of(executor, all.executions);
    classes_in_all += classes.size();
    for (uint32_t bound = 0; bound <= 3; ++bound) {
      for (const char* name : {"cb-por-1", "cb-por-2"}) {
        const Visited visited =
            visit(executor, explore_all(executor, make(name, static_cast<int32_t>(bound))));
        EXPECT_TRUE(visited.classes == within(classes, bound)) << name << " at bound " << bound;
        EXPECT_EQ(visited.ended, visited.classes.size()) << name << " at bound " << bound;
        if (std::strcmp(name, "cb-por-2") == 0) abandoned += visited.abandoned;
      }
    }
    if (HasFailure()) return;
  }
  printf("%zu programs, %zu classes; abandoned by cb-por-2: %zu\n", programs, classes_in_all,
         abandoned);
}

// Programs with more to them: fewer of them, but with many classes.
TEST(CbPor, AgreesOnLargerPrograms) {
  const Script increment = {load(0, 0), store_sum(0, 0, 1)};
  const Script left = {lock(0), lock(1), unlock(1), unlock(0)};
  const Script right = {lock(1), lock(0), unlock(0), unlock(1)};
  const Script waiter = {lock(0), wait(0, 0), load(0, 1), unlock(0)};
  const Script writers[] = {{store(0, 1), load(0, 1)}, {store(1, 1), load(0, 0)}, {add(0, 0, 2)}};
  const Program programs[] = {
      {{increment, increment, {add(0, 0, 1)}}, 3},
      {{left, right}, 2},
      {{{add(0, 0, 1), add(0, 1, 1), add(0, 0, 1)}, {add(0, 1, 1), add(0, 0, 1), yield()}}, 2},
      {{waiter, waiter, {store(1, 1), signal(0), store(1, 2)}}, 3},
      {{waiter, {lock(0), store(1, 1), broadcast(0), unlock(0)}, {choose(0, 2), store(1, 3)}}, 3},
      {{writers[0], writers[1], writers[2]}, 3},
  };
  for (const Program& program : programs) {
    ToyExecutor executor(program);
    SCOPED_TRACE(to_string(program));
    const Enumeration all = enumerate(executor, 300'000);
    ASSERT_TRUE(all.complete);
    const Classes classes = classes_of(executor, all.executions);
    expect_each_class_once(executor, classes, 4);
    printf("%zu executions, %zu classes, %zu of them without preemptions\n", all.executions.size(),
           classes.size(), within(classes, 0).size());
  }
}

// Figure 1 of MSR-TR-2007-12. Thread 0: x = 1; y = 1. Thread 1: y = 2.
Program figure_1() {
  return {{{store(0, 1), store(1, 1)}, {store(1, 2)}}, 2};
}

struct Sleeper {
  Transition transition;
  Action action;
};

// What not to do: depth first, never beyond the bound, with sleep sets. Collects final values of y.
void naive(ToyExecutor& executor, Schedule& schedule, uint32_t preemptions_left,
           std::vector<Sleeper> sleep, std::set<int32_t>& values) {
  executor.reset();
  executor.run(schedule);
  if (executor.status() != Status::Running) {
    values.insert(executor.variable(1));
    return;
  }
  const Configuration configuration = executor.configuration();
  for (const ThreadView& view : configuration.live) {
    if (!view.enabled()) continue;
    const bool preempts = configuration.switch_preempts() && view.id != configuration.last;
    const bool sleeps = std::any_of(sleep.begin(), sleep.end(), [&](const Sleeper& s) {
      return s.transition.thread == view.id;
    });
    if (sleeps || (preempts && preemptions_left == 0)) continue;
    std::vector<Sleeper> inherited;
    for (const Sleeper& s : sleep)
      if (!dependent(s.action, view.next)) inherited.push_back(s);
    schedule.push_back({view.id, 0});
    naive(executor, schedule, preemptions_left - preempts, inherited, values);
    schedule.pop_back();
    sleep.push_back({{view.id, 0}, view.next});
  }
}

TEST(CbPor, FindsWhatNaiveSleepSetsLose) {
  ToyExecutor executor(figure_1());
  std::set<int32_t> by_sleep_sets, all_values;
  Schedule schedule;
  naive(executor, schedule, 0, {}, by_sleep_sets);
  EXPECT_EQ(by_sleep_sets, (std::set<int32_t>{2}));
  for (const char* name : {"cb-por-1", "cb-por-2"}) {
    std::set<int32_t> values;
    for (const Execution& e : explore_all(executor, make(name, 0)).executions) {
      if (e.outcome == Outcome::Abandoned) continue;
      executor.reset();
      executor.run(e.schedule);
      values.insert(executor.variable(1));
    }
    EXPECT_EQ(values, (std::set<int32_t>{1, 2})) << name;
  }
}

// A state whose context bound is lower than that of a state before it (figure 2) is found.
TEST(CbPor, CountsPreemptionsOfTheClassNotOfTheExecution) {
  ToyExecutor executor({{{store(0, 1), store(1, 1), store(2, 1)}, {store(3, 1), load(0, 1)}}, 2});
  const Classes classes = classes_of(executor, enumerate(executor, 100'000).executions);
  for (uint32_t bound = 0; bound <= 2; ++bound) {
    const Visited visited =
        visit(executor, explore_all(executor, make("cb-por-2", static_cast<int32_t>(bound))));
    EXPECT_TRUE(visited.classes == within(classes, bound));
    EXPECT_EQ(visited.ended, visited.classes.size());
  }
}

}  // namespace
}  // namespace heddle::toy
