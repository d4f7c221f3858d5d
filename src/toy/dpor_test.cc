// Partial-order reductions on random programs: they find what naive enumeration finds, and the
// optimal one runs each class exactly once.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "strategies/registry.h"
#include "toy/classes.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(2000);
const size_t kCrowds = sample_size(1000);
const size_t kSmall = sample_size(100);  // programs of each kind that are enumerated
const size_t kLarge = sample_size(500);  // and those held against sleep sets
const size_t kSwaps = sample_size(1200);
const size_t kEndings = sample_size(1000);
constexpr size_t kMostExecutions = 3000;

struct Seen {
  std::map<std::string, size_t> classes;           // how often each was run to its end
  std::set<std::string> failures;                  // classes of failed executions
  std::set<std::pair<Outcome, std::string>> ends;  // final states, deadlocks, failures
  size_t executions = 0;
  size_t blocked = 0;
  bool complete = false;

  void add(const Classes& found) {
    for (const Classes::Failed& failed : found.failures) {
      failures.insert(failed.past);
      ends.insert({Outcome::Failed, name_of(failed.failure)});
    }
    if (!found.failed) ++classes[found.whole];
    ++executions;
  }
  static std::string name_of(const Failure& failure) {
    return std::string(name(failure.kind)) + " " + std::to_string(index(failure.thread)) + " " +
           std::to_string(value(failure.pc));
  }
};

class LastEnding final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override { last = summary; }
  ExecutionSummary last;
};

Outcome outcome_of(const ToyExecutor& executor) {
  return executor.status() == Status::Running ? Outcome::Deadlock : Outcome::Finished;
}

Seen explore(const Program& program, const char* strategy, uint64_t limit = 0) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  Explorer explorer(make_strategy(options), {.max_executions = limit, .keep_going = true});
  ToyExecutor executor(program), again(program);
  LastEnding observer;
  Seen seen;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    if (observer.last.is_probe || observer.last.ending == Ending::Abandoned) continue;
    const Classes classes = classes_of(again, explorer.schedule());
    if (!classes.failed) seen.ends.insert({outcome_of(executor), executor.state_text()});
    seen.add(classes);
  }
  seen.blocked = explorer.blocked();
  seen.complete = explorer.complete();
  return seen;
}

Seen enumerate_all(const Program& program, size_t limit = kMostExecutions) {
  ToyExecutor executor(program), again(program);
  std::vector<std::pair<Outcome, std::string>> ends;
  const Enumeration all = enumerate(executor, limit, [&] {
    if (executor.status() != Status::Failed && executor.status() != Status::Dismissed)
      ends.push_back({outcome_of(executor), executor.state_text()});
    return uint64_t{0};
  });
  Seen seen;
  seen.complete = all.complete;
  if (!all.complete) return seen;
  for (const Execution& execution : all.executions) seen.add(classes_of(again, execution.schedule));
  seen.ends.insert(ends.begin(), ends.end());
  return seen;
}

std::string difference(const Seen& all, const Seen& some) {
  for (const auto& [text, times] : all.classes)
    if (!some.classes.contains(text)) return "missing:\n" + text;
  for (const auto& [text, times] : some.classes)
    if (!all.classes.contains(text))
      return "invented:\n" + text;
    else if (times > 1)
      return "repeated:\n" + text;
  for (const std::string& text : all.failures)
    if (!some.failures.contains(text)) return "missing failure:\n" + text;
  for (const std::string& text : some.failures)
    if (!all.failures.contains(text)) return "invented failure:\n" + text;
  return "none";
}

// Random programs small enough to be enumerated, but with more than one execution.
struct Sample {
  uint64_t seed;
  Program program;
  Seen all;
};

std::vector<Sample> take_samples(Program (*make)(uint64_t), size_t count,
                                 size_t limit = kMostExecutions) {
  std::vector<Sample> result;
  for (uint64_t seed = 1; result.size() < count; ++seed) {
    Program program = make(seed);
    Seen all = enumerate_all(program, limit);
    if (all.complete && all.executions > 1) result.push_back({seed, program, std::move(all)});
  }
  return result;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kept = take_samples(random_program, kPrograms);
  return kept;
}

class Reduction : public testing::TestWithParam<const char*> {};

TEST_P(Reduction, FindsWhatEnumerationFinds) {
  const bool optimal = std::strcmp(GetParam(), "optimal-dpor") == 0;
  size_t executions = 0, classes = 0, run = 0, blocked = 0;
  std::map<Outcome, size_t> outcomes;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE("seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program));
    const Seen reduced = explore(sample.program, GetParam());
    run += reduced.executions;
    blocked += reduced.blocked;
    executions += sample.all.executions;
    classes += sample.all.classes.size() + sample.all.failures.size();
    for (const auto& end : sample.all.ends) ++outcomes[end.first];
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.ends, sample.all.ends) << difference(sample.all, reduced);
    ASSERT_EQ(difference(sample.all, reduced), "none");
    if (optimal) {
      ASSERT_EQ(reduced.blocked, 0u);
    }
  }
  std::printf(
      "%s: %zu programs (seeds 1 to %llu), %zu executions in %zu classes; %zu run, %zu "
      "blocked\n",
      GetParam(), samples().size(), static_cast<unsigned long long>(samples().back().seed),
      executions, classes, run, blocked);
  for (Outcome outcome : {Outcome::Finished, Outcome::Failed, Outcome::Deadlock})
    EXPECT_GT(outcomes[outcome], kPrograms / 20);
}

