// Context bounds against the recursion that defines them, on all prefixes of random executions.
#include "states/context_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/random.h"
#include "toy/generator.h"
#include "toy/parallel_program.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle {
namespace {

// CB(s, t) as it is defined, without a thought for time.
class Definition {
 public:
  explicit Definition(const PartialOrder& order) : order_(order) {}

  uint32_t of(const Cut& cut, ThreadId thread) {
    const auto [known, fresh] = known_.try_emplace({cut, index(thread)}, 0);
    if (!fresh) return known->second;
    uint32_t best = std::numeric_limits<uint32_t>::max();
    for (uint32_t u = 0; u < cut.size(); ++u) {
      const ThreadId last{u};
      if (!order_.is_maximal(cut, last)) continue;
      const bool yields = gives_up_processor(order_.last_step(cut, last).action.op);
      const bool preempted =
          last != thread && !yields && order_.enabled_in(cut, last) == Answer::Yes;
      Cut before = cut;
      --before[u];
      best = std::min(best, of(before, last) + (preempted ? 1 : 0));
    }
    if (best == std::numeric_limits<uint32_t>::max()) best = 0;
    return known_[{cut, index(thread)}] = best;
  }

  std::set<Cut> prefixes() const {
    std::set<Cut> cuts;
    for (const auto& [question, bound] : known_) cuts.insert(question.first);
    return cuts;
  }

 private:
  const PartialOrder& order_;
  std::map<std::pair<Cut, uint32_t>, uint32_t> known_;
};

// A random execution of at most so many steps.
PartialOrder random_execution(toy::ToyExecutor& executor, Random& random, size_t most) {
  executor.reset();
  PartialOrder order;
  while (true) {
    const Configuration configuration = executor.configuration();
    order.note(configuration);
    std::vector<ThreadView> enabled;
    std::copy_if(configuration.live.begin(), configuration.live.end(), std::back_inserter(enabled),
                 [](const ThreadView& view) { return view.enabled(); });
    if (executor.status() != Status::Running || enabled.empty() || order.size() == most)
      return order;
    const ThreadView& view = enabled[random.below(enabled.size())];
    const Transition taken{view.id, static_cast<uint32_t>(random.below(view.choices))};
    order.push(view.next, taken, view.choices);
    executor.step(taken);
  }
}

uint64_t hash_of(const PartialOrder& order, const Cut& cut) {
  uint64_t hash = 0;
  for (size_t i = 0; i < order.size(); ++i)
    if (order.step(i).position < cut[index(order.step(i).action.thread)]) hash += order.step(i).mix;
  return hash;
}

struct Compared {
  size_t questions = 0, bounds = 0, tight = 0;
};

void compare(const PartialOrder& order, Compared& compared) {
  Definition definition(order);
  definition.of(order.whole(), kMainThread);
  ContextBounds bounds;
  for (const Cut& prefix : definition.prefixes()) {
    const uint64_t hash = hash_of(order, prefix);
    for (uint32_t t = 0; t < prefix.size(); ++t) {
      const ThreadId thread{t};
      const uint32_t expected = definition.of(prefix, thread);
      Cut cut = prefix;
      // The outer ones first, and some twice: what is known from one question helps with others.
      for (uint32_t bound : {expected + 1, 0u, expected, expected > 0 ? expected - 1 : 0}) {
        ++compared.questions;
        ASSERT_EQ(bounds.within(order, cut, hash, thread, bound), expected <= bound)
            << "bound " << bound << ", thread " << t;
        ASSERT_EQ(cut, prefix);
      }
      ++compared.bounds;
      const uint32_t sure = order.least_preemptions(prefix, thread);
      ASSERT_LE(sure, expected);
      compared.tight += sure == expected ? 1 : 0;
    }
  }
}

TEST(ContextBounds, AreThoseOfTheDefinition) {
  using Make = toy::Program (*)(uint64_t);
  const Make kinds[] = {toy::random_program,       toy::random_parallel_program,
                        toy::random_dense_program, toy::random_crowd,
                        toy::random_sharing,       toy::random_accesses,
                        toy::random_endings,       toy::random_sections};
  Compared compared;
  for (uint64_t seed = 1; seed <= toy::sample_size(600); ++seed) {
    Random random(seed);
    toy::ToyExecutor executor(kinds[seed % std::size(kinds)](seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(executor.program()));
    for (int i = 0; i < 3; ++i) compare(random_execution(executor, random, 14), compared);
    if (::testing::Test::HasFatalFailure()) return;
  }
  printf("%zu questions, %zu bounds, of which %zu are what is sure at once\n", compared.questions,
         compared.bounds, compared.tight);
  EXPECT_GT(compared.tight * 2, compared.bounds);
}

Action action(Op op, uint32_t thread, uint64_t object) {
  Action made;
  made.op = op;
  made.thread = ThreadId{thread};
  made.object = Address{object};
  return made;
}

// Each of many threads locks a mutex of its own: of the prefixes there are 4 to the number of
// threads, and none of them is looked at.
TEST(ContextBounds, DoNotGrowWithThreadsThatHaveNothingInCommon) {
  constexpr uint32_t kThreads = 200;
  Configuration configuration;
  for (uint32_t t = 0; t < kThreads; ++t)
    configuration.live.push_back({ThreadId{t}, action(Op::MutexLock, t, 8 + 8 * t), 1});
  PartialOrder order;
  order.note(configuration);
  ContextBounds bounds;
  for (Op op : {Op::MutexLock, Op::AtomicLoad, Op::MutexUnlock})
    for (uint32_t t = 0; t < kThreads; ++t)
      order.push(action(op, t, 8 + 8 * t), {ThreadId{t}, 0}, 1);
  for (uint32_t t = 0; t < kThreads; ++t) configuration.live[t].next = action(Op::AtomicLoad, t, 8);
  order.note(configuration);
  Cut cut = order.whole();
  const ThreadId next{kThreads / 2};
  EXPECT_FALSE(bounds.within(order, cut, order.hash(), next, 0));
  EXPECT_FALSE(bounds.within(order, cut, order.hash(), next, kThreads - 2));
  EXPECT_TRUE(bounds.within(order, cut, order.hash(), next, kThreads - 1));
  EXPECT_LE(bounds.known(), order.size() + 1);
}

}  // namespace
}  // namespace heddle
