// Straight-line threads run once for each partial order of their conflicting blocks.
#pragma once

#include "orders/orientations.h"
#include "orders/six_steps.h"
#include "orders/straight_line.h"

namespace heddle::orders {

enum class ReadPairs : uint8_t {
  Unordered,
  Ordered,  // as in the paper; for comparison
};

// The pairs of blocks that must be ordered.
Conflicts conflicts_of(const std::vector<Block>& blocks, ReadPairs read_pairs);

// As six_steps(), without contradictory graphs.
OrdersResult run_orders(const StraightLineProgram& program, ReadPairs read_pairs);

}  // namespace heddle::orders
