#include "cli/write_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle {
namespace {

TEST(WriteFile, ReplacesWhatWasThere) {
  const std::string file = testing::TempDir() + "heddle_write_file_test";
  ASSERT_TRUE(write_file(file, "something longer\n"));
  ASSERT_TRUE(write_file(file, "short\n"));
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "short\n");
  std::filesystem::remove(file);
}

TEST(WriteFile, SaysWhyNot) {
  EXPECT_EQ(write_file("/nowhere/at/all", "text").error().message,
            "cannot write /nowhere/at/all: No such file or directory");
  // Little text reaches the device only when the file is closed.
  EXPECT_EQ(write_file("/dev/full", "text").error().message,
            "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace heddle
