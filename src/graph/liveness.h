// Which registers still count: those that may be read before they are written again.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/bit_set.h"
#include "graph/graph.h"

namespace heddle::graph {

using RegisterSet = BitSet;  // of one routine

class Liveness {
 public:
  explicit Liveness(const Routine& routine);

  // Before the action of the block (its operands count).
  const RegisterSet& before_action(BlockId block) const { return before_[index(block)]; }
  // Before the i-th of its statements; their number: before the jump.
  RegisterSet before_statement(BlockId block, size_t statement) const;
  // What an expression reads.
  void add_uses(ExprId expr, RegisterSet& set) const;

 private:
  RegisterSet before_jump(const Block&) const;

  const Routine& routine_;
  std::vector<RegisterSet> uses_;    // by expression
  std::vector<RegisterSet> before_;  // by block
};

}  // namespace heddle::graph
