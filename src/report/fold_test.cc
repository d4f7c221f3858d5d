#include "report/fold.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::string shape(std::vector<uint32_t> keys) {
  std::string text;
  for (const Fold& fold : fold(keys)) {
    if (!text.empty()) text += ' ';
    text += std::to_string(fold.begin) + ":" + std::to_string(fold.length) + "x" +
            std::to_string(fold.times);
  }
  return text;
}

TEST(Fold, FoldsRunsAndLoops) {
  EXPECT_EQ(shape({}), "");
  EXPECT_EQ(shape({1, 2, 3}), "0:1x1 1:1x1 2:1x1");
  EXPECT_EQ(shape({1, 1}), "0:1x1 1:1x1");  // two lines are no longer than one and a count
  EXPECT_EQ(shape({5, 1, 1, 1, 1}), "0:1x1 1:1x4");
  EXPECT_EQ(shape({1, 2, 1, 2, 1, 2, 9}), "0:2x3 6:1x1");
}

TEST(Fold, CoversEveryItemOnce) {
  std::vector<uint32_t> keys;
  for (uint32_t i = 0; i < 5000; ++i) keys.push_back((i * i / 7) % 3);
  size_t at = 0;
  for (const Fold& fold : fold(keys)) {
    EXPECT_EQ(fold.begin, at);
    at += fold.length * fold.times;
  }
  EXPECT_EQ(at, keys.size());
}

}  // namespace
}  // namespace heddle
