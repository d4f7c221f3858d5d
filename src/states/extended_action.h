// An action together with what orders it: the elements of a happens-before state.
//
// Each step of an execution becomes ⟨op, thread, step, object, version⟩ (Musuvathi, Qadeer,
// MSR-TR-2007-12, section 3.3; SCALE, section 5.3.4): it is the thread's n-th step, and it met its
// object after so many changes. A changing access counts itself, an observing one refers to the
// last change. The set of these tuples determines the happens-before order, and the order
// determines the set: two executions are equivalent exactly if their sets are equal.
//
// Where we deviate: an action may touch two things (a wait: condition and mutex); the alternative
// that a choice took is part of the tuple; and memory is versioned by the byte, because accesses
// may overlap without being equal.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "model/dependence.h"

namespace heddle {

struct VersionedAccess {
  ResourceKind kind = ResourceKind::Memory;
  AccessMode mode = AccessMode::Observes;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t version = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler makes of <=>
  friend auto operator<=>(const VersionedAccess&, const VersionedAccess&) = default;
};

struct ExtendedAction {
  ThreadId thread = kMainThread;
  uint32_t step = 0;  // how many steps the thread took before
  uint32_t choice = 0;
  Op op = Op::ThreadStart;
  uint8_t access_count = 0;
  std::array<VersionedAccess, Accesses::kMost> accesses{};
  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler makes of <=>
  friend auto operator<=>(const ExtendedAction&, const ExtendedAction&) = default;
};

// The finaliser of splitmix64.
constexpr uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
constexpr uint64_t mix(uint64_t seed, uint64_t word) {
  return mix(seed * 0x9e3779b97f4a7c15 + word + 0x632be59bd9b4e019);
}

// A state's hash is the sum of its elements' mixes, whatever the order they are added in.
inline uint64_t mix(const ExtendedAction& action) {
  uint64_t hash = mix(uint64_t{index(action.thread)} << 32 | action.step,
                      uint64_t{action.choice} << 8 | static_cast<uint8_t>(action.op));
  for (size_t i = 0; i < action.access_count; ++i) {
    const VersionedAccess& access = action.accesses[i];
    hash = mix(hash, access.begin);
    hash = mix(hash, access.end << 3 | static_cast<uint64_t>(access.kind) << 1 |
                         static_cast<uint64_t>(access.mode));
    hash = mix(hash, access.version);
  }
  return hash;
}

}  // namespace heddle
