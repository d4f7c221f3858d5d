// Clocks of steps in one vector, a row for each; all rows have room for the same number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle {

// Makes the first `count` rows long enough for so many threads; `stride` is their length.
inline void widen_rows(std::vector<uint32_t>& rows, size_t count, size_t& stride, size_t threads) {
  if (threads <= stride) return;
  size_t wider = stride;
  while (wider < threads) wider *= 2;
  std::vector<uint32_t> copy(count * wider);
  for (size_t i = 0; i < count; ++i) std::copy_n(&rows[i * stride], stride, &copy[i * wider]);
  rows = std::move(copy);
  stride = wider;
}

}  // namespace heddle
