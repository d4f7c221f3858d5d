#include "cli/memory_use.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

constexpr uint64_t kBlockBytes = 512;  // of st_blocks
constexpr size_t kMostProcesses = 10'000;

std::vector<pid_t> with_descendants(pid_t process) {
  std::vector<pid_t> found{process};
  for (size_t i = 0; i < found.size() && found.size() < kMostProcesses; ++i) {
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", found[i]));
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

// A line "NAME:  1234 kB" of a file in /proc.
std::optional<uint64_t> bytes_named(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  std::string word;
  uint64_t kilobytes = 0;
  while (file >> word)
    if (word == name && file >> kilobytes) return kilobytes << 10;
  return std::nullopt;
}

// Of a process that has ended there is nothing.
uint64_t resident(pid_t process) {
  return bytes_named(fmt::format("/proc/{}/status", process), "RssAnon:").value_or(0);
}

uint64_t share(pid_t process) {
  const auto bytes = bytes_named(fmt::format("/proc/{}/smaps_rollup", process), "Pss_Anon:");
  return bytes ? *bytes : resident(process);
}

uint64_t in_file(int fd) {
  struct stat file {};
  return fstat(fd, &file) == 0 ? static_cast<uint64_t>(file.st_blocks) * kBlockBytes : 0;
}

}  // namespace

uint64_t memory_use(int channel_fd, pid_t process, uint64_t enough) {
  const std::vector<pid_t> processes = with_descendants(process);
  const uint64_t kept = in_file(channel_fd);
  uint64_t sum = kept;
  for (pid_t each : processes) sum += resident(each);
  if (sum <= enough || processes.size() == 1) return sum;
  sum = kept;
  for (pid_t each : processes) sum += share(each);
  return sum;
}

}  // namespace heddle
