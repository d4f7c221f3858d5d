// Memory of the runtime that belongs to this process alone: reserved once, touched as needed, and
// never moved, so the runtime allocates nothing while the program runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace heddle {

// Zeroed pages in the private window. Never returned.
void* reserve_private(uint64_t bytes);

// A vector with a fixed capacity whose untouched part costs nothing.
template <typename T>
class ReservedVector {
 public:
  void reserve(size_t capacity) {
    data_ = static_cast<T*>(reserve_private(capacity * sizeof(T)));
    capacity_ = capacity;
  }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  void push_back(const T& item) {
    HEDDLE_CHECK(size_ < capacity_);
    data_[size_++] = item;
  }
  void pop_back() { --size_; }
  T& back() { return data_[size_ - 1]; }
  void resize(size_t size) {
    HEDDLE_CHECK(size <= capacity_);
    size_ = size;
  }
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace heddle
