#include "cli/did_you_mean.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<std::string> kCommands = {"check", "replay", "explain", "plot", "cc", "c++"};

TEST(DidYouMean, FindsWhatIsNear) {
  EXPECT_EQ(nearest("chekc", kCommands), "check");
  EXPECT_EQ(nearest("rplay", kCommands), "replay");
  EXPECT_EQ(nearest("expl", kCommands), "explain");
  EXPECT_EQ(did_you_mean("plat", kCommands), " (did you mean plot?)");
}

TEST(DidYouMean, KeepsQuietOtherwise) {
  for (const char* word : {"", "x", "frobnicate", "zz", "bank.c"})
    EXPECT_EQ(nearest(word, kCommands), "") << word;
  EXPECT_EQ(nearest(std::string(100'000, 'c'), kCommands), "");
}

}  // namespace
}  // namespace heddle
