// Addresses in messages, without stdio.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

inline std::string hexadecimal(uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  while ((number /= 16) != 0);
  return "0x" + digits;
}

}  // namespace heddle
