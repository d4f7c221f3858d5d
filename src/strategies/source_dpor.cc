// Dynamic partial-order reduction with source sets.
//
// Problem. Classic dynamic partial-order reduction (dpor.cc) explores persistent sets of threads
// from each configuration, which are larger than they need to be.
//
// Idea (Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014,
// algorithm 1; JACM 2017, section 5). To cover everything it is enough that for every execution
// some first step of an equivalent one is tried: a source set. So for a race the sequence that
// reverses it is looked at, up to its second step: if one of its initials is already to be tried
// from there, or asleep, nothing is to be done; otherwise one of them is added.
//
// Where we deviate. Races are gone through at the end of an execution and not step by step, which
// changes the order in which branches are found but not the sets. Locks, choices and the end of
// the program are treated as dpor_search.h says.
//
// Guarantee. One execution at least of each class, and the sleep sets see to it that no class is
// finished twice; but an execution may have to be abandoned because all that could go on is
// asleep.
#include <memory>

#include "strategies/dpor_search.h"
#include "strategies/estimating.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class SourceDpor final : public DporSearch {
 public:
  SourceDpor() : DporSearch(StrategyId::source_dpor, Tail::Short) {}

 private:
  Answer provide(size_t node, Reversal& sequence) override {
    const auto begins_with = [&](ActionId action, uint32_t choice) {
      const size_t i = sequence.find(actions_[action].action.thread);
      return i != Reversal::kAbsent && sequence.begins_with(i, action, choice) ? &sequence.item(i)
                                                                               : nullptr;
    };
    for (const Sleeper& sleeper : sleep_.of(node)) {
      const auto* item = begins_with(sleeper.action, sleeper.choice);
      if (item != nullptr) return {item->position};
    }
    for (auto cell = nodes_[node].wakeup; cell != WakeupTree::kNone; cell = tree_.next(cell)) {
      const WakeupStep& step = tree_.step(cell);
      const auto* item = begins_with(step.action, step.choice);
      if (item != nullptr) return {item->position};
    }
    tree_.append(nodes_[node].wakeup, sequence.item(0).step);
    return {sequence.item(0).position};
  }
};

}  // namespace

std::unique_ptr<Strategy> make_source_dpor(const RunOptions& options) {
  return std::make_unique<Estimating>(std::make_unique<SourceDpor>(), options.seed);
}

}  // namespace heddle
