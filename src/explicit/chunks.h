// A list that grows without being copied: its memory is never twice what it needs.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::explicit_states {

template <typename T>
class Chunks {
 public:
  size_t size() const { return size_; }
  T& operator[](size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  void push_back(const T& item) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique<T[]>(kChunk));
    (*this)[size_++] = item;
  }
  size_t bytes() const { return chunks_.size() * kChunk * sizeof(T); }

 private:
  static constexpr size_t kChunk = 4096;
  std::vector<std::unique_ptr<T[]>> chunks_;
  size_t size_ = 0;
};

}  // namespace heddle::explicit_states
