// Where everything of ours lies in the address space of the tested process.
//
// One window, far from where the kernel puts executables and libraries when address-space
// randomisation is off, so that "is this ours?" is a comparison and no address of the program
// depends on the schedule: per-thread areas are at a fixed distance per ThreadId.
#pragma once

#include <cstdint>

namespace heddle {

inline constexpr uint64_t kWindowBegin = 0x1000'0000'0000;
inline constexpr uint64_t kArenaBase = 0x1000'0000'0000;    // explorer state, shared (channel.h)
inline constexpr uint64_t kPrivateBase = 0x1100'0000'0000;  // runtime state, this process only
inline constexpr uint64_t kPrivateBytes = 1ull << 40;
inline constexpr uint64_t kTlsBase = 0x1210'0000'0000;  // parked threads, one slot per ThreadId
inline constexpr uint64_t kTlsSlotBytes = 64ull << 20;
inline constexpr uint64_t kStackBase = 0x1300'0000'0000;  // fiber stacks, likewise
inline constexpr uint64_t kStackSlotBytes = 256ull << 20;
inline constexpr uint64_t kStackBytes = 8ull << 20;  // unless a program asks for more
inline constexpr uint64_t kHeapShadowBase =
    0x1800'0000'0000;                                    // what may be accessed: heap_shadow.h
inline constexpr uint64_t kHeapBase = 0x2000'0000'0000;  // program heap, likewise
inline constexpr uint64_t kHeapSlotBytes = 4ull << 30;
inline constexpr uint64_t kHeapMetaDistance = 0x1000'0000'0000;  // block metadata of an address
inline constexpr uint64_t kWindowEnd = 0x4000'0000'0000;

inline constexpr uint32_t kMaxThreads = 4096;
inline constexpr uint64_t kPageBytes = 4096;

constexpr uint64_t page_down(uint64_t a) {
  return a & ~(kPageBytes - 1);
}
constexpr uint64_t page_up(uint64_t a) {
  return (a + kPageBytes - 1) & ~(kPageBytes - 1);
}

}  // namespace heddle
