// The tableau of Gerth, Peled, Vardi and Wolper ("Simple on-the-fly automatic verification of
// linear temporal logic", PSTV 1995). A state is a set of formulas that hold from it on, taken
// apart: what must hold now are literals, what must hold next is kept for its successors. An until
// may put its right side off for ever in the tableau, so for each until there is a set of states
// that a run must come back to: those in which the right side holds or the until is not claimed.
//
// Sets of formulas are ordered sets of their numbers; a state is known again by what it claims now
// and next. Formulas are small, so nothing is minimised afterwards.
#include "temporal/automaton.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"

namespace heddle::temporal {
namespace {

using FormulaSet = std::set<FormulaId>;

void collect_untils(const Formulas& formulas, FormulaId of, FormulaSet& seen, FormulaSet& untils) {
  if (!seen.insert(of).second) return;
  const Formula& formula = formulas[of];
  switch (formula.connective) {
    case Connective::True:
    case Connective::False:
    case Connective::Atom:
      return;
    case Connective::Not:
    case Connective::Next:
      collect_untils(formulas, formula.left, seen, untils);
      return;
    case Connective::Until:
      untils.insert(of);
      [[fallthrough]];
    default:
      collect_untils(formulas, formula.left, seen, untils);
      collect_untils(formulas, formula.right, seen, untils);
  }
}

// A state in the making.
struct Draft {
  std::vector<uint32_t> predecessors;  // kStart: it is initial
  FormulaSet pending, now, next;
};

constexpr uint32_t kStart = 0xffffffff;

class Tableau {
 public:
  Tableau(const Formulas& formulas, FormulaId formula) : formulas_(formulas) {
    FormulaSet seen, untils;
    collect_untils(formulas, formula, seen, untils);
    untils_.assign(untils.begin(), untils.end());
    HEDDLE_CHECK(untils_.size() <= 64 && formulas.atoms().size() <= kMostAtoms);
    automaton_.acceptance_sets = static_cast<uint32_t>(untils_.size());
    drafts_.push_back({{kStart}, {formula}, {}, {}});
  }

  Automaton run() {
    while (!drafts_.empty()) {
      Draft draft = std::move(drafts_.back());
      drafts_.pop_back();
      expand(std::move(draft));
    }
    return std::move(automaton_);
  }

 private:
  void expand(Draft draft) {
    while (!draft.pending.empty()) {
      const FormulaId taken = *draft.pending.begin();
      draft.pending.erase(draft.pending.begin());
      if (draft.now.contains(taken)) continue;
      if (!take_apart(draft, taken)) return;
    }
    settle(draft);
  }

  // Whether the draft can still hold; where there are two ways, the other one becomes a draft too.
  bool take_apart(Draft& draft, FormulaId taken) {
    const Formula& formula = formulas_[taken];
    switch (formula.connective) {
      case Connective::True:
        return true;
      case Connective::False:
        return false;
      case Connective::Atom:
      case Connective::Not:
        if (contradicts(draft.now, formula, taken)) return false;
        draft.now.insert(taken);
        return true;
      case Connective::And:
        draft.now.insert(taken);
        draft.pending.insert({formula.left, formula.right});
        return true;
      case Connective::Or:
        draft.now.insert(taken);
        drafts_.push_back(with(draft, {formula.left}, {}));
        draft.pending.insert(formula.right);
        return true;
      case Connective::Next:
        draft.now.insert(taken);
        draft.next.insert(formula.left);
        return true;
      case Connective::Until:
        draft.now.insert(taken);
        drafts_.push_back(with(draft, {formula.left}, {taken}));
        draft.pending.insert(formula.right);
        return true;
      case Connective::Release:
        draft.now.insert(taken);
        drafts_.push_back(with(draft, {formula.right}, {taken}));
        draft.pending.insert({formula.left, formula.right});
        return true;
    }
    return false;
  }

  static Draft with(Draft draft, std::initializer_list<FormulaId> pending,
                    std::initializer_list<FormulaId> next) {
    draft.pending.insert(pending);
    draft.next.insert(next);
    return draft;
  }

  bool contradicts(const FormulaSet& now, const Formula& formula, FormulaId taken) const {
    if (formula.connective == Connective::Not) return now.contains(formula.left);
    return std::ranges::any_of(now, [&](FormulaId each) {
      return formulas_[each].connective == Connective::Not && formulas_[each].left == taken;
    });
  }

  void settle(const Draft& draft) {
    const auto [known, is_new] = numbers_.try_emplace(
        {draft.now, draft.next}, static_cast<uint32_t>(automaton_.states.size()));
    const uint32_t number = known->second;
    if (is_new) {
      automaton_.states.push_back(state_of(draft));
      drafts_.push_back({{number}, draft.next, {}, {}});
    }
    for (uint32_t predecessor : draft.predecessors) {
      std::vector<uint32_t>& list =
          predecessor == kStart ? automaton_.initial : automaton_.states[predecessor].successors;
      if (std::ranges::find(list, number) == list.end()) list.push_back(number);
    }
  }

  AutomatonState state_of(const Draft& draft) const {
    AutomatonState state;
    for (FormulaId each : draft.now) {
      const Formula& formula = formulas_[each];
      if (formula.connective == Connective::Atom) state.required |= uint64_t{1} << formula.atom;
      if (formula.connective == Connective::Not)
        state.forbidden |= uint64_t{1} << formulas_[formula.left].atom;
    }
    for (size_t i = 0; i < untils_.size(); ++i)
      if (!draft.now.contains(untils_[i]) || holds_now(draft, formulas_[untils_[i]].right))
        state.acceptance |= uint64_t{1} << i;
    return state;
  }

  bool holds_now(const Draft& draft, FormulaId formula) const {
    return formulas_[formula].connective == Connective::True || draft.now.contains(formula);
  }

  const Formulas& formulas_;
  std::vector<FormulaId> untils_;
  std::vector<Draft> drafts_;
  std::map<std::pair<FormulaSet, FormulaSet>, uint32_t> numbers_;
  Automaton automaton_;
};

}  // namespace

Automaton automaton_of(const Formulas& formulas, FormulaId formula) {
  return Tableau(formulas, formula).run();
}

uint32_t count_untils(const Formulas& formulas, FormulaId formula) {
  FormulaSet seen, untils;
  collect_untils(formulas, formula, seen, untils);
  return static_cast<uint32_t>(untils.size());
}

}  // namespace heddle::temporal
