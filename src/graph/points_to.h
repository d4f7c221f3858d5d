// Which objects a pointer may lead to, whatever way the program goes.
//
// Without regard to the order of statements, and to where in an object a pointer leads: a register
// may point to whatever any assignment to it does, a cell to whatever is stored through a pointer
// to its object. Every operation on a pointer leads to the same objects.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/bit_set.h"
#include "graph/graph.h"

namespace heddle::graph {

class PointsTo {
 public:
  explicit PointsTo(const Program& program);

  // By object.
  BitSet objects(RoutineId routine, ExprId expr) const;
  // Which cells an access at the address can be to, by number over all objects: those at a constant
  // address, else all integers of that width (sync: all that are no integers) of the objects.
  void add_cells(RoutineId routine, ExprId address, bool sync, uint32_t bits, BitSet& cells) const;
  // The one cell that it is, if it is known; kNoCell otherwise.
  static constexpr uint32_t kNoCell = 0xffffffff;
  uint32_t only_cell(RoutineId routine, ExprId address, bool sync, uint32_t bits) const;

  uint32_t cell_count() const { return cell_count_; }
  uint32_t first_cell(ObjectId object) const { return first_cell_[index(object)]; }
  uint32_t object_of_cell(uint32_t cell) const { return object_of_cell_[cell]; }

 private:
  void propagate();
  bool propagate_block(uint32_t routine, const Block& block);
  bool flow_into(uint32_t routine, RegisterId into, const BitSet& objects);

  const Program& program_;
  uint32_t cell_count_ = 0;
  std::vector<uint32_t> first_cell_, object_of_cell_;
  std::vector<std::vector<BitSet>> registers_;  // by routine and register
  std::vector<BitSet> contents_;                // by cell
  BitSet returned_;                             // by any thread
};

}  // namespace heddle::graph
