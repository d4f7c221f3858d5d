// Who accessed memory, when, and which bytes of an eight-byte granule: one word, so that the usual
// question ("have I done this since I last synchronised?") is one comparison.
//
//   clock (43 bits) | thread (12) | list (1) | bytes (8)
//
// Clocks are drawn from one counter that never goes back, so a word from an earlier execution is
// smaller than any of this one.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace heddle {

using Epoch = uint64_t;

inline constexpr uint32_t kMostRaceThreads = 4096;
inline constexpr unsigned kEpochThreadShift = 9;
inline constexpr unsigned kEpochClockShift = 21;
inline constexpr Epoch kEpochIsList = 1 << 8;
inline constexpr uint64_t kLastClock = (1ull << 43) - 1;

constexpr Epoch make_epoch(ThreadId thread, uint64_t clock) {
  return (clock << kEpochClockShift) | (static_cast<uint64_t>(index(thread)) << kEpochThreadShift);
}
constexpr uint64_t clock_of(Epoch epoch) {
  return epoch >> kEpochClockShift;
}
constexpr ThreadId thread_of(Epoch epoch) {
  return ThreadId{static_cast<uint32_t>(epoch >> kEpochThreadShift) & (kMostRaceThreads - 1)};
}
constexpr bool same_epoch(Epoch a, Epoch b) {
  return ((a ^ b) & ~Epoch{0xff}) == 0;
}
// `past` is of the same epoch as `now` and has all its bytes.
constexpr bool covers(Epoch past, Epoch now) {
  return ((past ^ now) & (~Epoch{0xff} | (now & 0xff))) == 0;
}
constexpr uint8_t bytes_of(Epoch epoch) {
  return static_cast<uint8_t>(epoch);
}

}  // namespace heddle
