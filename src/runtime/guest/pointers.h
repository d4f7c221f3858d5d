// Looks into the program's memory for reports: what is there, and which variable points where.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"

namespace heddle {

// The number of `bytes` bytes (1, 2, 4 or 8) at `address`, if it is there.
std::optional<uint64_t> value_at(uint64_t address, uint64_t bytes);

// A word among the variables of the program that holds this address, the first of them; none:
// kNoAddress.
Address pointer_to(uint64_t address);

}  // namespace heddle
