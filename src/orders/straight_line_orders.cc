#include "orders/straight_line_orders.h"

#include <algorithm>

namespace heddle::orders {
namespace {

bool share_a_variable(const Block& a, const Block& b) {
  for (const auto* list : {&a.reads, &a.writes}) {
    if (std::any_of(list->begin(), list->end(),
                    [&](VariableId variable) { return accesses(b, variable); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

Conflicts conflicts_of(const std::vector<Block>& blocks, ReadPairs read_pairs) {
  Conflicts conflicts{.nodes = static_cast<uint32_t>(blocks.size()),
                      .fixed = intra_thread_orders(blocks).edges,
                      .pairs = {}};
  for (uint32_t a = 0; a < blocks.size(); ++a) {
    for (uint32_t b = a + 1; b < blocks.size(); ++b) {
      if (blocks[a].thread == blocks[b].thread) continue;
      const bool ordered = read_pairs == ReadPairs::Ordered ? share_a_variable(blocks[a], blocks[b])
                                                            : conflict(blocks[a], blocks[b]);
      if (ordered) conflicts.pairs.emplace_back(a, b);
    }
  }
  return conflicts;
}

OrdersResult run_orders(const StraightLineProgram& program, ReadPairs read_pairs) {
  const std::vector<Block> blocks = minimum_block_list(program);
  OrdersResult result;
  result.runs = for_each_orientation(conflicts_of(blocks, read_pairs),
                                     [&](const std::vector<uint32_t>& order) {
                                       ++result.finals[run_blocks(program, blocks, order)];
                                       return true;
                                     });
  result.combinations = result.runs;
  return result;
}

}  // namespace heddle::orders
