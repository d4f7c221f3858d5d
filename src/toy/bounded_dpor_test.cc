// Bounded partial-order reduction: every class that has an execution within the bound is found,
// with no more executions than iterative context bounding needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "strategies/registry.h"
#include "toy/classes.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

constexpr size_t kMostExecutions = 1500;

// The fewest preemptions of the executions of each class; those that fail count by what led there.
std::map<std::string, uint32_t> classes_by_preemptions(const std::vector<Execution>& executions,
                                                       const Program& program) {
  ToyExecutor executor(program);
  std::map<std::string, uint32_t> fewest;
  const auto note = [&](const std::string& text, uint32_t preemptions) {
    const auto [it, fresh] = fewest.emplace(text, preemptions);
    if (!fresh) it->second = std::min(it->second, preemptions);
  };
  for (const Execution& execution : executions) {
    const Classes classes = classes_of(executor, execution.schedule);
    if (!classes.failed) note(classes.whole, execution.preemptions);
    for (const auto& failed : classes.failures)
      note("fails: " + failed.past, execution.preemptions);
  }
  return fewest;
}

size_t count_within(const std::vector<Execution>& executions, uint32_t bound) {
  size_t count = 0;
  for (const Execution& execution : executions) count += execution.preemptions <= bound ? 1 : 0;
  return count;
}

void hold_against_enumeration(Program (*generate)(uint64_t seed), size_t programs) {
  size_t kept = 0, run = 0, all_within = 0;
  for (uint64_t seed = 1; kept < programs; ++seed) {
    const Program program = generate(seed);
    ToyExecutor executor(program);
    const Enumeration all = enumerate(executor, kMostExecutions);
    if (!all.complete || all.executions.size() < 2) continue;
    ++kept;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(program));
    const auto fewest = classes_by_preemptions(all.executions, program);
    const bool fails = std::any_of(all.executions.begin(), all.executions.end(),
                                   [](const auto& e) { return e.outcome == Outcome::Failed; });
    for (int32_t bound = 0; bound <= 3; ++bound) {
      RunOptions options;
      std::strcpy(options.strategy, "dpor");
      options.bound = bound;
      const Exploration reduced = explore_all(executor, make_strategy(options));
      ASSERT_TRUE(reduced.complete);
      const auto found = classes_by_preemptions(reduced.executions, program);
      for (const auto& [text, preemptions] : fewest)
        ASSERT_TRUE(preemptions > static_cast<uint32_t>(bound) || found.contains(text))
            << "bound " << bound << " misses, with " << preemptions << " preemptions:\n"
            << text;
      const size_t within = count_within(all.executions, static_cast<uint32_t>(bound));
      if (!fails) {  // after a failure only the reduction goes on
        ASSERT_LE(reduced.executions.size(), within);
      }
      const auto schedules = sorted_schedules(reduced.executions);
      ASSERT_EQ(std::adjacent_find(schedules.begin(), schedules.end()), schedules.end());
      run += reduced.executions.size();
      all_within += within;
    }
  }
  std::printf("%zu programs: %zu executions within bounds 0 to 3, %zu run\n", kept, all_within,
              run);
}

TEST(BoundedDpor, CoversEveryClassWithinTheBound) {
  hold_against_enumeration(random_program, sample_size(400));
}

TEST(BoundedDpor, CoversEveryClassWithinTheBoundInACrowd) {
  hold_against_enumeration(random_crowd, sample_size(60));
}

}  // namespace
}  // namespace heddle::toy
