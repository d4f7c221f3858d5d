// Steps 1 and 2 of the paper: which variables are shared, and the minimum block list of each
// thread: blocks of consecutive statements with at most one that accesses shared variables.
#pragma once

#include <cstdint>
#include <vector>

#include "orders/straight_line.h"

namespace heddle::orders {

// Blocks are numbered thread by thread, in order.
enum class BlockId : uint32_t {};
constexpr uint32_t index(BlockId block) {
  return static_cast<uint32_t>(block);
}

struct Block {
  uint32_t thread = 0;
  uint32_t first_statement = 0;
  uint32_t end_statement = 0;
  std::vector<VariableId> reads;  // shared ones only
  std::vector<VariableId> writes;
};

// Accessed by more than one thread, by variable.
std::vector<bool> shared_variables(const StraightLineProgram& program);
std::vector<Block> minimum_block_list(const StraightLineProgram& program);

bool accesses(const Block& block, VariableId variable);
bool writes(const Block& block, VariableId variable);
// They access a common variable and one of them writes it.
bool conflict(const Block& a, const Block& b);

}  // namespace heddle::orders
