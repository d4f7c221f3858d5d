// Sleep sets alone: depth first over all steps that are not asleep.
//
// Problem. Of the executions that differ only in the order of independent steps, dfs makes all.
//
// Idea (Godefroid, "Partial-order methods for the verification of concurrent systems", 1996,
// chapter 5; sleep_set.h). From every configuration all enabled steps are tried, one after the
// other; a step that has been tried sleeps in the branches of the later ones until a dependent step
// wakes it. No races are looked for.
//
// Guarantee. Each class is finished exactly once, but the search goes a long way into those it has
// seen: the number of abandoned executions can exceed that of classes by far. Here as the simplest
// reduction there is, against which the others are held where enumeration is too slow.
#include <memory>

#include "strategies/dpor_search.h"
#include "strategies/estimating.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class SleepSetSearch final : public DporSearch {
 public:
  SleepSetSearch() : DporSearch(StrategyId::sleep_sets, Tail::None) {}

 private:
  Answer provide(size_t, Reversal&) override { return {}; }
};

}  // namespace

std::unique_ptr<Strategy> make_sleep_sets(const RunOptions& options) {
  return std::make_unique<Estimating>(std::make_unique<SleepSetSearch>(), options.seed);
}

}  // namespace heddle
