#include "cli/seal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

// The vectors of the paper: the key is 00 01 … 0f, the text 00 01 … of that length.
TEST(Seal, HashesAsPublished) {
  const HashKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  EXPECT_EQ(keyed_hash(key, text), 0x726fdb47dd0e0e31u);
  for (char c = 0; c < 15; ++c) text += c;
  EXPECT_EQ(keyed_hash(key, text), 0xa129ca6149be45e5u);
}

class Sealing : public testing::Test {
 protected:
  Sealing() {
    home_ = testing::TempDir() + "heddle_seal_test";
    std::filesystem::remove_all(home_);
    setenv("XDG_STATE_HOME", home_.c_str(), 1);
    trace_.program = "/home/me/queue";
    trace_.build_id = "5f0c";
    trace_.arguments = {"3"};
    trace_.run_settings = {"visible=all"};
  }
  ~Sealing() override {
    std::filesystem::remove_all(home_);
    unsetenv("XDG_STATE_HOME");
  }

  std::string home_;
  Trace trace_;
};

TEST_F(Sealing, HoldsAsLongAsNothingIsChanged) {
  EXPECT_FALSE(is_sealed(trace_));
  seal(trace_);
  EXPECT_TRUE(is_sealed(trace_));
  Trace other = trace_;
  other.program = "/bin/sh";
  EXPECT_FALSE(is_sealed(other));
  other = trace_;
  other.arguments = {"3", ""};
  EXPECT_FALSE(is_sealed(other));
  other = trace_;
  other.run_settings.insert(other.run_settings.begin(), "entry=1");
  EXPECT_FALSE(is_sealed(other));
  other = trace_;
  other.build_id = "5f0d";
  EXPECT_FALSE(is_sealed(other));
}

TEST_F(Sealing, OtherKeysDoNotDo) {
  seal(trace_);
  std::filesystem::remove_all(home_);
  Trace mine = trace_;
  mine.run_settings.pop_back();
  seal(mine);
  EXPECT_TRUE(is_sealed(mine));
  EXPECT_FALSE(is_sealed(trace_));
}

TEST_F(Sealing, AKeyThatOthersMayReadIsNone) {
  seal(trace_);
  std::filesystem::permissions(home_ + "/heddle/key", std::filesystem::perms(0644));
  EXPECT_FALSE(is_sealed(trace_));
}

}  // namespace
}  // namespace heddle
