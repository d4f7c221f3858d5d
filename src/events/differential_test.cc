// Events and the explicit search agree on random graphs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>

#include "events/check.h"
#include "explicit/check.h"
#include "explicit/random_graphs.h"
#include "graph/generator.h"
#include "graph/text.h"
#include "interpreter/graph_space.h"

namespace heddle::events {
namespace {

using symbolic::Verdict;

uint64_t times(uint64_t number) {
  const char* tests = std::getenv("HEDDLE_TESTS");
  return tests != nullptr && std::string(tests) == "all" ? number * 20 : number;
}

constexpr FindingKinds bit(FindingKind kind) {
  return FindingKinds{1} << static_cast<uint32_t>(kind);
}

struct Expected {
  std::set<FindingKind> kinds;
  bool complete = false;
  bool vacuous = false;
};

Expected explicit_answer(const graph::Program& program) {
  GraphSpace space(program);
  explicit_states::CheckOptions options;
  options.keep_going = true;
  options.max_states = 300'000;
  const explicit_states::CheckResult result = explicit_states::check(space, options);
  Expected expected;
  for (const auto& finding : result.findings) expected.kinds.insert(finding.failure.kind);
  expected.complete = result.reason.empty() && result.coverage.beyond.empty();
  expected.vacuous = result.ended == 0;
  return expected;
}

struct Seen {
  std::map<Verdict, int> verdicts;
  int refused = 0, compared = 0;
};

// Kind after kind, until there is no other.
void compare(const graph::Program& program, Seen& seen) {
  const Expected expected = explicit_answer(program);
  if (!expected.complete) return;
  std::set<FindingKind> shown;
  Question question;
  question.races = false;
  question.most_rounds = 4;
  symbolic::Limits limits;
  limits.seconds = 20;
  for (;;) {
    const Answer answer = check(program, question, limits);
    ASSERT_EQ(answer.reason.find("defect"), std::string::npos) << answer.reason;
    if (answer.verdict == Verdict::Reached) {
      ASSERT_TRUE(expected.kinds.contains(answer.kind)) << name(answer.kind);
      ASSERT_TRUE(shown.insert(answer.kind).second) << name(answer.kind);
      question.ignored |= bit(answer.kind);
      continue;
    }
    ++seen.verdicts[answer.verdict];
    if (answer.verdict == Verdict::Proved) {
      ++seen.compared;
      // An execution that comes to a kind that is ignored ends there, in both.
      EXPECT_EQ(shown, expected.kinds);
    } else if (answer.verdict == Verdict::Unknown) {
      ++seen.refused;
      if (std::getenv("HEDDLE_EVENTS_VERBOSE")) std::cerr << answer.reason << "\n";
    }
    return;
  }
}

TEST(Events, AgreeWithTheExplicitSearchOnSmallGraphs) {
  Seen seen;
  for (uint64_t seed = 0; seed < times(300) && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    explicit_states::RandomGraphOptions options;
    options.most_actions = 1 + seed % 4;
    options.most_threads = seed % 2 == 0 ? 3 : 2;
    options.loops = seed % 3 == 0;
    options.sections = false;
    options.early_exit = seed % 5 == 0;
    const graph::Program program = explicit_states::random_graph(seed, options);
    compare(program, seen);
    if (HasFailure()) std::cerr << graph::to_text(program);
  }
  EXPECT_GT(seen.compared, static_cast<int>(times(300)) / 2);
  std::cerr << seen.compared << " proofs, " << seen.verdicts[Verdict::Bounded] << " bounded, "
            << seen.refused << " unknown\n";
}

TEST(Events, AgreeWithTheExplicitSearchOnGeneratedPrograms) {
  Seen seen;
  for (uint64_t seed = 0; seed < times(150) && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph::GeneratorOptions options;
    options.threads = 2;
    options.actions = 3 + seed % 3;
    options.pointers = seed % 2 == 0;
    options.errors = seed % 3 != 0;
    const graph::Program program = graph::random_program(seed, options);
    compare(program, seen);
    if (HasFailure()) std::cerr << graph::to_text(program);
  }
  EXPECT_GT(seen.compared, static_cast<int>(times(150)) / 6);
  std::cerr << seen.compared << " proofs, " << seen.verdicts[Verdict::Bounded] << " bounded, "
            << seen.refused << " unknown\n";
}

}  // namespace
}  // namespace heddle::events
