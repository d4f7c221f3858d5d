// A first-in first-out queue of bytes, in chunks that are allocated as it grows and released as it
// is consumed. Holds the work queues of searches in order of a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace heddle {

class ByteQueue {
 public:
  static constexpr size_t kChunkSize = size_t{1} << 16;

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t chunks() const { return chunks_.size(); }

  void push(uint8_t byte) {
    if (chunks_.empty() || tail_ == kChunkSize) {
      chunks_.push_back(std::make_unique_for_overwrite<uint8_t[]>(kChunkSize));
      tail_ = 0;
    }
    chunks_.back()[tail_++] = byte;
    ++size_;
  }

  // The queue must not be empty.
  uint8_t pop() {
    const uint8_t byte = chunks_.front()[head_++];
    --size_;
    if (head_ == kChunkSize || size_ == 0) {
      chunks_.pop_front();
      head_ = 0;
    }
    return byte;
  }

  // Seven bits a byte, the lowest first; the high bit says that more follow.
  void push_number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) push(static_cast<uint8_t>(number | 0x80));
    push(static_cast<uint8_t>(number));
  }
  uint64_t pop_number() {
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint64_t byte = pop();
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }

 private:
  std::deque<std::unique_ptr<uint8_t[]>> chunks_;
  size_t head_ = 0;  // first byte of the first chunk that is in the queue
  size_t tail_ = 0;  // first byte of the last chunk that is free
  size_t size_ = 0;
};

}  // namespace heddle
