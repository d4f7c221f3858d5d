// Random programs, whose search is divided again and again at random: together the parts see what
// one search sees, each of it once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

#include "base/random.h"
#include "explore/runner.h"
#include "strategies/registry.h"
#include "strategies/work_pool.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

constexpr uint64_t kMostExecutions = 1500;

RunOptions options_for(const char* strategy, int32_t bound = -1) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  options.bound = bound;
  return options;
}

// What one search sees, or many parts of one.
struct Seen {
  uint64_t executions = 0, blocked = 0, apart = 0;
  std::vector<uint64_t> states;    // of executions that were not abandoned, sorted
  std::set<std::string> failures;  // by their messages
  std::vector<std::string> schedules;
  std::string guarantee;
  int bound = 0;
  bool complete = false;
  bool divided = true;
};

std::string name_of(const Failure& failure) {
  return std::to_string(static_cast<int>(failure.kind));
}

class Part final : public ExploreObserver, public BetweenExecutions {
 public:
  Part(Explorer& explorer, ToyExecutor& executor, uint64_t most, Seen& seen)
      : explorer_(explorer), executor_(executor), most_(most), seen_(seen) {}

  bool division_requested() override { return most_ > 0 && explorer_.executions() >= most_; }
  void execution_ended(const ExecutionSummary& summary) override { summary_ = summary; }
  void settle() override {
    if (summary_.is_probe || summary_.ending == Ending::Abandoned) return;
    seen_.states.push_back(executor_.state_hash());
    seen_.schedules.push_back(to_string(explorer_.schedule()));
  }
  EndReason run() {
    PlainRunner runner(executor_);
    const EndReason reason = run_all(explorer_, *this, runner, *this);
    seen_.executions += explorer_.executions();
    seen_.blocked += explorer_.blocked();
    for (const Finding& finding : explorer_.findings())
      seen_.failures.insert(name_of(finding.failure));
    return reason;
  }

 private:
  Explorer& explorer_;
  ToyExecutor& executor_;
  const uint64_t most_;
  Seen& seen_;
  ExecutionSummary summary_;
};

void sort(Seen& seen) {
  std::sort(seen.states.begin(), seen.states.end());
  std::sort(seen.schedules.begin(), seen.schedules.end());
}

Seen search_whole(ToyExecutor& executor, const RunOptions& options) {
  Seen seen;
  Explorer explorer(make_strategy(options), {.keep_going = true});
  Part(explorer, executor, 0, seen).run();
  seen.guarantee = explorer.strategy().guarantee();
  seen.complete = explorer.strategy().complete();
  seen.bound = explorer.strategy().bound();
  sort(seen);
  return seen;
}

// What whoever keeps a pool (cli/session.h) writes down of it, and makes it from again.
void note(WorkPool::Contents& kept, const WorkPool& pool, const WorkPool::Share& done,
          const std::vector<WorkItem>& added, const std::string& notes) {
  for (const WorkItem& item : done)
    std::erase_if(kept.items, [&](const WorkItem& it) { return it.number == item.number; });
  kept.items.insert(kept.items.end(), added.begin(), added.end());
  if (!notes.empty()) kept.notes.push_back(notes);
  kept.bound = pool.bound();
  kept.apart = pool.apart();
  kept.left_out = pool.left_out();
}

