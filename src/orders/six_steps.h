// The algorithm of the paper, as it stands there.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "orders/blocks.h"
#include "orders/natural.h"
#include "orders/po_graph.h"
#include "orders/straight_line.h"

namespace heddle::orders {

struct OrdersResult {
  uint64_t combinations = 0;   // of orders, one per variable: the graphs that are constructed
  uint64_t contradictory = 0;  // those that topological sorting rejects
  uint64_t runs = 0;           // the others, each run once
  std::map<Memory, uint64_t> finals;  // final memory, and how many runs end in it
};

// All orders of the blocks that access a variable, each thread's own order kept.
std::vector<std::vector<BlockId>> orders_of(const std::vector<Block>& blocks, VariableId variable);

// The six steps. The number of combinations is the caller's to look at first
// (graphs_of_the_algorithm in counts.h): they are all constructed.
OrdersResult six_steps(const StraightLineProgram& program);

// How many blocks of each thread access each of the shared variables.
std::vector<std::vector<uint32_t>> access_counts(const StraightLineProgram& program);

// The edges between consecutive blocks of each thread.
PoGraph intra_thread_orders(const std::vector<Block>& blocks);
// Step 6 for one order of the blocks.
Memory run_blocks(const StraightLineProgram& program, const std::vector<Block>& blocks,
                  const std::vector<uint32_t>& order);

}  // namespace heddle::orders
