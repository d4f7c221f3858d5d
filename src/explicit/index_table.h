// A flat hash table of indices into something that the caller keeps: eight bytes a slot, half of
// them index and half of them hash, open addressing, at most three quarters full.
//
// With the hash at hand the caller's things are looked at only where they are very likely the same,
// and never while the table grows: with millions of them each look is a miss of the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"

namespace heddle::explicit_states {

class IndexTable {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  // The index for which `same` says yes; else `index` is put in and kNone returned.
  template <typename Same>
  uint32_t find_or_add(uint64_t hash, uint32_t index, Same same) {
    if (is_full()) grow();
    const auto mark = static_cast<uint32_t>(hash >> 32);
    const size_t mask = slots_.size() - 1;
    for (size_t at = mark & mask;; at = (at + 1) & mask) {
      const Slot there = slots_[at];
      if (there.index == kNone) {
        HEDDLE_CHECK(index != kNone);
        slots_[at] = {index, mark};
        ++count_;
        return kNone;
      }
      if (there.mark == mark && same(there.index)) return there.index;
    }
  }

  size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
  // With `more` insertions to come: old and new slots exist side by side while it grows.
  size_t bytes_with(size_t more) const {
    const bool grows = (count_ + more) * 4 > slots_.size() * 3;
    return grows ? bytes() + 2 * slots_.size() * sizeof(Slot) : bytes();
  }

 private:
  struct Slot {
    uint32_t index = kNone;
    uint32_t mark = 0;  // of the hash
  };

  bool is_full() const { return (count_ + 1) * 4 > slots_.size() * 3; }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot slot : old) {
      if (slot.index == kNone) continue;
      size_t at = slot.mark & mask;
      while (slots_[at].index != kNone) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace heddle::explicit_states
