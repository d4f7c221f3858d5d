// Hashes of states: 64 bits, eight bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::explicit_states {

constexpr uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_pair(uint32_t a, uint32_t b) {
  return mix((uint64_t{a} << 32 | b) ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
}

inline uint64_t hash_bytes(const uint8_t* bytes, size_t size, uint64_t seed) {
  uint64_t hash = seed ^ (0x9e3779b97f4a7c15 * (size + 1));
  while (size >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = mix(hash ^ word, 0xd6e8feb86659fd93);
    bytes += 8;
    size -= 8;
  }
  uint64_t rest = 0;
  if (size != 0) std::memcpy(&rest, bytes, size);
  return mix(hash ^ rest, 0xa0761d6478bd642f);
}

}  // namespace heddle::explicit_states
