// Strategies by name.
#pragma once

#include <memory>

#include "strategies/strategy_table.h"

namespace heddle {

// The strategy that options.strategy names; null if there is none of that name, or if it cannot be
// combined with the other options (combinations.h says why).
std::unique_ptr<Strategy> make_strategy(const RunOptions& options);

}  // namespace heddle
