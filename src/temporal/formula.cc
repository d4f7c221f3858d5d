#include "temporal/formula.h"

#include <algorithm>

namespace heddle::temporal {

FormulaId Formulas::intern(Formula formula) {
  const auto [found, is_new] =
      known_.try_emplace({formula.connective, formula.atom, formula.left, formula.right},
                         FormulaId{static_cast<uint32_t>(formulas_.size())});
  if (is_new) formulas_.push_back(formula);
  return found->second;
}

FormulaId Formulas::truth(bool value) {
  return intern({value ? Connective::True : Connective::False, 0, {}, {}});
}

FormulaId Formulas::atom(const std::string& text) {
  const auto found = std::ranges::find(atoms_, text);
  const auto number = static_cast<uint32_t>(found - atoms_.begin());
  if (found == atoms_.end()) atoms_.push_back(text);
  return intern({Connective::Atom, number, {}, {}});
}

FormulaId Formulas::negation(FormulaId of) {
  if (of == truth(true)) return truth(false);
  if (of == truth(false)) return truth(true);
  const Formula formula = (*this)[of];
  if (formula.connective == Connective::Not) return formula.left;
  return intern({Connective::Not, 0, of, {}});
}

FormulaId Formulas::conjunction(FormulaId left, FormulaId right) {
  if (left == truth(false) || right == truth(false)) return truth(false);
  if (left == truth(true) || left == right) return right;
  if (right == truth(true)) return left;
  return intern({Connective::And, 0, std::min(left, right), std::max(left, right)});
}

FormulaId Formulas::disjunction(FormulaId left, FormulaId right) {
  if (left == truth(true) || right == truth(true)) return truth(true);
  if (left == truth(false) || left == right) return right;
  if (right == truth(false)) return left;
  return intern({Connective::Or, 0, std::min(left, right), std::max(left, right)});
}

FormulaId Formulas::next(FormulaId of) {
  if (of == truth(true) || of == truth(false)) return of;
  return intern({Connective::Next, 0, of, {}});
}

FormulaId Formulas::until(FormulaId left, FormulaId right) {
  if (right == truth(true) || right == truth(false) || left == truth(false)) return right;
  return intern({Connective::Until, 0, left, right});
}

FormulaId Formulas::release(FormulaId left, FormulaId right) {
  if (right == truth(true) || right == truth(false) || left == truth(true)) return right;
  return intern({Connective::Release, 0, left, right});
}

FormulaId Formulas::normal_form(FormulaId of, bool negate) {
  const Formula formula = (*this)[of];
  const auto left = [&] { return normal_form(formula.left, negate); };
  const auto right = [&] { return normal_form(formula.right, negate); };
  switch (formula.connective) {
    case Connective::True:
      return truth(!negate);
    case Connective::False:
      return truth(negate);
    case Connective::Atom:
      return negate ? negation(of) : of;
    case Connective::Not:
      return normal_form(formula.left, !negate);
    case Connective::And:
      return negate ? disjunction(left(), right()) : conjunction(left(), right());
    case Connective::Or:
      return negate ? conjunction(left(), right()) : disjunction(left(), right());
    case Connective::Next:
      return next(left());
    case Connective::Until:
      return negate ? release(left(), right()) : until(left(), right());
    case Connective::Release:
      return negate ? until(left(), right()) : release(left(), right());
  }
  return of;
}

bool Formulas::has_next(FormulaId of) const {
  const Formula& formula = (*this)[of];
  switch (formula.connective) {
    case Connective::True:
    case Connective::False:
    case Connective::Atom:
      return false;
    case Connective::Next:
      return true;
    case Connective::Not:
      return has_next(formula.left);
    default:
      return has_next(formula.left) || has_next(formula.right);
  }
}

std::string Formulas::text(FormulaId of) const {
  const Formula& formula = (*this)[of];
  const auto both = [&](const char* between) {
    return "(" + text(formula.left) + between + text(formula.right) + ")";
  };
  switch (formula.connective) {
    case Connective::True:
      return "true";
    case Connective::False:
      return "false";
    case Connective::Atom:
      return atoms_[formula.atom];
    case Connective::Not:
      return "!(" + text(formula.left) + ")";
    case Connective::And:
      return both(" && ");
    case Connective::Or:
      return both(" || ");
    case Connective::Next:
      return "X (" + text(formula.left) + ")";
    case Connective::Until:
      return both(" U ");
    case Connective::Release:
      return both(" R ");
  }
  return "";
}

}  // namespace heddle::temporal
