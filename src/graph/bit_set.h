// Sets of small numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::graph {

class BitSet {
 public:
  explicit BitSet(size_t size = 0) : words_((size + 63) / 64) {}

  bool contains(uint32_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void insert(uint32_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  void erase(uint32_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }
  void clear() { words_.assign(words_.size(), 0); }
  void insert_all(size_t count) {
    for (size_t i = 0; i < count; ++i) insert(static_cast<uint32_t>(i));
  }
  bool empty() const {
    for (uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }
  size_t count() const {
    size_t sum = 0;
    for (uint64_t word : words_) sum += static_cast<size_t>(std::popcount(word));
    return sum;
  }
  // Whether it has grown. Both are for numbers of the same range.
  bool merge(const BitSet& other) {
    uint64_t grown = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      grown |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return grown != 0;
  }
  bool meets(const BitSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  template <typename Function>
  void for_each(Function function) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t word = words_[i]; word != 0; word &= word - 1)
        function(static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(word))));
  }
  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace heddle::graph
