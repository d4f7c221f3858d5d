#include "strategies/log_mean.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(LogMean, OfOrdinaryNumbers) {
  LogMean mean;
  EXPECT_EQ(mean.mean(), 0);
  EXPECT_TRUE(std::isinf(mean.relative_error()));
  for (double number : {1.0, 2.0, 3.0, 6.0}) mean.add(std::log(number));
  EXPECT_NEAR(mean.mean(), 3, 1e-12);
  // The variance of the sample is 14/3, that of the mean a quarter of it.
  EXPECT_NEAR(mean.relative_error(), std::sqrt(14.0 / 3 / 4) / 3, 1e-12);
}

TEST(LogMean, CountsZeros) {
  LogMean mean;
  const double zero = -std::numeric_limits<double>::infinity();
  mean.add(zero);
  mean.add(zero);
  EXPECT_EQ(mean.mean(), 0);
  EXPECT_TRUE(std::isinf(mean.relative_error()));
  mean.add(std::log(6));
  EXPECT_NEAR(mean.mean(), 2, 1e-12);
  EXPECT_NEAR(mean.relative_error(), 1, 1e-12);
}

TEST(LogMean, OfEqualNumbersHasNoError) {
  LogMean mean;
  for (int i = 0; i < 1000; ++i) mean.add(5);
  EXPECT_NEAR(mean.relative_error(), 0, 1e-6);
}

TEST(LogMean, OfNumbersThatAreTooLarge) {
  LogMean mean;
  for (int i = 0; i < 10; ++i) mean.add(i % 2 == 0 ? 5000 : 5000 + std::log(3));
  EXPECT_TRUE(std::isinf(mean.mean()));
  EXPECT_NEAR(mean.relative_error(), 1.0 / 2 / 3, 1e-9);
}

}  // namespace
}  // namespace heddle
