#include "cli/machine_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace heddle {
namespace {

constexpr uint64_t kGiga = uint64_t{1} << 30;

// The files of the kernel, as far as they matter here.
class Machine {
 public:
  Machine() : root_(mkdtemp(name_)) {
    file("/proc/meminfo", "MemTotal:    8388608 kB\nMemFree: 1 kB\n");
  }
  ~Machine() { std::filesystem::remove_all(root_); }

  Machine& file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
    return *this;
  }
  uint64_t memory() const { return machine_memory(root_); }

 private:
  char name_[32] = "/tmp/heddle-machine-XXXXXX";
  std::string root_;
};

TEST(MachineMemory, IsThatOfTheMachineWhereNobodyHasLess) {
  EXPECT_EQ(Machine().memory(), 8 * kGiga);
  Machine unlimited;
  unlimited.file("/proc/self/cgroup", "0::/user.slice\n");
  unlimited.file("/sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(unlimited.memory(), 8 * kGiga);
}

TEST(MachineMemory, IsThatOfTheGroupOrOfOneAround) {
  Machine machine;
  machine.file("/proc/self/cgroup", "0::/batch/job\n");
  machine.file("/sys/fs/cgroup/batch/job/memory.max", "4294967296\n");
  EXPECT_EQ(machine.memory(), 4 * kGiga);
  machine.file("/sys/fs/cgroup/batch/memory.max", "2147483648\n");
  EXPECT_EQ(machine.memory(), 2 * kGiga);
  machine.file("/sys/fs/cgroup/memory.max", "1073741824\n");
  EXPECT_EQ(machine.memory(), kGiga);
}

TEST(MachineMemory, KnowsGroupsOfTheOldInterface) {
  Machine machine;
  machine.file("/proc/self/cgroup", "5:devices:/a\n4:memory:/job\n1:cpu:/\n0::/\n");
  machine.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.memory(), 8 * kGiga);
  machine.file("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3221225472\n");
  EXPECT_EQ(machine.memory(), 3 * kGiga);
}

TEST(MachineMemory, IsThatOfTheContainerWhereTheGroupHasAnotherName) {
  Machine machine;
  machine.file("/proc/self/cgroup", "0::/../../elsewhere\n");
  machine.file("/sys/fs/cgroup/memory.max", "1073741824\n");
  EXPECT_EQ(machine.memory(), kGiga);
}

TEST(MachineMemory, IsUnknownWithoutFiles) {
  EXPECT_EQ(machine_memory("/nowhere"), 0u);
  EXPECT_GT(machine_memory(), 0u);
}

}  // namespace
}  // namespace heddle
