// SHA-256 (FIPS 180-4) of some bytes, in hexadecimal digits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle {

using Sha256Digits = std::array<char, 64>;

Sha256Digits sha256(std::string_view bytes);

}  // namespace heddle
