#include "cli/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle {

// Closing writes what is left, so it may be what fails.
Result<bool> write_file(const std::string& file, std::string_view text) {
  FILE* out = std::fopen(file.c_str(), "wb");
  bool ok = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  int cause = errno;
  if (out != nullptr && std::fclose(out) != 0 && ok) {
    ok = false;
    cause = errno;
  }
  if (!ok) return Error{fmt::format("cannot write {}: {}", file, std::strerror(cause))};
  return true;
}

}  // namespace heddle
