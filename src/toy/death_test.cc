// Programs that do not play by the rules: they take the process with them, or change their mind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "strategies/registry.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

struct Death {};  // thrown in place of the end of the process

// Dies under random steps, differently each time.
class Mortal final : public Executor {
 public:
  Mortal(Executor& inner, uint64_t seed) : inner_(inner), random_(seed) {}
  Status reset() override { return inner_.reset(); }
  const Configuration& configuration() const override { return inner_.configuration(); }
  Status status() const override { return inner_.status(); }
  const Failure& failure() const override { return inner_.failure(); }
  Status step(Transition t) override {
    if (random_.below(60) == 0) throw Death();
    return inner_.step(t);
  }

 private:
  Executor& inner_;
  Random random_;
};

bool is_prefix(const Schedule& prefix, const Schedule& of) {
  return prefix.size() <= of.size() && std::equal(prefix.begin(), prefix.end(), of.begin());
}

struct Survey {
  std::vector<Execution> survived;
  std::vector<Schedule> died;
};

Survey explore_mortal(Executor& mortal, const char* strategy) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  Explorer explorer(make_strategy(options), {.keep_going = true});
  ExploreObserver observer;
  Survey survey;
  while (explorer.begin_execution(observer)) {
    try {
      explorer.explore_one(mortal, observer);
      survey.survived.push_back({explorer.schedule()});
    } catch (const Death&) {
      explorer.execution_died({FindingKind::Death, "died"});
      survey.died.push_back(explorer.schedule());
    }
    explorer.finish_execution(observer);
  }
  EXPECT_EQ(explorer.end_reason(), EndReason::Exhausted);
  uint64_t deaths = 0;
  for (const Finding& finding : explorer.findings())
    if (finding.failure.kind == FindingKind::Death) deaths += finding.occurrences;
  EXPECT_EQ(deaths, survey.died.size());
  return survey;
}

// What an execution that died was about to do is lost; all the rest is visited once.
TEST(Death, CostsOnlyWhatLiesBelowIt) {
  size_t deaths = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    ToyExecutor toy(random_program(seed));
    const Enumeration all = enumerate(toy, 1000);
    if (!all.complete) continue;
    for (const char* strategy : {"dfs", "icb"}) {
      SCOPED_TRACE(strategy + (" " + std::to_string(seed)) + "\n" + to_string(toy.program()));
      Mortal mortal(toy, seed);
      const Survey survey = explore_mortal(mortal, strategy);
      deaths += survey.died.size();
      std::vector<Execution> expected;
      for (const Execution& e : all.executions)
        if (std::none_of(survey.died.begin(), survey.died.end(),
                         [&](const Schedule& died) { return is_prefix(died, e.schedule); }))
          expected.push_back(e);
      ASSERT_EQ(sorted_schedules(survey.survived), sorted_schedules(expected));
    }
  }
  EXPECT_GT(deaths, 500u);
}

// Every third execution, the first thread's script is another one.
class Moody final : public Executor {
 public:
  Moody(Program usual, Program other) : usual_(std::move(usual)), other_(std::move(other)) {}
  Status reset() override {
    current_ = ++resets_ % 3 == 0 ? &other_ : &usual_;
    return current_->reset();
  }
  const Configuration& configuration() const override { return current_->configuration(); }
  Status status() const override { return current_->status(); }
  const Failure& failure() const override { return current_->failure(); }
  Status step(Transition t) override { return current_->step(t); }

 private:
  ToyExecutor usual_, other_;
  ToyExecutor* current_ = &usual_;
  uint64_t resets_ = 0;
};

TEST(Nondeterminism, IsReportedAndNotCalledComplete) {
  const Script body = {store(0, 1), store(1, 1)};
  for (const char* strategy : {"dfs", "icb"}) {
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    Moody moody({{body, body}, 2}, {{{store(0, 1)}, body}, 2});
    const Exploration result = explore_all(moody, make_strategy(options));
    EXPECT_EQ(result.end_reason, EndReason::Exhausted);
    EXPECT_FALSE(result.complete);
    EXPECT_NE(result.guarantee.find("except where the program did not repeat itself"),
              std::string::npos);
    ASSERT_FALSE(result.findings.empty());
    for (const Finding& finding : result.findings)
      EXPECT_EQ(finding.failure.kind, FindingKind::Nondeterminism);
  }
}

TEST(Nondeterminism, AFailureInsideThePrefixKeepsTheStepsTaken) {
  const Script body = {store(0, 1), store(1, 1)};
  Moody moody({{body, body}, 2}, {{{store(0, 1), load(0, 0), assert_equal(0, 7)}, body}, 2});
  RunOptions options;
  std::strcpy(options.strategy, "dfs");
  const Exploration result = explore_all(moody, make_strategy(options));
  const auto found =
      std::find_if(result.findings.begin(), result.findings.end(),
                   [](const Finding& f) { return f.failure.kind == FindingKind::Assertion; });
  ASSERT_NE(found, result.findings.end());
  EXPECT_FALSE(result.complete);
  // The third instruction of thread 0, its start included, was the last step.
  EXPECT_EQ(std::count(found->schedule.begin(), found->schedule.end(), Transition{}), 3);
}

}  // namespace
}  // namespace heddle::toy
