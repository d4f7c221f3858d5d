// A short name for a sequence of bytes (FNV-1a, 64 bits): tells builds apart, not attackers.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

std::string fingerprint(std::string_view bytes);           // 16 hexadecimal digits
std::string fingerprint_of_file(const std::string& path);  // of what could be read of it

}  // namespace heddle
