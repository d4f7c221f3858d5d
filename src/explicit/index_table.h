// A flat hash table of indices into something that the caller keeps: four bytes a slot, open
// addressing, at most three quarters full.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace heddle::explicit_states {

class IndexTable {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  // The index for which `same` says yes; else `index` is put in and kNone returned.
  template <typename Same, typename HashOf>
  uint32_t find_or_add(uint64_t hash, uint32_t index, Same same, HashOf hash_of) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow(hash_of);
    for (size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const uint32_t there = slots_[at];
      if (there == kNone) {
        HEDDLE_CHECK(index != kNone);
        slots_[at] = index;
        ++count_;
        return kNone;
      }
      if (same(there)) return there;
    }
  }

  // What the next insertion may need at once: old and new slots exist side by side while it grows.
  size_t bytes() const { return slots_.capacity() * sizeof(uint32_t); }
  size_t bytes_to_grow() const {
    return (count_ + 1) * 4 > slots_.size() * 3 ? 2 * slots_.size() * sizeof(uint32_t) : 0;
  }

 private:
  template <typename HashOf>
  void grow(HashOf hash_of) {
    std::vector<uint32_t> old(slots_.empty() ? 16 : slots_.size() * 2, kNone);
    old.swap(slots_);
    for (const uint32_t index : old) {
      if (index == kNone) continue;
      size_t at = hash_of(index) & (slots_.size() - 1);
      while (slots_[at] != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = index;
    }
  }

  std::vector<uint32_t> slots_;
  size_t count_ = 0;
};

}  // namespace heddle::explicit_states