// Programs of one kind: the smallest are enumerated, others held against sleep sets alone.
void add_larger(std::vector<Sample>& samples, Program (*make)(uint64_t), size_t count) {
  for (uint64_t seed = 100'000; count > 0; ++seed) {
    Program program = make(seed);
    Seen all = explore(program, "sleep-sets", 2000);
    if (!all.complete || all.executions <= 2) continue;
    samples.push_back({seed, program, std::move(all)});
    --count;
  }
}

std::vector<Sample> samples_of_kind(Program (*make)(uint64_t)) {
  std::vector<Sample> result = take_samples(make, kSmall, 400);
  add_larger(result, make, kLarge);
  return result;
}

// Returns which part of the executions was abandoned.
double expect_the_same(const std::vector<Sample>& samples, const char* strategy,
                       bool none_abandoned = false) {
  size_t run = 0, blocked = 0, all = 0;
  for (const Sample& sample : samples) {
    SCOPED_TRACE("seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program));
    const Seen reduced = explore(sample.program, strategy);
    run += reduced.executions;
    blocked += reduced.blocked;
    all += sample.all.executions;
    EXPECT_TRUE(reduced.complete);
    EXPECT_EQ(reduced.ends, sample.all.ends) << difference(sample.all, reduced);
    EXPECT_EQ(difference(sample.all, reduced), "none");
    if (none_abandoned) {
      EXPECT_EQ(reduced.blocked, 0u);
    }
    if (testing::Test::HasFailure()) break;
  }
  std::printf("%s: %zu programs, %zu executions; %zu run, %zu blocked\n", strategy, samples.size(),
              all, run, blocked);
  return static_cast<double>(blocked) / static_cast<double>(run);
}

bool is_optimal(const char* strategy) {
  return std::strcmp(strategy, "optimal-dpor") == 0;
}

// What a section will touch is not always known in time: few executions are begun in vain.
TEST_P(Reduction, FindsAllWithAtomicSections) {
  static const std::vector<Sample> sections = samples_of_kind(random_sections);
  const double abandoned = expect_the_same(sections, GetParam());
  if (is_optimal(GetParam())) {
    EXPECT_LE(abandoned, 0.05);
  }
}

// Semaphores, reader-writer locks, barriers, what is done once, deadlines: a thread that has to
// wait is not enabled, and each class is run once.
TEST_P(Reduction, FindsAllWithSharedThings) {
  static const std::vector<Sample> sharing = samples_of_kind(random_sharing);
  expect_the_same(sharing, GetParam(), is_optimal(GetParam()));
}

// Compare-and-swaps that fail only look; what one would do without an earlier step must be known.
TEST_P(Reduction, FindsAllWithSwaps) {
  static const std::vector<Sample> swaps = [] {
    std::vector<Sample> result;  // even the smallest have many executions
    add_larger(result, random_swaps, kSwaps);
    return result;
  }();
  expect_the_same(swaps, GetParam(), is_optimal(GetParam()));
}

const std::vector<Sample>& endings() {
  static const std::vector<Sample> kept = [] {
    std::vector<Sample> result;
    for (uint64_t seed = 1; result.size() < kEndings; ++seed) {
      Program program = random_endings(seed);
      Seen all = enumerate_all(program);
      if (all.complete) result.push_back({seed, program, std::move(all)});
    }
    return result;
  }();
  return kept;
}

// Exits with other threads about, threads that nobody joins, assumptions, compare-and-swaps.
TEST_P(Reduction, FindsEveryEnding) {
  const bool optimal = std::strcmp(GetParam(), "optimal-dpor") == 0;
  size_t classes = 0, run = 0;
  for (const Sample& sample : endings()) {
    SCOPED_TRACE("seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program));
    const Seen reduced = explore(sample.program, GetParam());
    classes += sample.all.classes.size() + sample.all.failures.size();
    run += reduced.executions;
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.ends, sample.all.ends) << difference(sample.all, reduced);
    ASSERT_EQ(difference(sample.all, reduced), "none");
    if (optimal) {
      ASSERT_EQ(reduced.blocked, 0u);
    }
  }
  std::printf("%s: %zu programs, %zu classes, %zu run\n", GetParam(), endings().size(), classes,
              run);
  EXPECT_GT(classes, kEndings);
}

// Larger programs, held against sleep sets alone, which the test above holds against enumeration.
const std::vector<Sample>& crowds() {
  static const std::vector<Sample> kept = [] {
    std::vector<Sample> result;
    for (uint64_t seed = 1; result.size() < kCrowds; ++seed) {
      Program program = seed % 2 == 0 ? random_crowd(seed) : random_accesses(seed);
      Seen all = explore(program, "sleep-sets", 4000);
      if (all.complete && all.executions > 20) result.push_back({seed, program, std::move(all)});
    }
    return result;
  }();
  return kept;
}

TEST_P(Reduction, FindsInACrowdWhatSleepSetsFind) {
  if (std::strcmp(GetParam(), "sleep-sets") == 0) GTEST_SKIP() << "it would find what it finds";
  const bool optimal = std::strcmp(GetParam(), "optimal-dpor") == 0;
  for (const Sample& sample : crowds()) {
    SCOPED_TRACE("seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program));
    const Seen reduced = explore(sample.program, GetParam());
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(difference(sample.all, reduced), "none");
    ASSERT_EQ(reduced.ends, sample.all.ends);
    if (optimal) {
      ASSERT_EQ(reduced.blocked, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Reduction,
                         testing::Values("sleep-sets", "dpor", "source-dpor", "optimal-dpor"),
                         [](const auto& info) {
                           std::string text = info.param;
                           for (char& c : text) c = c == '-' ? '_' : c;
                           return text;
                         });

}  // namespace
}  // namespace heddle::toy
