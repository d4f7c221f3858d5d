#include "base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace heddle {
namespace {

TEST(Random, IsSplitmix64) {
  Random random(1234567);  // the reference values of Vigna's splitmix64.c
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, RepeatsForTheSameSeed) {
  Random a(9), b(9), c(10);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
}

TEST(Random, SpreadsEvenlyBelowItsLimit) {
  Random random(1);
  std::array<int, 5> seen{};
  for (int i = 0; i < 50'000; ++i) ++seen[random.below(seen.size())];
  for (int count : seen) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace heddle
