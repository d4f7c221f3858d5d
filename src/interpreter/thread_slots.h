// Which slot of the state a thread has: (parent, n-th child of it) is given one when it is first
// seen and keeps it, as natively. Shared by all who run the same program.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace heddle {

class ThreadSlots {
 public:
  static constexpr uint32_t kMost = 64;  // threads, and children of one

  explicit ThreadSlots(uint32_t slots) : slots_(slots) {}

  // `nth` counts from 1. 0: there are no more slots.
  uint32_t child(uint32_t parent, uint32_t nth) {
    if (nth > kMost) return 0;
    std::atomic<uint8_t>& slot = children_[parent * kMost + nth - 1];
    if (const uint32_t known = slot.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(mutex_);
    if (const uint32_t known = slot.load(std::memory_order_acquire)) return known;
    if (used_ == slots_) return 0;
    births_[used_] = {static_cast<uint8_t>(parent), static_cast<uint8_t>(nth)};
    slot.store(static_cast<uint8_t>(used_), std::memory_order_release);
    return used_++;
  }

  struct Birth {
    uint8_t parent = 0, nth = 0;
  };
  Birth birth(uint32_t slot) const { return births_[slot]; }

 private:
  uint32_t slots_;
  uint32_t used_ = 1;  // main's
  std::mutex mutex_;
  std::array<Birth, kMost> births_{};
  std::array<std::atomic<uint8_t>, kMost * kMost> children_{};
};

}  // namespace heddle
