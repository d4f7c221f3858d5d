// Which live threads are to be looked at again when the configuration is made: a bit for each, by
// its place among the live ones. A thread that is suspended in a wait stays as it is until somebody
// wakes it, so those that do nothing cost nothing.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "runtime/guest/layout.h"

namespace heddle {

class Watched {
 public:
  void watch(size_t place) { words_[place / kBits] |= bit(place); }
  void leave(size_t place) { words_[place / kBits] &= ~bit(place); }
  // All from there on, and those that will be added.
  void watch_from(size_t place) {
    words_[place / kBits] |= ~uint64_t{0} << place % kBits;
    for (size_t i = place / kBits + 1; i < words_.size(); ++i) words_[i] = ~uint64_t{0};
  }

  // In order; `visit` may leave the place that it is given.
  template <typename Visit>
  void for_each_below(size_t end, Visit visit) const {
    for (size_t word = 0; word * kBits < end; ++word) {
      uint64_t left = words_[word];
      if (end - word * kBits < kBits) left &= bit(end % kBits) - 1;
      for (; left != 0; left &= left - 1)
        visit(word * kBits + static_cast<size_t>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr size_t kBits = 64;
  static uint64_t bit(size_t place) { return uint64_t{1} << place % kBits; }

  std::array<uint64_t, kMaxThreads / kBits> words_{};
};

}  // namespace heddle