// Parts that are lost now and then are searched once more; their order is any. Now and then all who
// search are lost, and with them the pool.
Seen search_divided(ToyExecutor& executor, const RunOptions& options, uint64_t seed) {
  Seen seen;
  Random dice(seed);
  WorkPool pool;
  WorkPool::Contents kept;
  for (bool first = true; first || !pool.empty(); first = false) {
    const WorkPool::Share share = pool.take(1 + dice.below(4));
    Explorer explorer(make_strategy(options), {.keep_going = true});
    Divisible* divisible = explorer.strategy().divisible();
    if (divisible == nullptr) ADD_FAILURE() << options.strategy;
    const bool taken = first || divisible->take_up(pool.ready(share));
    EXPECT_TRUE(taken);
    Seen part;
    Part(explorer, executor, 1 + dice.below(12), part).run();
    if (!first && dice.below(5) == 0) {
      pool.put_back(share);
      continue;
    }
    if (!first && dice.below(5) == 0) {
      pool = WorkPool();
      EXPECT_TRUE(pool.restore(kept));
      continue;
    }
    if (!divisible->may_divide()) {
      seen.divided = false;
      return seen;
    }
    Division division = divisible->divide(1 + dice.below(3));
    const std::string notes = division.notes;
    const auto added = pool.add(std::move(division));
    EXPECT_TRUE(added);
    if (added) note(kept, pool, share, *added, notes);
    seen.executions += part.executions;
    seen.blocked += part.blocked;
    seen.states.insert(seen.states.end(), part.states.begin(), part.states.end());
    seen.schedules.insert(seen.schedules.end(), part.schedules.begin(), part.schedules.end());
    seen.failures.merge(part.failures);
    if (explorer.generation() != 0) seen.divided = false;
    if (!seen.divided) return seen;
  }
  auto end = make_strategy(options);
  end->divisible()->conclude(pool.bound(), pool.left_out(), true);
  seen.guarantee = end->guarantee();
  seen.complete = end->complete();
  seen.bound = end->bound();
  seen.apart = pool.apart();
  sort(seen);
  return seen;
}

using Generator = Program (*)(uint64_t);
constexpr Generator kGenerators[] = {random_program, random_waiters, random_accesses,
                                     random_endings, random_swaps,   random_sharing,
                                     random_sections};

template <typename Check>
void for_random_divisions(const RunOptions& options, size_t programs, Check check) {
  size_t compared = 0, larger = 0;
  for (uint64_t seed = 0; seed < programs; ++seed)
    for (size_t kind = 0; kind < std::size(kGenerators); ++kind) {
      ToyExecutor executor(kGenerators[kind](seed));
      RunOptions few = options;
      Explorer size(make_strategy(few), {.max_executions = kMostExecutions, .keep_going = true});
      ExploreObserver nobody;
      if (size.run(executor, nobody) != EndReason::Exhausted) continue;
      if (size.generation() != 0) continue;
      const Seen whole = search_whole(executor, options);
      const Seen parts = search_divided(executor, options, seed + 1);
      if (!parts.divided) continue;
      ++compared;
      larger += whole.executions > 20 ? 1 : 0;
      SCOPED_TRACE(std::string(options.strategy) + ", seed " + std::to_string(seed) + " of " +
                   std::to_string(kind));
      EXPECT_EQ(parts.guarantee, whole.guarantee);
      EXPECT_EQ(parts.complete, whole.complete);
      EXPECT_EQ(parts.failures, whole.failures);
      check(whole, parts);
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(compared, programs) << options.strategy;
  EXPECT_GT(larger, programs / 3) << options.strategy;
}

TEST(Division, EnumerationsSeeEachExecutionOnce) {
  for (const char* strategy : {"dfs", "icb", "delays", "switches"})
    for (int32_t bound : {-1, 1}) {
      if (bound >= 0 && std::strcmp(strategy, "dfs") == 0) continue;
      for_random_divisions(options_for(strategy, bound), sample_size(40),
                           [](const Seen& whole, const Seen& parts) {
                             EXPECT_EQ(parts.executions, whole.executions);
                             EXPECT_EQ(parts.blocked, whole.blocked);
                             EXPECT_EQ(parts.schedules, whole.schedules);
                             EXPECT_EQ(parts.states, whole.states);
                             EXPECT_EQ(parts.bound, whole.bound);
                           });
    }
}

class DividedReduction : public testing::TestWithParam<const char*> {};

TEST_P(DividedReduction, SeesEachClassOnce) {
  for_random_divisions(
      options_for(GetParam()), sample_size(150),
      [](const Seen& whole, const Seen& parts) { EXPECT_EQ(parts.states, whole.states); });
}

INSTANTIATE_TEST_SUITE_P(All, DividedReduction,
                         testing::Values("sleep-sets", "source-dpor", "dpor", "optimal-dpor"));

TEST(Division, OptimalDporCountsClasses) {
  for_random_divisions(options_for("optimal-dpor"), sample_size(150),
                       [](const Seen& whole, const Seen& parts) {
                         EXPECT_EQ(parts.executions - parts.apart, whole.executions);
                         EXPECT_EQ(parts.blocked - parts.apart, whole.blocked);
                       });
}

}  // namespace
}  // namespace heddle::toy
