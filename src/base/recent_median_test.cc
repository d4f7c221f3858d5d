#include "base/recent_median.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(RecentMedian, IsZeroBeforeTheFirst) {
  EXPECT_EQ(RecentMedian().get(), 0);
}

TEST(RecentMedian, IsNotMovedByAFewThatWereDisturbed) {
  RecentMedian median;
  for (int i = 0; i < 100; ++i) {
    median.add(i % 3 == 2 ? 1e9 : 10);
    EXPECT_EQ(median.get(), 10);
  }
}

TEST(RecentMedian, FollowsWhenMostHaveChanged) {
  RecentMedian median;
  for (int i = 0; i < 100; ++i) median.add(1);
  for (size_t i = 0; i < RecentMedian::kKept / 2; ++i) median.add(5);
  EXPECT_EQ(median.get(), 1);
  median.add(5);
  EXPECT_EQ(median.get(), 5);
}

TEST(RecentMedian, IsTheMiddleOfThoseThereAre) {
  RecentMedian median;
  for (double value : {4.0, 1.0, 3.0}) median.add(value);
  EXPECT_EQ(median.get(), 3);
}

}  // namespace
}  // namespace heddle
