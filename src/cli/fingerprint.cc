#include "cli/fingerprint.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

namespace heddle {
namespace {

uint64_t extend(uint64_t hash, std::string_view bytes) {
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

constexpr uint64_t kStart = 0xcbf29ce484222325;

}  // namespace

std::string fingerprint(std::string_view bytes) {
  return fmt::format("{:016x}", extend(kStart, bytes));
}

std::string fingerprint_of_file(const std::string& path) {
  uint64_t hash = kStart;
  if (FILE* file = std::fopen(path.c_str(), "rb")) {
    static char buffer[1 << 16];
    while (size_t got = std::fread(buffer, 1, sizeof buffer, file))
      hash = extend(hash, {buffer, got});
    std::fclose(file);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace heddle
