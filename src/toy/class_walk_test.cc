// Walks that count classes: their mean weight is the number of classes that optimal-dpor runs.
#include "strategies/class_walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "explore/explorer.h"
#include "strategies/log_mean.h"
#include "strategies/registry.h"
#include "toy/generator.h"
#include "toy/published.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

constexpr uint64_t kMostClasses = 150;
constexpr size_t kMostWalks = 20'000;

// Walks as a search of their own.
class Walks final : public StrategyBase {
 public:
  Walks(ClassWalk& walk, Dice& dice)
      : StrategyBase({.continues_after_failure = true}), walk_(walk), dice_(dice) {}
  ClassWalk::Purpose purpose = ClassWalk::Purpose::Counting;
  double log_weight = 0;  // of the last one

  bool begin_execution() override {
    walk_.begin(purpose);
    return true;
  }
  std::span<const Transition> prefix() const override { return {}; }
  uint32_t prefix_preemptions() const override { return 0; }
  Spinning spinning() const override { return Spinning::Prune; }
  Transition choose(const Configuration& c) override { return walk_.choose(c, dice_); }
  void end_execution(const ExecutionSummary& s) override { log_weight = walk_.end(s.ending); }
  bool complete() const override { return false; }
  std::string guarantee() const override { return ""; }

 private:
  ClassWalk& walk_;
  Dice& dice_;
};

double walk_once(ToyExecutor& executor, ClassWalk& walk, Dice& dice,
                 ClassWalk::Purpose purpose = ClassWalk::Purpose::Counting) {
  auto walks = std::make_unique<Walks>(walk, dice);
  Walks& strategy = *walks;
  strategy.purpose = purpose;
  Explorer explorer(std::move(walks), {.max_executions = 1, .keep_going = true});
  ExploreObserver observer;
  explorer.run(executor, observer);
  return strategy.log_weight;
}

// All outcomes one after the other, each with its probability.
class AllOutcomes final : public Dice {
 public:
  bool heads(double probability) override { return next({probability, 1 - probability}) == 0; }
  uint32_t below(uint32_t n) override { return next(std::vector<double>(n, 1.0 / n)); }

  // False when there are no more.
  bool advance() {
    while (!decisions_.empty() && decisions_.back().outcome + 1 == decisions_.back().chances.size())
      decisions_.pop_back();
    if (decisions_.empty()) return false;
    ++decisions_.back().outcome;
    at_ = 0;
    return true;
  }
  double probability() const {
    double product = 1;
    for (const Decision& d : decisions_) product *= d.chances[d.outcome];
    return product;
  }

 private:
  struct Decision {
    std::vector<double> chances;
    uint32_t outcome = 0;
  };
  uint32_t next(std::vector<double> chances) {
    if (at_ == decisions_.size()) decisions_.push_back({std::move(chances)});
    return decisions_[at_++].outcome;
  }
  std::vector<Decision> decisions_;
  size_t at_ = 0;
};

struct Expectation {
  double weight = 0;
  double probability = 0;  // of all walks together: 1
  size_t walks = 0;
  bool complete = true;
};

Expectation expectation(ToyExecutor& executor, const ClassWalk& knowledge) {
  AllOutcomes dice;
  Expectation result;
  do {
    ClassWalk walk = knowledge;
    const double log_weight = walk_once(executor, walk, dice);
    result.probability += dice.probability();
    result.weight += dice.probability() * std::exp(log_weight);
    if (++result.walks > kMostWalks) result.complete = false;
  } while (result.complete && dice.advance());
  return result;
}

ClassWalk experienced(ToyExecutor& executor, size_t learning, size_t counting) {
  ClassWalk walk;
  RandomDice dice(learning + 1);
  for (; learning > 0; --learning) walk_once(executor, walk, dice, ClassWalk::Purpose::Learning);
  for (; counting > 0; --counting) walk_once(executor, walk, dice);
  return walk;
}

// How many executions optimal-dpor makes; 0 if there are too many, or if it lets loops go on that
// it takes to wait at first, which walks in explorers of their own do not know.
uint64_t run_all(ToyExecutor& executor, uint64_t limit) {
  RunOptions options;
  std::strcpy(options.strategy, "optimal-dpor");
  Explorer explorer(make_strategy(options), {.max_executions = limit, .keep_going = true});
  ExploreObserver observer;
  const bool all = explorer.run(executor, observer) == EndReason::Exhausted;
  return all && !explorer.unrolls_loops() ? explorer.executions() : 0;
}

// The same once all loops of the program are known.
uint64_t count_classes(ToyExecutor& executor, uint64_t limit) {
  return run_all(executor, limit) == 0 ? 0 : run_all(executor, limit);
}

struct Family {
  const char* name;
  Program (*make)(uint64_t seed);
  size_t programs;
};

