#include "runtime/guest/maps.h"

#include <fcntl.h>

#include <charconv>
#include <string_view>

#include "base/check.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

std::string read_file(const char* path) {
  long fd = raw::call(SYS_openat, static_cast<uint64_t>(AT_FDCWD), raw::bits(path), O_RDONLY);
  HEDDLE_CHECK(fd >= 0);
  std::string text;
  char buffer[8192];
  for (;;) {
    long got = raw::call(SYS_read, static_cast<uint64_t>(fd), raw::bits(buffer), sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  raw::call(SYS_close, static_cast<uint64_t>(fd));
  return text;
}

// "begin-end rwxp offset dev inode   path"
Mapping parse_line(std::string_view line) {
  Mapping mapping;
  const char* end = line.data() + line.size();
  auto dash = std::from_chars(line.data(), end, mapping.begin, 16);
  auto space = std::from_chars(dash.ptr + 1, end, mapping.end, 16);
  mapping.writable = space.ptr[2] == 'w';
  mapping.shared = space.ptr[4] == 's';
  size_t slash = line.find_first_of("/[");
  if (slash != std::string_view::npos) mapping.path = line.substr(slash);
  return mapping;
}

}  // namespace

std::vector<Mapping> read_mappings() {
  std::string text = read_file("/proc/self/maps");
  std::vector<Mapping> mappings;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    mappings.push_back(parse_line(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return mappings;
}

}  // namespace heddle
