// Every engine against all states of small random systems, one by one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "symbolic/all_states.h"
#include "symbolic/diagrams.h"
#include "symbolic/engine.h"
#include "symbolic/portfolio.h"
#include "symbolic/random_systems.h"

namespace heddle::symbolic {
namespace {

// As toy/sample_size.h has it: some after each change, more in .ci/run, many at night.
uint64_t systems() {
  const char* tests = std::getenv("HEDDLE_TESTS");
  const std::string which = tests == nullptr ? "" : tests;
  return which == "night" ? 5000 : which == "all" ? 200 : 100;
}

// Engines that answer with a run of the least depth.
bool finds_shortest(EngineKind kind) {
  return kind == EngineKind::Bmc || kind == EngineKind::Induction || kind == EngineKind::Bdd;
}

void expect_right(const circuit::System& system, const AllStates& truth, const Answer& answer,
                  const Engine& engine) {
  if (answer.verdict == Verdict::Reached) {
    ASSERT_TRUE(truth.depth.has_value());
    EXPECT_TRUE(circuit::shows(system, answer.run, 0));
    EXPECT_EQ(answer.run.steps.size(), answer.depth + 1);
    EXPECT_GE(answer.depth, *truth.depth);
    if (finds_shortest(engine.kind)) {
      EXPECT_EQ(answer.depth, *truth.depth);
    }
  } else {
    EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
    EXPECT_FALSE(truth.depth.has_value());
  }
}

class Engines : public testing::TestWithParam<EngineKind> {};

TEST_P(Engines, AgreeWithAllStates) {
  const Engine& engine = symbolic::engine(GetParam());
  uint64_t reached = 0, proved = 0, given_up = 0;
  for (uint64_t seed = 0; seed < systems(); ++seed) {
    const circuit::System system = random_system(seed);
    const AllStates truth = all_states(system, 0);
    const bool reachable = truth.depth.has_value();
    const bool bounded_only = engine.kind == EngineKind::Bmc || engine.kind == EngineKind::BmcOnce;
    Limits limits;
    limits.cpu_seconds = 5;  // interpolation may go on for very long
    // All that there is to see lies within the levels.
    if (bounded_only) limits.depth = reachable ? *truth.depth : truth.levels;
    const Answer answer = engine.check(system, 0, limits);
    SCOPED_TRACE(testing::Message() << engine.name << ", seed " << seed);
    if (engine.kind == EngineKind::Interpolation && answer.verdict != Verdict::Reached &&
        answer.verdict != Verdict::Proved) {
      ++given_up;
      continue;
    }
    if (bounded_only && !reachable && answer.verdict == Verdict::Bounded)
      EXPECT_EQ(answer.depth, limits.depth);
    else
      expect_right(system, truth, answer, engine);
    if (reachable && bounded_only && *truth.depth > 0) {
      limits.depth = *truth.depth - 1;
      const Answer before = engine.check(system, 0, limits);
      EXPECT_EQ(before.verdict, Verdict::Bounded);
      EXPECT_EQ(before.depth, limits.depth);
    }
    (reachable ? reached : proved) += 1;
  }
  EXPECT_GT(reached, systems() / 5);  // both kinds are there
  EXPECT_GT(proved, systems() / 5);
  EXPECT_LE(given_up, systems() / 20);
}

// With one part for each latch variables are quantified early.
TEST(Diagrams, AgreeWithAllStatesInSmallParts) {
  const Engine& row = engine(EngineKind::Bdd);
  for (uint64_t seed = 0; seed < systems(); ++seed) {
    SCOPED_TRACE(seed);
    const circuit::System system = random_system(seed);
    expect_right(system, all_states(system, 0), check_diagrams(system, 0, {}, {1}), row);
  }
}

std::string name_of(const testing::TestParamInfo<EngineKind>& info) {
  std::string name = engine(info.param).name;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Engines,
                         testing::Values(EngineKind::Bmc, EngineKind::BmcOnce,
                                         EngineKind::Induction, EngineKind::Pdr,
                                         EngineKind::Interpolation, EngineKind::Bdd),
                         name_of);

}  // namespace
}  // namespace heddle::symbolic
