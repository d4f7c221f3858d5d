// States seen before: by their hashes, all of them or a bounded number; or in full.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "states/state_tracker.h"

namespace heddle {

// Hashes. With a capacity, an old one makes room for a new one, and is then no longer known:
// whoever prunes by this set does some work twice, but loses nothing by it. What can lose something
// is that two states share a hash; for n states the odds are about n²/2^65.
class StateSet {
 public:
  explicit StateSet(uint64_t capacity = 0);  // 0: unlimited

  bool contains(uint64_t hash) const;
  bool insert(uint64_t hash);  // false if it is there already
  void clear();
  uint64_t size() const { return size_; }

 private:
  static constexpr size_t kWays = 4;  // of a bounded set: places that one hash may take

  size_t home(uint64_t hash) const;
  bool insert_bounded(uint64_t hash);
  void grow();

  std::vector<uint64_t> slots_;  // 0: free
  const bool bounded_;
  uint64_t size_ = 0;
  uint64_t replacements_ = 0;
};

// States in full: no two are taken for one another. Counts the pairs whose hashes are equal.
class ExactStateSet {
 public:
  bool contains(uint64_t hash, const CanonicalState& state) const;
  bool insert(uint64_t hash, CanonicalState state);
  uint64_t size() const { return size_; }
  uint64_t collisions() const { return collisions_; }

 private:
  std::unordered_map<uint64_t, std::vector<CanonicalState>> states_;  // only ever looked up
  uint64_t size_ = 0;
  uint64_t collisions_ = 0;
};

}  // namespace heddle
