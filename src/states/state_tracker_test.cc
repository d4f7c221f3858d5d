#include "states/state_tracker.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "states/state_set.h"
#include "toy/generator.h"
#include "toy/toy_executor.h"

namespace heddle {
namespace {

Action memory(Op op, uint32_t thread, uint64_t address, uint16_t size) {
  Action action;
  action.op = op;
  action.size = size;
  action.thread = ThreadId{thread};
  action.object = Address{address};
  return action;
}

uint64_t hash_of(const std::vector<Action>& actions) {
  StateTracker tracker;
  for (const Action& action : actions) {
    const uint64_t expected = tracker.hash_after(action, 0);
    tracker.extend(action, 0);
    EXPECT_EQ(tracker.hash(), expected);
  }
  return tracker.hash();
}

TEST(StateTracker, TellsOrdersOfDependentAccessesApartAndNoOthers) {
  const Action read0 = memory(Op::AtomicLoad, 0, 64, 4), read1 = memory(Op::AtomicLoad, 1, 64, 4);
  const Action write0 = memory(Op::AtomicStore, 0, 64, 4), near1 = memory(Op::Write, 1, 68, 4);
  const Action wide1 = memory(Op::Read, 1, 60, 16);
  EXPECT_EQ(hash_of({read0, read1}), hash_of({read1, read0}));
  EXPECT_EQ(hash_of({write0, near1}), hash_of({near1, write0}));
  EXPECT_NE(hash_of({write0, read1}), hash_of({read1, write0}));
  EXPECT_NE(hash_of({write0, wide1}), hash_of({wide1, write0}));
}

// A wide read between the writes of its two halves: counting the changes would not tell which of
// them came first.
TEST(StateTracker, VersionsMemoryByTheByte) {
  const Action low = memory(Op::Write, 0, 64, 4), high = memory(Op::Write, 1, 68, 4);
  const Action both = memory(Op::Read, 2, 64, 8);
  EXPECT_NE(hash_of({low, both, high}), hash_of({high, both, low}));
  EXPECT_EQ(hash_of({low, high, both}), hash_of({high, low, both}));
}

TEST(StateTracker, ChoicesAndStepsCount) {
  Action choose;
  choose.op = Op::Choose;
  StateTracker tracker;
  EXPECT_NE(tracker.hash_after(choose, 0), tracker.hash_after(choose, 1));
  const ExtendedAction first = tracker.extend(choose, 0);
  EXPECT_EQ(first.step, 0u);
  EXPECT_EQ(tracker.preview(choose, 0).step, 1u);
  const uint64_t after_one = tracker.hash();
  tracker.extend(choose, 0);
  EXPECT_NE(tracker.hash(), after_one);
  tracker.clear();
  EXPECT_EQ(tracker.hash(), 0u);
  EXPECT_EQ(tracker.extend(choose, 0), first);
}

TEST(StateTracker, TheVersionIsThatOfTheLastChange) {
  StateTracker tracker;
  const Action read = memory(Op::AtomicLoad, 0, 8, 8), write = memory(Op::AtomicStore, 1, 8, 8);
  EXPECT_EQ(tracker.extend(read, 0).accesses[0].version, 0u);
  EXPECT_EQ(tracker.extend(write, 0).accesses[0].version, 1u);
  EXPECT_EQ(tracker.extend(read, 0).accesses[0].version, 1u);
  EXPECT_EQ(tracker.extend(write, 0).accesses[0].version, 2u);
}

TEST(StateTracker, KeepsManyObjectsApart) {
  StateTracker tracker;
  for (uint32_t i = 0; i < 5000; ++i)
    for (uint32_t times = 0; times <= i % 3; ++times)
      tracker.extend(memory(Op::Write, 0, uint64_t{i} * 4, 4), 0);
  for (uint32_t i = 0; i < 5000; ++i)
    ASSERT_EQ(tracker.preview(memory(Op::Read, 1, uint64_t{i} * 4, 4), 0).accesses[0].version,
              i % 3 + 1);
}

TEST(StateSet, KnowsWhatItHasSeen) {
  StateSet all, few(100);
  Random random(9);
  std::set<uint64_t> reference;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t hash = random.below(15000);
    EXPECT_EQ(all.contains(hash), reference.count(hash) > 0 || (hash < 2 && all.contains(hash)));
    const bool fresh = reference.insert(hash).second;
    if (hash > 1) {
      ASSERT_EQ(all.insert(hash), fresh);
    }
    few.insert(hash);
    EXPECT_TRUE(few.contains(hash));
  }
  EXPECT_LE(few.size(), 100u);
  EXPECT_GT(few.size(), 90u);
}

TEST(ExactStateSet, ReportsCollisions) {
  ExactStateSet set;
  StateTracker tracker;
  const ExtendedAction a = tracker.preview(memory(Op::Read, 0, 8, 8), 0);
  const ExtendedAction b = tracker.preview(memory(Op::Read, 1, 8, 8), 0);
  EXPECT_TRUE(set.insert(5, {a}));
  EXPECT_FALSE(set.insert(5, {a}));
  EXPECT_FALSE(set.contains(5, {b}));
  EXPECT_TRUE(set.insert(5, {b}));
  EXPECT_EQ(set.collisions(), 1u);
  EXPECT_EQ(set.size(), 2u);
}

// --- The dependence relation against the programs themselves.

using toy::ToyExecutor;

bool run(ToyExecutor& executor, const Schedule& schedule) {
  executor.reset();
  return executor.run(schedule) == schedule.size() && executor.status() != Status::Failed;
}

struct Pair {
  Transition first, second;
};

// All pairs of enabled transitions of different threads whose actions are independent.
std::vector<Pair> independent_pairs(const Configuration& configuration) {
  std::vector<Pair> pairs;
  for (const ThreadView& a : configuration.live)
    for (const ThreadView& b : configuration.live) {
      if (a.id >= b.id || dependent(a.next, b.next)) continue;
      for (uint32_t i = 0; i < a.choices; ++i)
        for (uint32_t j = 0; j < b.choices; ++j) pairs.push_back({{a.id, i}, {b.id, j}});
    }
  return pairs;
}

// Independent transitions do not disable or alter each other, and lead to the same state.
void expect_commuting(ToyExecutor& executor, Schedule& schedule, const Pair& pair) {
  const Transition orders[2][2] = {{pair.first, pair.second}, {pair.second, pair.first}};
  uint64_t states[2];
  std::string texts[2];
  for (int i = 0; i < 2; ++i) {
    schedule.insert(schedule.end(), orders[i], orders[i] + 2);
    const bool ran = run(executor, schedule);
    schedule.resize(schedule.size() - 2);
    if (executor.status() == Status::Failed) return;  // the end of one comes before the other
    ASSERT_TRUE(ran);
    states[i] = executor.state_hash();
    texts[i] = executor.state_text();
  }
  EXPECT_EQ(states[0], states[1]) << texts[0] << "\n" << texts[1];
}

// Nor does a step enable, disable or alter the next action of a thread it is independent of.
void expect_untouched(const Configuration& before, const Configuration& after, Transition step) {
  const Action& taken = before.find(step.thread)->next;
  for (const ThreadView& view : before.live) {
    if (view.id == step.thread || dependent(taken, view.next)) continue;
    const ThreadView* now = after.find(view.id);
    ASSERT_NE(now, nullptr);
    EXPECT_TRUE(now->next.same_as(view.next));
    EXPECT_EQ(now->choices, view.choices) << name(taken.op) << " / " << name(view.next.op);
  }
}

TEST(Dependence, IndependentStepsCommute) {
  uint64_t pairs = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    ToyExecutor executor(toy::random_program(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    Random random(seed);
    Schedule schedule;
    while (run(executor, schedule) && executor.status() == Status::Running &&
           executor.configuration().any_enabled()) {
      const Configuration configuration = executor.configuration();
      for (const Pair& pair : independent_pairs(configuration)) {
        expect_commuting(executor, schedule, pair);
        ++pairs;
      }
      Schedule enabled;
      for (const ThreadView& view : configuration.live)
        for (uint32_t i = 0; i < view.choices; ++i) enabled.push_back({view.id, i});
      schedule.push_back(enabled[random.below(enabled.size())]);
      run(executor, schedule);
      if (executor.status() == Status::Running)
        expect_untouched(configuration, executor.configuration(), schedule.back());
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(pairs, 20'000u);
}

// Equal happens-before states are equal states of the program, and equal hashes equal sets.
TEST(Dependence, EqualHappensBeforeStatesAreEqualStates) {
  uint64_t collisions = 0, met_again = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    ToyExecutor executor(toy::random_program(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    Random random(seed);
    std::map<CanonicalState, uint64_t> states;
    ExactStateSet set;
    for (int walk = 0; walk < 60; ++walk) {
      executor.reset();
      StateTracker tracker;
      std::vector<ExtendedAction> elements;
      while (executor.status() == Status::Running && executor.configuration().any_enabled()) {
        Schedule enabled;
        for (const ThreadView& view : executor.configuration().live)
          for (uint32_t i = 0; i < view.choices; ++i) enabled.push_back({view.id, i});
        const Transition step = enabled[random.below(enabled.size())];
        const Action action = executor.configuration().find(step.thread)->next;
        elements.push_back(tracker.extend(action, step.choice));
        executor.step(step);
        const auto [known, fresh] = states.emplace(canonical(elements), executor.state_hash());
        ASSERT_EQ(known->second, executor.state_hash());
        ASSERT_EQ(set.insert(tracker.hash(), canonical(elements)), fresh);
        met_again += !fresh;
      }
    }
    collisions += set.collisions();
  }
  EXPECT_EQ(collisions, 0u);
  EXPECT_GT(met_again, 10'000u);
}

}  // namespace
}  // namespace heddle
