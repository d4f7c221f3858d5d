// A set of operations that is known when the code is compiled: all whose row of the table satisfies
// a predicate. Asking it takes no look at the table.
#pragma once

#include <cstdint>

#include "model/operations.h"

namespace heddle {

class OpSet {
 public:
  template <typename Predicate>
  static constexpr OpSet where(Predicate predicate) {
    OpSet set;
    for (uint32_t i = 0; i < kOperations.size(); ++i)
      if (predicate(kOperations[i])) set.words_[i / 64] |= uint64_t{1} << (i % 64);
    return set;
  }
  static constexpr OpSet with(uint8_t property) {
    return where([property](const Operation& row) { return row.has(property); });
  }
  constexpr bool contains(Op op) const {
    return (words_[number(op) / 64] >> (number(op) % 64) & 1) != 0;
  }

 private:
  static constexpr uint32_t number(Op op) { return static_cast<uint32_t>(op); }
  uint64_t words_[(kOperations.size() + 63) / 64] = {};
};

}  // namespace heddle
