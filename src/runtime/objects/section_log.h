// What an atomic section has done so far: the actions that others would have seen, one by one, and
// its plain accesses to memory. A reduction reads from it what the step touched
// (Executor::last_section).
//
// It lies in the memory that all processes of the search share, and never grows: a section that
// does more than fits here is dependent with everything.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "model/action.h"

namespace heddle {

class SectionLog {
 public:
  void clear() {
    size_ = 0;
    too_much_ = false;
  }
  void add(const Action& action) {
    if (is_known(action)) return;
    if (size_ == list_.size())
      too_much_ = true;
    else
      list_[size_++] = action;
  }
  void add_unknown() { too_much_ = true; }
  std::span<const Action> actions() const { return {list_.data(), too_much_ ? 0 : size_}; }

 private:
  static bool is_memory(Op op) {
    return op == Op::Read || op == Op::Write || op == Op::AtomicLoad || op == Op::AtomicStore ||
           op == Op::AtomicRmw || op == Op::AtomicCas;
  }
  // The order of other operations counts.
  bool is_known(const Action& action) const {
    if (!is_memory(action.op)) return false;
    for (size_t i = size_; i-- > 0;)
      if (list_[i].op == action.op && list_[i].object == action.object &&
          list_[i].size == action.size)
        return true;
    return false;
  }

  std::array<Action, 1024> list_;
  size_t size_ = 0;
  bool too_much_ = false;
};

}  // namespace heddle