class ClassWalks : public testing::TestWithParam<Family> {};

// The proof that there is no bias: the sum over all walks, each with its probability. Whatever the
// walk has learnt before.
TEST_P(ClassWalks, ExpectTheNumberOfClassesExactly) {
  size_t programs = 0, walks = 0, classes = 0;
  uint64_t seed = 0;
  while (programs < sample_size(GetParam().programs)) {
    ToyExecutor executor(GetParam().make(++seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    const uint64_t truth = count_classes(executor, kMostClasses);
    if (truth < 2) continue;
    const size_t experience = programs % 3;
    const Expectation all =
        expectation(executor, experienced(executor, experience * 4, experience * 8));
    if (!all.complete) continue;
    ASSERT_NEAR(all.probability, 1, 1e-9);
    ASSERT_NEAR(all.weight / static_cast<double>(truth), 1, 1e-9) << truth << " classes";
    ++programs;
    walks += all.walks;
    classes += truth;
  }
  std::printf("%s: %zu programs (seeds 1 to %llu), %zu classes, %zu walks\n", GetParam().name,
              programs, static_cast<unsigned long long>(seed), classes, walks);
}

// As they are used: from the first walk on with what the earlier ones have learnt.
TEST_P(ClassWalks, ComeNearTheNumberOfClasses) {
  size_t programs = 0;
  for (uint64_t seed = 1; programs < sample_size(GetParam().programs / 4); ++seed) {
    ToyExecutor executor(GetParam().make(seed));
    const uint64_t truth = count_classes(executor, 1000);
    if (truth < 2) continue;
    ClassWalk walk = experienced(executor, 16, 16);
    RandomDice dice(seed);
    LogMean mean;
    for (int i = 0; i < 1000; ++i) mean.add(walk_once(executor, walk, dice));
    const auto classes = static_cast<double>(truth);
    EXPECT_NEAR(mean.mean(), classes, 5 * mean.relative_error() * mean.mean() + 0.01 * classes)
        << "seed " << seed << "\n"
        << to_string(executor.program());
    ++programs;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, ClassWalks,
                         testing::Values(Family{"program", random_program, 300},
                                         Family{"crowd", random_crowd, 150},
                                         Family{"accesses", random_accesses, 150},
                                         Family{"waiters", random_waiters, 40}),
                         [](const auto& info) { return std::string(info.param.name); });

// Where nobody meets anybody, each walk weighs 1, or nothing if a thread slept without a reason.
TEST(ClassWalk, IsNearlyExactForIndependentThreads) {
  Program program;
  for (uint32_t thread = 0; thread < 4; ++thread)
    program.threads.push_back({store(thread, 1), lock(thread), load(0, thread), unlock(thread)});
  program.initially_live = 4;
  ToyExecutor executor(program);
  ClassWalk walk = experienced(executor, 1, 0);
  RandomDice dice(1);
  LogMean mean;
  for (int i = 0; i < 2000; ++i) mean.add(walk_once(executor, walk, dice));
  EXPECT_NEAR(mean.mean(), 1, 0.01);
  EXPECT_LT(mean.relative_error(), 0.01);
}

TEST(ClassWalk, IsExactForOneThread) {
  ToyExecutor executor({{{choose(0, 3), store(0, 1), choose(1, 4), choose(2, 5)}}, 1});
  ClassWalk walk;
  RandomDice dice(1);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(walk_once(executor, walk, dice), std::log(60.0), 1e-12);
}

struct Known {
  const char* name;
  Program program;
  double classes;
};

// Programs of which the search takes long, after so few walks as a search makes in a second.
TEST(ClassWalk, ComesNearPublishedNumbers) {
  const Known all[] = {{"fib", fib(6), 73'789},
                       {"lastzero", lastzero(13), 32'768},
                       {"philosophers", philosophers(4, 3), 61'340},
                       {"readers", readers(5, 4), 75'000},
                       {"indexer", indexer(15), 4096},
                       {"barrier", barrier(3, 1), 360},
                       {"thread pool", thread_pool(3), 2292}};
  for (const Known& known : all) {
    ToyExecutor executor(known.program);
    ClassWalk walk = experienced(executor, 16, 16);
    RandomDice dice(7);
    LogMean mean;
    std::printf("%-12s", known.name);
    for (uint64_t walks : {100u, 1000u, 10'000u}) {
      if (kSanitised && walks > 1000) break;
      while (mean.count() < walks) mean.add(walk_once(executor, walk, dice));
      std::printf("  %llu walks: %.3f of %.0f (+-%.3f)", static_cast<unsigned long long>(walks),
                  mean.mean() / known.classes, known.classes, mean.relative_error());
      if (walks == 1000) {
        EXPECT_NEAR(mean.mean() / known.classes, 1, 0.5) << known.name;
      }
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace heddle::toy
