#include "temporal/lasso.h"

namespace heddle::temporal {
namespace {

using Column = std::vector<bool>;  // letter by letter

size_t after(const Lasso& lasso, size_t i) {
  return i + 1 < lasso.letters.size() ? i + 1 : lasso.loop;
}

// The least (or greatest) solution of x[i] = now[i] || (meanwhile[i] && x[i + 1]): backwards twice
// through the letters, since what the loop's first letter knows reaches its last one only then.
Column unfold(const Lasso& lasso, const Column& now, const Column& meanwhile, bool greatest) {
  Column x(lasso.letters.size(), greatest);
  for (int round = 0; round < 2; ++round)
    for (size_t i = x.size(); i-- > 0;) x[i] = now[i] || (meanwhile[i] && x[after(lasso, i)]);
  return x;
}

Column column_of(const Formulas& formulas, FormulaId id, const Lasso& lasso) {
  const Formula& formula = formulas[id];
  const size_t size = lasso.letters.size();
  Column result(size), left, right;
  const Connective connective = formula.connective;
  if (connective >= Connective::Not) left = column_of(formulas, formula.left, lasso);
  if (connective >= Connective::And && connective != Connective::Next)
    right = column_of(formulas, formula.right, lasso);
  for (size_t i = 0; i < size; ++i) {
    if (connective == Connective::True) result[i] = true;
    if (connective == Connective::Atom) result[i] = (lasso.letters[i] >> formula.atom & 1) != 0;
    if (connective == Connective::Not) result[i] = !left[i];
    if (connective == Connective::And) result[i] = left[i] && right[i];
    if (connective == Connective::Or) result[i] = left[i] || right[i];
    if (connective == Connective::Next) result[i] = left[after(lasso, i)];
  }
  if (connective == Connective::Until) return unfold(lasso, right, left, false);
  if (connective == Connective::Release) {
    Column both(size);
    for (size_t i = 0; i < size; ++i) both[i] = left[i] && right[i];
    return unfold(lasso, both, right, true);
  }
  return result;
}

}  // namespace

bool holds(const Formulas& formulas, FormulaId formula, const Lasso& lasso) {
  return column_of(formulas, formula, lasso).front();
}

}  // namespace heddle::temporal
