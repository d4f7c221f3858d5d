// Folds repetitions: a spin loop of a thousand turns is shown as one turn and a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

// A stretch of the input: `length` items from `begin`, which occur `times` times in a row.
struct Fold {
  size_t begin = 0;
  size_t length = 1;
  size_t times = 1;
};

// `keys` has one number per item; equal numbers are equal items.
std::vector<Fold> fold(std::span<const uint32_t> keys);

}  // namespace heddle
