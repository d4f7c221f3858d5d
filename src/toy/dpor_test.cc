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
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

constexpr size_t kPrograms = 2000;
constexpr size_t kMostExecutions = 3000;

struct Seen {
  std::map<std::string, size_t> classes;           // how often each was run to its end
  std::set<std::pair<Outcome, std::string>> ends;  // final states, deadlocks, failures
  size_t executions = 0;
  size_t blocked = 0;
  bool complete = false;
};

std::string end_of(const ToyExecutor& executor) {
  if (executor.status() != Status::Failed) return executor.state_text();
  const Failure& failure = executor.failure();
  return std::string(name(failure.kind)) + " " + std::to_string(index(failure.thread)) + " " +
         std::to_string(value(failure.pc));
}

class LastEnding final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override { ending = summary.ending; }
  Ending ending = Ending::Finished;
};

Outcome outcome_of(const ToyExecutor& executor) {
  if (executor.status() == Status::Running) return Outcome::Deadlock;
  return executor.status() == Status::Failed ? Outcome::Failed : Outcome::Finished;
}

Seen explore(const Program& program, const char* strategy) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  Explorer explorer(make_strategy(options), {.keep_going = true});
  ToyExecutor executor(program), again(program);
  LastEnding observer;
  Seen seen;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    if (observer.ending == Ending::Abandoned) continue;
    seen.ends.insert({outcome_of(executor), end_of(executor)});
    ++seen.classes[class_of(again, explorer.schedule())];
    ++seen.executions;
  }
  seen.blocked = explorer.blocked();
  seen.complete = explorer.complete();
  return seen;
}

Seen enumerate_all(const Program& program) {
  ToyExecutor executor(program), again(program);
  std::vector<std::pair<Outcome, std::string>> ends;
  const Enumeration all = enumerate(executor, kMostExecutions, [&] {
    ends.push_back({outcome_of(executor), end_of(executor)});
    return uint64_t{0};
  });
  Seen seen;
  seen.complete = all.complete;
  if (!all.complete) return seen;
  for (const Execution& execution : all.executions)
    ++seen.classes[class_of(again, execution.schedule)];
  seen.ends.insert(ends.begin(), ends.end());
  seen.executions = all.executions.size();
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
  return "none";
}

// Random programs small enough to be enumerated, but with more than one execution.
struct Sample {
  uint64_t seed;
  Program program;
  Seen all;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kept = [] {
    std::vector<Sample> result;
    for (uint64_t seed = 1; result.size() < kPrograms; ++seed) {
      Program program = random_program(seed);
      Seen all = enumerate_all(program);
      if (all.complete && all.executions > 1) result.push_back({seed, program, std::move(all)});
    }
    return result;
  }();
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
    classes += sample.all.classes.size();
    for (const auto& end : sample.all.ends) ++outcomes[end.first];
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.ends, sample.all.ends) << difference(sample.all, reduced);
    ASSERT_EQ(difference(sample.all, reduced), "none");
    ASSERT_EQ(reduced.executions, sample.all.classes.size());
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
    EXPECT_GT(outcomes[outcome], 100u);
}

INSTANTIATE_TEST_SUITE_P(Random, Reduction, testing::Values("dpor", "source-dpor", "optimal-dpor"),
                         [](const auto& info) {
                           std::string text = info.param;
                           for (char& c : text) c = c == '-' ? '_' : c;
                           return text;
                         });

}  // namespace
}  // namespace heddle::toy
