// Whether a formula holds of a run that ends in a loop, by the definition of its operators.
#pragma once

#include <cstdint>
#include <vector>

#include "temporal/formula.h"

namespace heddle::temporal {

struct Lasso {
  std::vector<uint64_t> letters;  // the atoms that are true, state by state
  size_t loop = 0;                // after the last letter comes this one
};

// Of the run from its first letter on.
bool holds(const Formulas& formulas, FormulaId formula, const Lasso& lasso);

}  // namespace heddle::temporal
