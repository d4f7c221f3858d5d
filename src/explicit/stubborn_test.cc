// Figures 1 and 2 of Kahlon, Gupta and Sinha, cycles, and threads that are put off.
#include <gtest/gtest.h>

#include <functional>

#include "explicit/check.h"
#include "explicit/graph_script.h"
#include "explicit/reduction.h"
#include "interpreter/graph_space.h"

namespace heddle::explicit_states {
namespace {

using graph::CellKind;

// Takes the next step of each of these threads in turn.
class Walk {
 public:
  explicit Walk(graph::Program program) : space_(std::move(program)), state_(space_.state_size()) {
    EXPECT_EQ(space_.initial(state_.data()), Outcome::Running);
  }

  void step(uint32_t thread, uint32_t times = 1) {
    for (uint32_t i = 0; i < times; ++i) {
      EXPECT_EQ(space_.take(state_.data(), {thread, 0}, state_.data()), Outcome::Running);
    }
  }

  // The set that grows from this thread here, without main, which sleeps.
  std::vector<uint32_t> set_from(uint32_t thread, Relation relation) {
    std::vector<uint32_t> threads = stubborn_set_from(space_, state_.data(), thread, relation);
    std::erase(threads, 0U);
    return threads;
  }

 private:
  GraphSpace space_;
  std::vector<uint8_t> state_;
};

using Threads = std::vector<uint32_t>;

// Main creates both threads and then sleeps in its first join; each thread has started.
constexpr uint32_t kMain = 0, kA = 1, kB = 2;
void begin(Walk& walk) {
  walk.step(kMain, 2);
  walk.step(kA);
  walk.step(kB);
}

graph::Program figure_1() {
  graph::Program program;
  const auto a = graph::add_global(program, "a", 8);
  const auto x = graph::add_global(program, "x", 8);
  const auto z = graph::add_global(program, "z", 8);
  const auto lk = graph::add_sync(program, "lk", CellKind::Mutex);
  Script first("a");
  first.store(a, first.number(0));
  first.lock(lk);
  first.store(x, first.number(1));
  first.unlock(lk);
  first.store(a, first.number(4));
  Script second("b");
  second.store(z, second.number(5));
  second.lock(lk);
  second.store(x, second.number(2));
  second.unlock(lk);
  second.store(x, second.number(6));
  std::vector<graph::Routine> threads;
  threads.push_back(first.take());
  threads.push_back(second.take());
  return with_main(std::move(program), std::move(threads));
}

// Before 3a, the other before 1b: the static relation sees 3b and 5b, lock patterns that lk comes
// before them.
TEST(Figures, OneHasNoSwitchInTheCriticalSection) {
  Walk walk(figure_1());
  begin(walk);
  walk.step(kA, 2);
  EXPECT_EQ(walk.set_from(kA, Relation::LockPatterns), Threads{kA});
  EXPECT_EQ(walk.set_from(kA, Relation::Static), (Threads{kA, kB}));
}

TEST(Figures, OneSwitchesAgainstTheUnprotectedWrite) {
  Walk walk(figure_1());
  begin(walk);
  walk.step(kB, 4);  // before 5b
  walk.step(kA, 2);  // before 3a
  for (const Relation relation : {Relation::Static, Relation::LockPatterns}) {
    EXPECT_EQ(walk.set_from(kA, relation), (Threads{kA, kB}));
    EXPECT_EQ(walk.set_from(kB, relation), (Threads{kA, kB}));
  }
}

graph::Program figure_2() {
  graph::Program program;
  const auto a = graph::add_global(program, "a", 8);
  const auto b = graph::add_global(program, "b", 8);
  const auto x = graph::add_global(program, "x", 8);
  const auto y = graph::add_global(program, "y", 8);
  const auto z = graph::add_global(program, "z", 8);
  const auto lk1 = graph::add_sync(program, "lk1", CellKind::Mutex);
  const auto lk2 = graph::add_sync(program, "lk2", CellKind::Mutex);
  std::vector<graph::Routine> threads;
  const auto add = [&](const char* name, auto own, auto inner, auto outer_lock, auto inner_lock,
                       uint64_t value) {
    Script script(name);
    script.store(own, script.number(1));
    script.lock(outer_lock);
    script.lock(inner_lock);
    script.store(inner, script.number(2));
    script.unlock(inner_lock);
    script.store(x, script.number(value));
    script.unlock(outer_lock);
    threads.push_back(script.take());
  };
  add("a", a, y, lk1, lk2, 0);
  add("b", b, z, lk2, lk1, 1);
  return with_main(std::move(program), std::move(threads));
}

// At 6a the first thread holds lk1, the second will hold lk2 at 6b: no common lock. But to get
// there it must acquire lk1.
TEST(Figures, TwoHasNoSwitchWithoutALockInCommon) {
  Walk walk(figure_2());
  begin(walk);
  walk.step(kA, 5);  // before 6a
  EXPECT_EQ(walk.set_from(kA, Relation::LockPatterns), Threads{kA});
  EXPECT_EQ(walk.set_from(kA, Relation::Static), (Threads{kA, kB}));
}

TEST(Figures, TwoKeepsItsDeadlock) {
  for (const ReductionKind reduction :
       {ReductionKind::None, ReductionKind::Stubborn, ReductionKind::Transactions}) {
    GraphSpace space(figure_2());
    CheckOptions options;
    options.reduction = reduction;
    const CheckResult result = check(space, options);
    ASSERT_EQ(result.verdict, Verdict::Fail);
    EXPECT_EQ(result.findings[0].failure.kind, FindingKind::Deadlock);
  }
}

// Critical sections in different order; the locks are the first objects of the program.
TEST(Figures, SectionsOfOtherLocksAreNoInterference) {
  graph::Program program;
  const auto m = graph::add_sync(program, "m", CellKind::Mutex);
  const auto n = graph::add_sync(program, "n", CellKind::Mutex);
  const auto x = graph::add_global(program, "x", 8);
  const auto y = graph::add_global(program, "y", 8);
  std::vector<graph::Routine> threads;
  for (const bool first_m : {true, false}) {
    Script script("t");
    for (const bool with_m : {first_m, !first_m}) {
      script.lock(with_m ? m : n);
      script.store(with_m ? x : y, script.number(1));
      script.unlock(with_m ? m : n);
    }
    threads.push_back(script.take());
  }
  Walk walk(with_main(std::move(program), std::move(threads)));
  begin(walk);
  walk.step(kA);
  walk.step(kB);  // each holds its first lock
  EXPECT_EQ(walk.set_from(kA, Relation::LockPatterns), Threads{kA});
  EXPECT_EQ(walk.set_from(kB, Relation::LockPatterns), Threads{kB});
  EXPECT_EQ(walk.set_from(kA, Relation::Static), (Threads{kA, kB}));
}

// One thread goes round in a loop that touches nothing of the other's: choosing it for ever would
// put off the assertion.
graph::Program endless(const std::function<void(Script&)>& body) {
  graph::Program program;
  const auto x = graph::add_global(program, "x", 8);
  Script loop("loop");
  loop.begin_loop();
  body(loop);
  loop.end_loop();
  Script fails("fails");
  fails.store(x, fails.number(1));
  fails.check(fails.number(0, 1), "never");
  std::vector<graph::Routine> threads;
  threads.push_back(loop.take());
  threads.push_back(fails.take());
  return with_main(std::move(program), std::move(threads));
}

void expect_assertion(const graph::Program& program) {
  for (const ReductionKind reduction : {ReductionKind::Stubborn, ReductionKind::Transactions}) {
    for (const SearchOrder order : {SearchOrder::DepthFirst, SearchOrder::BreadthFirst}) {
      for (const Storage storage : {Storage::Exact, Storage::HashCompact, Storage::Bitstate}) {
        GraphSpace space(program);
        CheckOptions options;
        options.reduction = reduction;
        options.order = order;
        options.storage = storage;
        options.memory_limit = 1 << 20;
        if (refusal(options)) continue;
        const CheckResult result = check(space, options);
        ASSERT_EQ(result.verdict, Verdict::Fail);
        EXPECT_EQ(result.findings[0].failure.kind, FindingKind::Assertion);
      }
    }
  }
}

TEST(Cycles, ASelfLoopPutsNobodyOff) {
  expect_assertion(endless([](Script& loop) { loop.action(graph::ActionKind::Yield); }));
}

TEST(Cycles, ALongerOnePutsNobodyOff) {
  expect_assertion(endless([](Script& loop) {
    for (int i = 0; i < 3; ++i) loop.action(graph::ActionKind::Yield);
  }));
}

// The assertion is on the cycle of the one thread, and the other only makes it fail.
TEST(Cycles, AnAssertionOnACycleIsNotLost) {
  graph::Program program;
  const auto x = graph::add_global(program, "x", 8);
  Script loop("loop");
  const Script::Reg reg = loop.reg("r");
  loop.begin_loop();
  loop.load(reg, x);
  loop.check(loop.build().unary(graph::Operator::Not, loop.equal(loop.value(reg), loop.number(2))),
             "two");
  loop.end_loop();
  Script sets("sets");
  sets.store(x, sets.number(1));
  sets.store(x, sets.number(2));
  std::vector<graph::Routine> threads;
  threads.push_back(loop.take());
  threads.push_back(sets.take());
  expect_assertion(with_main(std::move(program), std::move(threads)));
}

}  // namespace
}  // namespace heddle::explicit_states
