// A stack of plain values on consecutive places. Unlike a vector it initialises nothing where it
// grows, since its user writes every value anyway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace heddle {

template <typename T>
class PlainStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return room_.data(); }
  const T* begin() const { return room_.data(); }
  const T* end() const { return room_.data() + size_; }
  T& operator[](size_t i) { return room_[i]; }
  const T& operator[](size_t i) const { return room_[i]; }
  T& back() { return room_[size_ - 1]; }

  // The first of `count` more values, which are whatever they were.
  T* grow(size_t count) {
    const size_t before = size_;
    size_ += count;
    if (size_ > room_.size()) room_.resize(std::max(size_, 2 * room_.size()));
    return room_.data() + before;
  }
  void push(const T& value) { *grow(1) = value; }
  void shrink(size_t size) { size_ = size; }
  void remove(size_t i) {
    std::copy(begin() + i + 1, end(), data() + i);
    --size_;
  }

 private:
  std::vector<T> room_;
  size_t size_ = 0;
};

}  // namespace heddle
