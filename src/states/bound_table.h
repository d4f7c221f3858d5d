// What is known of context bounds, by a hash of state and thread: open addressing in one array.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace heddle {

class BoundTable {
 public:
  struct Range {  // where the bound lies
    uint32_t least = 0;
    uint32_t most = std::numeric_limits<uint32_t>::max();
  };

  Range find(uint64_t key) const {
    const Slot& slot = slots_[place(key)];
    return slot.key == 0 ? Range{} : slot.range;
  }
  void at_least(uint64_t key, uint32_t bound) {
    Range& range = insert(key);
    if (range.least < bound) range.least = bound;
  }
  void at_most(uint64_t key, uint32_t bound) {
    Range& range = insert(key);
    if (range.most > bound) range.most = bound;
  }
  size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t key = 0;  // 0: free
    Range range;
  };

  // Of the key, or where it would be. Keys are hashes already, and odd.
  size_t place(uint64_t key) const {
    size_t at = key >> 1 & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  Range& insert(uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    size_ += slot.key == 0 ? 1 : 0;
    slot.key = key;
    return slot.range;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) slots_[place(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  size_t size_ = 0;
};

}  // namespace heddle
