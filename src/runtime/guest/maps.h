// The mappings of this process, read without libc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct Mapping {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool writable = false;
  bool shared = false;
  std::string path;  // may be empty or "[heap]", "[stack]", …
};

std::vector<Mapping> read_mappings();

}  // namespace heddle
