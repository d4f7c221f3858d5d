// Wakeup trees: what a search still has to try from the configurations along its path, as ordered
// trees of steps (Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation for optimal dynamic
// partial order reduction", JACM 2017, section 7). A leaf stands for everything that begins with
// the steps on its branch.
//
// All trees of a path live in one pool with a list of free cells; a tree is known by the first of
// its branches. Trees of depth one are the backtrack sets of the simpler searches.
#pragma once

#include <cstdint>
#include <vector>

#include "strategies/action_table.h"

namespace heddle {

struct WakeupStep {
  ActionId action{};
  uint32_t choice = 0;
};

class WakeupTree {
 public:
  using Cell = uint32_t;
  static constexpr Cell kNone = 0xffffffff;

  const WakeupStep& step(Cell cell) const { return cells_[cell].step; }
  Cell next(Cell cell) const { return cells_[cell].next; }
  Cell first_child(Cell cell) const { return cells_[cell].first_child; }
  bool is_leaf(Cell cell) const { return cells_[cell].first_child == kNone; }

  // Adds a branch after its siblings, of which `first` is the first (or kNone).
  Cell append(Cell& first, const WakeupStep& step) {
    const Cell cell = allocate();
    cells_[cell] = {step, kNone, kNone};
    Cell* end = &first;
    while (*end != kNone) end = &cells_[*end].next;
    *end = cell;
    return cell;
  }
  Cell append_child(Cell parent, const WakeupStep& step) {
    Cell first = cells_[parent].first_child;
    const Cell cell = append(first, step);
    cells_[parent].first_child = first;
    return cell;
  }

  void set_children(Cell parent, Cell first) { cells_[parent].first_child = first; }

  // Takes the first branch away; returns the tree below it.
  Cell remove_first(Cell& first) {
    const Cell cell = first, below = cells_[cell].first_child;
    first = cells_[cell].next;
    cells_[cell].next = free_;
    free_ = cell;
    --used_;
    return below;
  }
  void remove_tree(Cell& first) {
    while (first != kNone) {
      Cell below = remove_first(first);
      remove_tree(below);
    }
  }

  size_t used() const { return used_; }
  size_t allocated() const { return cells_.size(); }

 private:
  struct CellData {
    WakeupStep step;
    Cell first_child = kNone;
    Cell next = kNone;
  };

  Cell allocate() {
    ++used_;
    if (free_ == kNone) {
      cells_.push_back({});
      return static_cast<Cell>(cells_.size() - 1);
    }
    const Cell cell = free_;
    free_ = cells_[cell].next;
    return cell;
  }

  std::vector<CellData> cells_;
  Cell free_ = kNone;
  size_t used_ = 0;
};

}  // namespace heddle
