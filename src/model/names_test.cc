// The vocabularies that go into traces and JSON.
#include <gtest/gtest.h>

#include <set>

#include "model/action.h"
#include "model/finding.h"

namespace heddle {
namespace {

constexpr Op kAllOps[] = {
#define X(enumerator, ...) Op::enumerator,
    HEDDLE_OPERATIONS(X)
#undef X
};

constexpr FindingKind kFindingKinds[] = {
#define X(enumerator, name, severity) FindingKind::enumerator,
    HEDDLE_FINDING_KINDS(X)
#undef X
};

TEST(Names, OfOperationsAreUniqueAndCanBeReadBack) {
  std::set<std::string_view> seen;
  for (Op op : kAllOps) {
    EXPECT_TRUE(seen.insert(name(op)).second) << name(op);
    EXPECT_EQ(op_from_name(name(op)), op);
    EXPECT_FALSE(verb(op).empty());
  }
  EXPECT_EQ(name(Op::MutexLock), "mutex-lock");
  EXPECT_EQ(verb(Op::MutexLock), "locks");
  EXPECT_EQ(op_from_name("mutex-loc"), std::nullopt);
}

TEST(Names, OfFindingsAreUniqueAndCanBeReadBack) {
  std::set<std::string_view> seen;
  for (FindingKind kind : kFindingKinds) {
    EXPECT_TRUE(seen.insert(name(kind)).second) << name(kind);
    EXPECT_EQ(finding_kind_from_name(name(kind)), kind);
  }
  EXPECT_EQ(finding_kind_from_name(""), std::nullopt);
}

TEST(Names, OfFindingsMakeLists) {
  for (FindingKind kind : kFindingKinds) {
    const std::optional<FindingKinds> one = finding_kinds_from_list(name(kind));
    ASSERT_TRUE(one);
    EXPECT_EQ(list_of(*one), name(kind));
    for (FindingKind other : kFindingKinds) EXPECT_EQ(contains(*one, other), kind == other);
  }
  EXPECT_EQ(list_of(*finding_kinds_from_list("leak,race,deadlock")), "deadlock, data-race, leak");
  for (const char* bad : {"", "leak,", ",leak", "leak,,race", "leaks", "leak race", "Leak"})
    EXPECT_FALSE(finding_kinds_from_list(bad)) << bad;
}

TEST(Action, IsComparedByWhatAReplayMustRepeat) {
  Action a;
  a.op = Op::MutexLock;
  a.object = Address{16};
  Action b = a;
  b.pc = Address{1};
  EXPECT_TRUE(a.same_as(b));
  b.object = Address{24};
  EXPECT_FALSE(a.same_as(b));
  b = a;
  b.thread = ThreadId{1};
  EXPECT_FALSE(a.same_as(b));
}

TEST(Action, OnlyYieldsAndSleepsGiveUpTheProcessor) {
  for (Op op : kAllOps)
    EXPECT_EQ(gives_up_processor(op), op == Op::Yield || op == Op::Sleep) << name(op);
}

}  // namespace
}  // namespace heddle
