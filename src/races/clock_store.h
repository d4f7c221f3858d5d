// Vector clocks that belong to one execution: those of synchronisation objects and fences. Taken
// from a region that is empty again when the next execution begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "races/shadow_memory.h"

namespace heddle {

// Storage for what lasts as long as an execution.
class ExecutionPool {
 public:
  void initialise(ReserveMemory reserve, uint64_t bytes) {
    begin_ = next_ = static_cast<char*>(reserve(bytes));
    end_ = begin_ + bytes;
  }
  void clear() {
    next_ = begin_;
    exhausted_ = false;
  }
  // Somebody was refused.
  bool exhausted() const { return exhausted_; }

  // Null when there is no room left.
  template <typename T>
  T* take(size_t count, size_t head_bytes = 0) {
    size_t bytes = (head_bytes + count * sizeof(T) + 15) & ~size_t{15};
    if (bytes > static_cast<size_t>(end_ - next_)) {
      exhausted_ = true;
      return nullptr;
    }
    char* at = next_;
    next_ += bytes;
    return reinterpret_cast<T*>(at);
  }

 private:
  char* begin_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
  bool exhausted_ = false;
};

// One clock per thread; those beyond the end are before anything that this execution did.
class StoredClock {
 public:
  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  // Must be called when the pool has been cleared since.
  void forget() { *this = {}; }
  std::span<const uint64_t> values() const { return {values_, size_}; }
  void set(size_t at, uint64_t value) { values_[at] = value; }

  void assign(std::span<const uint64_t> other, ExecutionPool& pool) {
    if (!make_room(other.size(), pool)) return;
    size_ = static_cast<uint32_t>(other.size());
    std::copy(other.begin(), other.end(), values_);
  }

  void merge(std::span<const uint64_t> other, ExecutionPool& pool) {
    if (other.size() > size_) {
      if (!make_room(other.size(), pool)) return;
      std::fill(values_ + size_, values_ + other.size(), 0);
      size_ = static_cast<uint32_t>(other.size());
    }
    for (size_t i = 0; i < other.size(); ++i) values_[i] = std::max(values_[i], other[i]);
  }

 private:
  bool make_room(size_t size, ExecutionPool& pool) {
    if (size <= capacity_) return true;
    size_t wanted = std::max<size_t>(8, size + size / 2);
    auto* values = pool.take<uint64_t>(wanted);
    if (values == nullptr) return false;
    std::copy(values_, values_ + size_, values);
    values_ = values;
    capacity_ = static_cast<uint32_t>(wanted);
    return true;
  }

  uint64_t* values_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace heddle
