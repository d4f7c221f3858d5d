// Addresses that stand for descriptors in races. Nothing is mapped there: they are names only. A
// number that was closed and is open again is another descriptor, hence the generations.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "runtime/guest/layout.h"
#include "runtime/rewind/output.h"

namespace heddle {

inline constexpr uint64_t kDescriptorNames = kWindowEnd - (1ull << 32);
inline constexpr uint64_t kDescriptorGenerations = 4096;
inline constexpr uint64_t kBytesOfDescriptor = 8 * kDescriptorGenerations;

constexpr uint64_t name_of_descriptor(int descriptor, uint64_t generation) {
  return kDescriptorNames + static_cast<uint64_t>(descriptor) * kBytesOfDescriptor + generation * 8;
}

// The descriptor that an address in a race stands for; -1: none, it is memory.
constexpr int descriptor_at(Address address) {
  const uint64_t at = value(address) - kDescriptorNames;
  return at < kFirstPrivateDescriptor * kBytesOfDescriptor
             ? static_cast<int>(at / kBytesOfDescriptor)
             : -1;
}

}  // namespace heddle
