// Block sizes: multiples of 16 up to 256 bytes, then four per power of two.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle {

inline constexpr size_t size_class_of(size_t bytes) {
  if (bytes <= 256) return bytes <= 16 ? 0 : (bytes + 15) / 16 - 1;
  unsigned log = std::bit_width(bytes - 1) - 1;  // 2^log < bytes <= 2^(log+1); log >= 8
  size_t quarter = (bytes - 1) >> (log - 2);     // 4..7
  return 16 + (log - 8) * 4 + (quarter - 4);
}

inline constexpr size_t size_of_class(size_t size_class) {
  if (size_class < 16) return (size_class + 1) * 16;
  size_t log = 8 + (size_class - 16) / 4;
  size_t quarter = (size_class - 16) % 4 + 5;
  return quarter << (log - 2);
}

static_assert(size_of_class(size_class_of(256)) == 256);
static_assert(size_of_class(size_class_of(257)) == 320);
static_assert(size_of_class(size_class_of(512)) == 512);
static_assert(size_of_class(size_class_of(513)) == 640);

}  // namespace heddle
