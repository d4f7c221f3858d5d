// Thread numbers that do not depend on the schedule: (parent, n-th child of it) is given a number
// when it is first seen in a search and keeps it. Lives in the arena, so that every process of the
// search agrees.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace heddle {

class ThreadNames {
 public:
  ThreadNames() : children_(1) {}

  // `birth` counts from 1.
  ThreadId child(ThreadId parent, uint32_t birth) {
    reserve(parent, birth);
    uint32_t number = children_[index(parent)][birth - 1];
    if (number == 0) {
      number = static_cast<uint32_t>(children_.size());
      children_.emplace_back();
      children_[index(parent)][birth - 1] = number;
    }
    return ThreadId{number};
  }

  template <typename Visit>
  void for_each(Visit visit) const {  // visit(id, parent, birth)
    for (uint32_t parent = 0; parent < children_.size(); ++parent)
      for (uint32_t i = 0; i < children_[parent].size(); ++i)
        if (children_[parent][i] != 0)
          visit(ThreadId{children_[parent][i]}, ThreadId{parent}, i + 1);
  }

  // For a replay: makes (parent, birth) have the number it had when the trace was recorded.
  void preset(ThreadId id, ThreadId parent, uint32_t birth) {
    if (children_.size() <= index(id)) children_.resize(index(id) + 1);
    reserve(parent, birth);
    children_[index(parent)][birth - 1] = index(id);
  }

 private:
  void reserve(ThreadId parent, uint32_t birth) {
    if (children_.size() <= index(parent)) children_.resize(index(parent) + 1);
    if (children_[index(parent)].size() < birth) children_[index(parent)].resize(birth, 0);
  }

  std::vector<std::vector<uint32_t>> children_;  // by parent, by birth - 1; 0: not seen yet
};

}  // namespace heddle
