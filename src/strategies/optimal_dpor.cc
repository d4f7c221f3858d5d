// Optimal dynamic partial-order reduction.
//
// Problem. With source sets (source_dpor.cc) no class of executions is finished twice, but the
// search may walk far into a class it has seen before it finds that everything is asleep there.
//
// Idea (Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014,
// algorithm 2; JACM 2017, section 7). Do not keep single steps to try from a configuration, but
// whole sequences, as an ordered tree: the wakeup tree. The sequence for a race (e, e') is all of
// the execution that did not happen after e, then e'. It is dropped if a sleeping step is one of
// its weak initials: the classes it leads to are covered. Otherwise it is inserted: down the tree,
// at each level into the first branch that is a weak initial of what is left of the sequence; at a
// leaf nothing remains to be done, because below a leaf everything is tried; where no branch fits,
// the rest of the sequence becomes a new one, the last. After the whole of an inserted sequence no
// step is asleep any more, so the search never arrives where all steps are.
//
// Why the sequence must go to the very end of the execution: a sleeping or listed step that is not
// part of it may only be taken as a weak initial if it is independent of everything that can follow
// there, not just of what came before e'.
//
// Where we deviate.
//  * Of an execution that repeats a prefix, the races inside the prefix are looked at again only if
//    they have to be. A race that was answered with a branch beginning with one of its own steps,
//    a step of the prefix, has the same answer in every execution with this prefix, since whether a
//    step is an initial depends on earlier steps alone. A race that was answered by a step outside
//    of its sequence is looked at again if the new tail contains what conflicts with that step; all
//    of them are if the new tail has a step with alternatives, because a branch of the tree
//    may have come from an execution with another of them, and goes no other way.
//  * Of an atomic section that is the second step of a race it is not known what it will touch, so
//    that a sequence may be inserted beside one that it turns out to be covered by. What is found
//    below the latter is then not found below the former, where the section sleeps. So in programs
//    with sections a sequence that goes on from a leaf is inserted as a whole. The same goes for a
//    compare-and-swap that may fail there, where it is not known what it finds (accesses of
//    different sizes); elsewhere it is known, since to guess that it succeeds is to lose
//    executions. A branch that begins with a step which sleeps by now is left out; that may leave
//    nothing to be done.
//  * Locks, barriers, choices and the end of the program: see dpor_search.h and happens_before.h.
//
// Guarantee. Exactly one execution of every class of executions that differ only in the order of
// independent steps, and none abandoned (with atomic sections, and with waits that time out where
// nothing else is possible: very few). The wakeup trees of one
// path can become large in theory (exponential in the length of an execution); they shrink as
// they are used.
#include <memory>
#include <vector>

#include "model/waiting.h"
#include "strategies/dpor_search.h"
#include "strategies/estimating.h"
#include "strategies/reads_from_or_else.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class OptimalDpor final : public DporSearch {
 public:
  OptimalDpor() : DporSearch(StrategyId::optimal_dpor, Tail::Full) {}

 private:
  struct Fit {
    bool fits = false;
    size_t item = Reversal::kAbsent;  // with which step of the sequence
  };

  Answer provide(size_t node, Reversal& sequence) override {
    above_.clear();
    for (const Sleeper& sleeper : sleep_.of(node)) {
      const Fit fit = fits(node, {sleeper.action, sleeper.choice}, sequence);
      if (fit.fits && !(sleeper.elsewhere && fit.item == Reversal::kAbsent))
        return answer(sequence, fit, sleeper.action);
    }
    return insert(node, sequence);
  }

  static Answer answer(const Reversal& sequence, const Fit& fit, ActionId action) {
    if (fit.item == Reversal::kAbsent) return {kNowhere, action};
    return {sequence.item(fit.item).position};
  }

  // Whether a sequence that is equivalent to this one begins with the step, or one that is the same
  // but for this step. The step is taken at the node, or below it after the steps of above_.
  Fit fits(size_t node, const WakeupStep& step, const Reversal& sequence) const {
    const size_t i = sequence.find(actions_[step.action].action.thread);
    if (i == Reversal::kAbsent)
      return {sequence.independent_of_all(step.action) && stays_early(node, step, sequence)};
    return {sequence.begins_with(i, step.action, step.choice), i};
  }

  // Whether an arrival at a barrier is not the last that was missing after the sequence, either.
  bool stays_early(size_t node, const WakeupStep& step, const Reversal& sequence) const {
    const Action& arrival = actions_[step.action].action;
    if (arrival.op != Op::BarrierWait || arrival.second != kEarly) return true;
    const uint32_t state = state_of_barrier(node, arrival.object);
    if (state == Action::kUnknownState) return false;
    uint32_t missing = missing_at_barrier(state);
    for (WakeupTree::Cell cell : above_) {
      const Action& before = actions_[tree_.step(cell).action].action;
      if (before.op != Op::BarrierWait || before.object != arrival.object) continue;
      missing = before.second != kEarly ? round_of_barrier(state) : missing - 1;
    }
    return missing > sequence.arrivals(arrival.object) + 1;
  }

  Answer insert(size_t node, Reversal& sequence) {
    WakeupTree::Cell parent = WakeupTree::kNone;
    Answer first{sequence.item(0).position};
    auto cell = nodes_[node].wakeup;
    while (cell != WakeupTree::kNone) {
      const Fit fit = fits(node, tree_.step(cell), sequence);
      if (!fit.fits) {
        cell = tree_.next(cell);
        continue;
      }
      if (parent == WakeupTree::kNone) first = answer(sequence, fit, tree_.step(cell).action);
      if (fit.item != Reversal::kAbsent) sequence.remove(fit.item);
      if (sequence.empty() || (tree_.is_leaf(cell) && !has_guesses())) return first;
      parent = cell;
      above_.push_back(cell);
      cell = tree_.first_child(cell);
    }
    for (size_t i = 0; i < sequence.size(); ++i) {
      const WakeupStep& step = sequence.item(i).step;
      parent = parent == WakeupTree::kNone ? tree_.append(nodes_[node].wakeup, step)
                                           : tree_.append_child(parent, step);
    }
    return first;
  }

  std::vector<WakeupTree::Cell> above_;  // in the tree, where a sequence is inserted
};

}  // namespace

std::unique_ptr<Strategy> make_optimal_dpor(const RunOptions& options) {
  if (options.equivalence == Equivalence::ReadsFrom) return make_reads_from_or_else(options);
  return std::make_unique<Estimating>(std::make_unique<OptimalDpor>(), options.seed);
}

}  // namespace heddle
