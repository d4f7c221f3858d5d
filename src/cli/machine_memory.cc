#include "cli/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

namespace heddle {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// The two interfaces of the kernel: in the first each controller has a tree of its own.
struct Interface {
  const char* controllers;  // in the second field of /proc/self/cgroup
  const char* tree;
  const char* file;
};
constexpr Interface kInterfaces[] = {
    {"", "/sys/fs/cgroup", "memory.max"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
};

uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? number : kNoLimit;  // "max" is no number
}

// A limit holds for all groups below the one that has it. Inside of a container the name of the
// group may be that of another place; its root is there in any case.
uint64_t limit_of_group(const std::string& tree, std::string group, const char* file) {
  uint64_t limit = kNoLimit;
  while (true) {
    limit = std::min(limit, number_in(tree + group + "/" + file));
    if (group.empty()) return limit;
    group.erase(group.rfind('/'));
  }
}

uint64_t limit_of_groups(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  uint64_t limit = kNoLimit;
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/batch/job"
    std::istringstream fields(line);
    std::string number, controllers, group;
    std::getline(fields, number, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, group);
    while (!group.empty() && group.back() == '/') group.pop_back();
    if (!group.empty() && group.front() != '/') continue;
    for (const Interface& one : kInterfaces)
      if (controllers == one.controllers)
        limit = std::min(limit, limit_of_group(root + one.tree, group, one.file));
  }
  return limit;
}

uint64_t total(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string word;
  uint64_t kilobytes = 0;
  while (file >> word)
    if (word == "MemTotal:" && file >> kilobytes) return kilobytes << 10;
  return kNoLimit;
}

}  // namespace

uint64_t machine_memory(const std::string& root) {
  const uint64_t least = std::min(total(root), limit_of_groups(root));
  return least == kNoLimit ? 0 : least;
}

}  // namespace heddle
