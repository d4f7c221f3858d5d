// Rounds of loops: which are sure to come, which are a bound, and what is said of a bound.
#include "events/unroll.h"

#include <gtest/gtest.h>

#include <string>

#include "events/check.h"
#include "graph/text.h"

namespace heddle::events {
namespace {

using symbolic::Verdict;

graph::Program parsed(const std::string& text) {
  graph::Program program;
  graph::TextError error;
  EXPECT_TRUE(graph::parse_text(text, program, error)) << graph::to_string(error);
  return program;
}

// As many rounds as an input says, of at most 6.
graph::Program counting(const std::string& wrong) {
  return parsed(R"(program counting
routine main() {
  reg n: 8, i: 8
  n = input
  assume n <=u 6
  i = 0
again:
  if i == n goto done
  i = i + 1
  goto again
done:
  assert i != )" +
                wrong +
                R"(, "it is wrong"
  return
})");
}

TEST(Unrolling, GoesOnUntilNoExecutionTakesAnotherRound) {
  const Answer wrong = check(counting("5"), {}, {});
  EXPECT_EQ(wrong.verdict, Verdict::Reached);
  EXPECT_EQ(wrong.kind, FindingKind::Assertion);
  EXPECT_EQ(wrong.execution.first_inputs, std::vector<uint64_t>{5});
  const Answer right = check(counting("7"), {}, {});
  EXPECT_EQ(right.verdict, Verdict::Proved) << right.reason;
  EXPECT_EQ(right.rounds, 8U);
}

TEST(Unrolling, ABoundIsNoProof) {
  Question question;
  question.most_rounds = 4;
  const Answer answer = check(counting("5"), question, {});
  EXPECT_EQ(answer.verdict, Verdict::Bounded);
  EXPECT_EQ(answer.rounds, 4U);
}

TEST(Unrolling, AnIgnoredKindEndsExecutionsThere) {
  Question question;
  question.ignored = FindingKinds{1} << static_cast<uint32_t>(FindingKind::Assertion);
  EXPECT_EQ(check(counting("5"), question, {}).verdict, Verdict::Proved);
}

TEST(Unrolling, RoundsThatAreSureToComeNeedNoBound) {
  const graph::Program program = parsed(R"(program sure
threads 2
global x: 8
mutex m
routine main() {
  reg t: 64
  t = create other, 0
  join t
  return
}
routine other(argument: 64) {
  reg i: 8, r: 8
  i = 0
again:
  if i == 40 goto done
  mutex-lock m
  r = load x
  if r == 0 goto skip
  r = 1
skip:
  store x, r
  mutex-unlock m
  i = i + 1
  goto again
done:
  return
})");
  const Answer answer = check(program, {}, {});
  EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
  EXPECT_EQ(answer.rounds, 1U);
}

// Whether it waits for ever is not known from any number of rounds.
TEST(Unrolling, WaitingInALoopIsBounded) {
  const graph::Program program = parsed(R"(program waiting
threads 2
global go: 1
routine main() {
  reg t: 64
  t = create other, 0
  atomic-store go, 1
  join t
  return
}
routine other(argument: 64) {
  reg r: 1
again:
  r = atomic-load go
  if !r goto again
  return
})");
  Question question;
  question.most_rounds = 2;
  EXPECT_EQ(check(program, question, {}).verdict, Verdict::Bounded);
}

// A thread knows which one it is: what it tells main is the handle that main has.
TEST(Unrolling, ThreadsKnowWhoTheyAre) {
  const graph::Program program = parsed(R"(program self
threads 2
global who: 64
routine main() {
  reg t: 64, told: 64
  t = create other, 0
  join t
  told = load who
  assert told == t, "it is another one"
  return
}
routine other(argument: 64) {
  reg me: 64
  me = self
  store who, me
  return
})");
  const Answer answer = check(program, {}, {});
  EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
}

TEST(Unrolling, RefusesByName) {
  const graph::Program program = parsed(R"(program sections
global x: 8
routine main() {
  atomic-begin
  store x, 1
  atomic-end
  return
})");
  EXPECT_EQ(refusal_of(program), "atomic sections have no encoding by events");
  const Answer answer = check(program, {}, {});
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.reason, refusal_of(program));
}

TEST(Unrolling, AssumptionsThatNoExecutionKeepsProveNothing) {
  const graph::Program program = parsed(R"(program broken
routine main() {
  reg n: 8
  n = input
  assume n <u 5
  assume n == 9
  assert 0:1, "never"
  return
})");
  EXPECT_EQ(check(program, {}, {}).verdict, Verdict::Unknown);
}

}  // namespace
}  // namespace heddle::events
