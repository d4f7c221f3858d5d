#include "cli/program_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heddle {
namespace fs = std::filesystem;

Result<std::string> cache_folder() {
  auto variable = [](const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr && *value != '\0' ? value : otherwise);
  };
  std::string base = variable("XDG_CACHE_HOME", "");
  if (base.empty()) base = variable("HOME", "/tmp") + "/.cache";
  const fs::path folder = fs::path(base) / "heddle" / "bin";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Error{fmt::format("cannot create {}: {}; set XDG_CACHE_HOME to a writable directory",
                             folder.string(), error.message())};
  return folder.string();
}

std::vector<CachedProgram> cached_programs(const std::string& folder) {
  std::vector<CachedProgram> programs;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    programs.push_back({at->path().string(), at->file_size(ignored),
                        at->last_write_time(ignored).time_since_epoch().count()});
  }
  std::sort(programs.begin(), programs.end(),
            [](const CachedProgram& a, const CachedProgram& b) { return a.used < b.used; });
  return programs;
}

uint64_t cache_limit() {
  constexpr uint64_t kMegabyte = 1 << 20;
  uint64_t megabytes = 200;
  if (const char* chosen = std::getenv("HEDDLE_CACHE_LIMIT"))
    std::from_chars(chosen, chosen + std::strlen(chosen), megabytes);
  return megabytes * kMegabyte;
}

void trim_cache(const std::string& folder, const std::string& but) {
  const std::vector<CachedProgram> programs = cached_programs(folder);
  uint64_t bytes = 0;
  for (const CachedProgram& program : programs) bytes += program.bytes;
  for (const CachedProgram& program : programs) {
    if (bytes <= cache_limit()) return;
    if (program.path == but) continue;
    std::error_code ignored;
    if (fs::remove(program.path, ignored)) bytes -= program.bytes;
  }
}

}  // namespace heddle
