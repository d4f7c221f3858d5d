// Which cells several threads meet at, and which of them change once there are several.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/thread_plan.h"
#include "graph/bit_set.h"
#include "graph/points_to.h"

namespace heddle::events {

class Sharing {
 public:
  explicit Sharing(const circuit::ThreadPlan& plan);

  // By cell; from the number of cells on, whether an object lives.
  bool is_shared(uint32_t cell) const { return shared_.contains(cell); }
  bool changes(uint32_t cell) const { return changes_.contains(cell); }  // by a later thread
  // ... into something else than held or free.
  bool comes_and_goes(uint32_t cell) const { return remade_.contains(cell); }

  // Cells that an action of a thread may access by the address.
  void add_targets(uint32_t slot, uint32_t routine, graph::ExprId address, bool sync, uint32_t bits,
                   bool own, graph::BitSet& into) const;
  graph::BitSet objects(uint32_t slot, uint32_t routine, graph::ExprId pointer) const;
  uint32_t size() const { return cells_ + objects_; }

 private:
  void look_at(uint32_t slot, uint32_t routine);
  void look_at(uint32_t slot, uint32_t routine, const graph::Action& action, bool concurrent);
  void look_at(uint32_t slot, uint32_t routine, const graph::Statement& statement, bool concurrent);
  void note(uint32_t slot, uint32_t cell, bool changes);
  void note_object(uint32_t slot, uint32_t object, bool changes, bool with_cells);
  std::vector<bool> after_a_creation(uint32_t routine) const;

  const circuit::ThreadPlan& plan_;
  graph::PointsTo points_to_;
  uint32_t cells_, objects_;
  graph::BitSet shared_, changes_, remade_;
  std::vector<uint32_t> owner_;         // by cell: the only slot so far; kNobody
  std::vector<uint32_t> site_of_slot_;  // by object: whose site it belongs to; kNobody
};

}  // namespace heddle::events
