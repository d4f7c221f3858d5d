// The loops of a routine, and in which order the blocks of its unrolling are taken.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/thread_plan.h"
#include "graph/graph.h"

namespace heddle::events {

class LoopNest {
 public:
  LoopNest(const graph::Routine& routine, const circuit::RoutinePlan& plan);

  // Whether each loop is entered at one block only, its header.
  bool is_reducible() const { return reducible_; }
  // Headers of the loops around a block (its own, too, if it is one), the outermost first.
  const std::vector<uint32_t>& around(uint32_t block) const { return around_[block]; }
  bool is_header(uint32_t block) const {
    return !around_[block].empty() && around_[block].back() == block;
  }

 private:
  bool reducible_ = true;
  std::vector<std::vector<uint32_t>> around_;
};

}  // namespace heddle::events
