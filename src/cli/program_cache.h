// The programs that `heddle check` has compiled from sources, kept for replays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

struct CachedProgram {
  std::string path;
  uint64_t bytes = 0;
  int64_t used = 0;  // when it was last made, as a file time
};

// Made if need be.
Result<std::string> cache_folder();

// The oldest first.
std::vector<CachedProgram> cached_programs(const std::string& folder);

// In bytes: HEDDLE_CACHE_LIMIT (in MB), or what is the limit without it.
uint64_t cache_limit();

// Removes the oldest until the rest is within the limit, but never this one.
void trim_cache(const std::string& folder, const std::string& but);

}  // namespace heddle
