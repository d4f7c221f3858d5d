// Reads a formula: `G (request -> F granted)`.
//
//   formula   G f, F f, X f, ! f, f U g, f R g, f W g, f && g, f || g, f -> g, f <-> g, ( f ),
//             true, false, or a proposition
//   binding   unary operators bind tightest, then U, R and W (to the right), then &&, ||, ->, <->
//
// A proposition is whatever stands between those: a comparison such as `turn == 1`, a name, or a
// call such as at(1, 12); its text, without needless spaces, is all that is kept of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "temporal/formula.h"

namespace heddle::temporal {

struct SyntaxError {
  size_t column = 0;    // from 1 on
  std::string message;  // one sentence, without a period
};

std::optional<SyntaxError> parse(std::string_view text, Formulas& formulas, FormulaId& into);

}  // namespace heddle::temporal
