// The equivalence of reads from on random programs: the search runs each of its classes exactly
// once, and finds all failures and deadlocks.
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

constexpr size_t kMostExecutions = 1000;

struct Seen {
  std::map<std::string, size_t> classes;  // how often each was run to its end
  std::set<std::string> failures;         // with their pasts
  std::set<Outcome> outcomes;
  size_t executions = 0;
  bool complete = false;
  std::string guarantee;

  void add(const Schedule& schedule, ToyExecutor& executor) {
    const Classes found = classes_of(executor, schedule, Equivalence::ReadsFrom);
    for (const Classes::Failed& failed : found.failures)
      failures.insert(std::string(name(failed.failure.kind)) + " " +
                      std::to_string(index(failed.failure.thread)) + "\n" + failed.past);
    if (!found.failed) ++classes[found.whole];
    const bool deadlock = executor.status() == Status::Running;
    outcomes.insert(found.failed ? Outcome::Failed
                    : deadlock   ? Outcome::Deadlock
                                 : Outcome::Finished);
  }
};

Seen enumerate_all(const Program& program) {
  ToyExecutor executor(program), again(program);
  const Enumeration all = enumerate(executor, kMostExecutions);
  Seen seen;
  seen.complete = all.complete;
  if (!all.complete) return seen;
  seen.executions = all.executions.size();
  for (const Execution& execution : all.executions) seen.add(execution.schedule, again);
  return seen;
}

Seen explore(const Program& program, Equivalence equivalence, size_t limit = 0) {
  RunOptions options;
  std::strcpy(options.strategy, "optimal-dpor");
  options.equivalence = equivalence;
  ToyExecutor executor(program), again(program);
  const Exploration all = explore_all(executor, make_strategy(options), limit);
  Seen seen;
  seen.complete = all.complete;
  seen.guarantee = all.guarantee;
  seen.executions = all.executions.size();
  if (limit > 0 && !seen.complete) return seen;
  for (const Execution& execution : all.executions)
    if (execution.outcome != Outcome::Abandoned) seen.add(execution.schedule, again);
  return seen;
}

std::string difference(const Seen& all, const Seen& some) {
  for (const auto& [text, times] : all.classes)
    if (!some.classes.contains(text)) return "missing:\n" + text;
  for (const auto& [text, times] : some.classes) {
    if (!all.classes.contains(text)) return "invented:\n" + text;
    if (times > 1) return "repeated:\n" + text;
  }
  for (const std::string& text : all.failures)
    if (!some.failures.contains(text)) return "missing failure:\n" + text;
  for (const std::string& text : some.failures)
    if (!all.failures.contains(text)) return "invented failure:\n" + text;
  return "none";
}

bool knows(const Program& program) {
  for (const Script& script : program.threads)
    for (const Instruction& instruction : script)
      if (instruction.code == Code::Wait || instruction.code == Code::Signal ||
          instruction.code == Code::Broadcast || instruction.code == Code::Exit)
        return false;
  return true;
}

template <typename Oracle>
void hold_against(Oracle&& oracle, Program (*generate)(uint64_t), size_t wanted,
                  size_t least_classes, const std::set<Outcome>& expected_outcomes) {
  size_t programs = 0, by_oracle = 0, executions = 0, classes = 0;
  std::set<Outcome> outcomes;
  uint64_t seed = 0;
  while (programs < wanted) {
    const Program program = generate(++seed);
    const Seen all = oracle(program);
    if (!all.complete || all.classes.size() + all.failures.size() < least_classes) continue;
    ++programs;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(program));
    const Seen reduced = explore(program, Equivalence::ReadsFrom);
    ASSERT_EQ(difference(all, reduced), "none");
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.outcomes, all.outcomes);
    by_oracle += all.executions;
    executions += reduced.executions;
    classes += all.classes.size();
    outcomes.insert(all.outcomes.begin(), all.outcomes.end());
  }
  std::printf(
      "%zu programs (seeds 1 to %llu): %zu executions instead of %zu; %zu classes do not fail\n",
      programs, static_cast<unsigned long long>(seed), executions, by_oracle, classes);
  for (Outcome outcome : expected_outcomes) EXPECT_TRUE(outcomes.contains(outcome));
}

Seen by_optimal_dpor(const Program& program) {
  return explore(program, Equivalence::Mazurkiewicz, 1000);
}

const std::set<Outcome> kAll{Outcome::Finished, Outcome::Failed, Outcome::Deadlock};

TEST(ReadsFrom, RunsEachClassOnceThatEnumerationFinds) {
  hold_against(enumerate_all, random_accesses, sample_size(300), 2, {Outcome::Finished});
}

// Larger programs: optimal-dpor, which others hold against enumeration, distinguishes more.
TEST(ReadsFrom, RunsEachClassOnceThatOptimalDporFinds) {
  hold_against(by_optimal_dpor, random_accesses, sample_size(2000), 10, kAll);
}

// Where a program does more than that, or waits in loops, it is explored without the equivalence,
// and that is said.
TEST(ReadsFrom, GivesWayWhereItDoesNotKnowAnOperation) {
  size_t programs = 0;
  for (uint64_t seed = 1; programs < sample_size(300); ++seed) {
    const bool waits = seed % 3 == 0;
    const Program program = waits ? random_waiters(seed) : random_program(seed);
    if (!waits && knows(program)) continue;
    const Seen all = waits ? by_optimal_dpor(program) : enumerate_all(program);
    if (!all.complete) continue;
    ++programs;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(program));
    const Seen reduced = explore(program, Equivalence::ReadsFrom);
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.outcomes, all.outcomes);
    ASSERT_EQ(reduced.failures, all.failures);
    for (const auto& [text, times] : all.classes) ASSERT_TRUE(reduced.classes.contains(text));
  }
}

// Four writers and five readers of one variable: each reader sees one of five values.
TEST(ReadsFrom, CountsWhatReadersCanSee) {
  Program program;
  for (int writer = 1; writer <= 4; ++writer) program.threads.push_back({store(0, writer)});
  for (int reader = 0; reader < 5; ++reader) program.threads.push_back({load(0, 0)});
  program.initially_live = 9;
  const Seen seen = explore(program, Equivalence::ReadsFrom);
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.guarantee, "all executions, up to which write each read sees");
  EXPECT_EQ(seen.executions, 3125u);
  EXPECT_EQ(seen.classes.size(), 3125u);
}

}  // namespace
}  // namespace heddle::toy
