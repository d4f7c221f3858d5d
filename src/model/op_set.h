// A set of operations that is known when the code is compiled.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "model/action.h"

namespace heddle {

class OpSet {
 public:
  constexpr OpSet(std::initializer_list<Op> ops) {
    for (Op op : ops) words_[number(op) / 64] |= uint64_t{1} << (number(op) % 64);
  }
  constexpr bool contains(Op op) const {
    return (words_[number(op) / 64] >> (number(op) % 64) & 1) != 0;
  }

 private:
  static constexpr uint32_t number(Op op) { return static_cast<uint32_t>(op); }
  uint64_t words_[2] = {};
};

}  // namespace heddle
