// Which bytes of the program's heap may be accessed: one byte per eight, in an area of its own.
//
// Nothing is cleared between executions: an allocation writes what it needs, and what lies behind
// the last block of an execution is beyond the red zone of that block.
#pragma once

#include <cstdint>

#include "runtime/guest/layout.h"

namespace heddle {

inline constexpr uint64_t kHeapBytes = uint64_t{kMaxThreads} * kHeapSlotBytes;
inline constexpr uint64_t kRedZoneBytes = 16;  // at least so much behind each block

// Up to 8: so many bytes from the first on.
inline constexpr uint8_t kNeverAllocated = 0, kAllBytes = 8, kRedZone = 0xfa, kFreedBytes = 0xfd;

// Large blocks, in the upper half of a slot, would cost too much: they have one byte per page.
inline constexpr uint8_t kLivePage = 0xe1, kLastPage = 0xe2, kRedPage = 0xe3, kFreedPage = 0xe4;
inline constexpr uint64_t kLargeBit = 1ull << 31;

inline uint8_t* heap_shadow(uint64_t address) {
  return reinterpret_cast<uint8_t*>(kHeapShadowBase + ((address - kHeapBase) >> 3));
}
inline uint8_t* page_shadow(uint64_t address) {
  uint64_t large = address & ~(kHeapSlotBytes - 1) & ~(kLargeBit - 1);
  return heap_shadow(large | kLargeBit) + ((address & (kLargeBit - 1)) / kPageBytes);
}

// An access of up to eight bytes of the heap that needs a closer look (Heap::may_access).
inline bool suspicious_heap_access(uint64_t address, uint32_t bytes) {
  if ((address & kLargeBit) != 0)
    return *page_shadow(address) != kLivePage || address % kPageBytes + bytes > kPageBytes;
  uint64_t last = (address & 7) + bytes;
  uint8_t allowed = *heap_shadow(address);
  return allowed < last || allowed > kAllBytes;
}

}  // namespace heddle
