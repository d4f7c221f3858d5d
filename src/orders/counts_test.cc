#include "orders/counts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::orders {
namespace {

TEST(Natural, Arithmetic) {
  Natural factorial = 1;
  for (uint32_t i = 1; i <= 30; ++i) factorial *= Natural(i);
  EXPECT_EQ(factorial.decimal(), "265252859812191058636308480000000");
  for (uint32_t i = 30; i > 20; --i) factorial.divide_exactly(i);
  EXPECT_EQ(factorial, Natural(2432902008176640000U));
  Natural sum = uint64_t{0xffffffffffffffff};
  sum += Natural(1);
  EXPECT_EQ(sum.decimal(), "18446744073709551616");
  EXPECT_NEAR(sum.log10(), 64 * std::log10(2), 1e-9);
  EXPECT_EQ(Natural().decimal(), "0");
  EXPECT_LT(factorial, sum);
}

TEST(Counts, Lemma1) {
  EXPECT_EQ(interleavings({2, 2}), Natural(6));
  EXPECT_EQ(interleavings({3, 0, 1}), Natural(4));
  EXPECT_NEAR(interleavings({20, 20, 20}).log10(), log10_interleavings(3, 20), 1e-6);
}

TEST(Counts, Lemma2EqualThreadsAreTheWorst) {
  for (uint32_t a = 0; a <= 12; ++a) {
    for (uint32_t b = 0; a + b <= 12; ++b) {
      EXPECT_FALSE(interleavings({4, 4, 4}) < interleavings({a, b, 12 - a - b}));
    }
  }
}

TEST(Counts, Formula4Approximates) {
  // The error of Stirling's formula for the small factorials stays, per thread: 1/(12 β).
  for (const double statements : {5.0, 10.0, 30.0}) {
    const double exact = log10_interleavings(40, statements);
    const double error = 40 / (12 * statements * std::log(10.0));
    EXPECT_NEAR(log10_interleavings_stirling(40, statements), exact + error, 0.05);
  }
}

TEST(Counts, Corollary1IsWhereTheorem1IsLargest) {
  for (const double blocks : {20.0, 100.0, 800.0}) {
    for (const double threads : {2.0, 5.0, 20.0}) {
      const double worst = worst_number_of_variables(blocks, threads);
      const double there = log10_theorem_1(blocks, worst, threads);
      EXPECT_GT(there, log10_theorem_1(blocks, worst * 1.01, threads));
      EXPECT_GT(there, log10_theorem_1(blocks, worst * 0.99, threads));
    }
    EXPECT_NEAR(worst_number_of_variables(blocks, 1e12), blocks / std::exp(1.0), 1e-6 * blocks);
  }
}

TEST(Counts, Theorem2) {
  EXPECT_NEAR(std::pow(10, log10_theorem_2(2) - log10_theorem_2(1)) / 2, 2.087, 0.001);
  for (const double blocks : {10.0, 100.0, 800.0}) {
    EXPECT_LE(log10_worst_time(blocks, 20), log10_theorem_2(blocks));
    EXPECT_NEAR(log10_worst_time(blocks, 1e12), log10_theorem_2(blocks), 1e-6);
  }
}

// "The achieved reduction is for n = 20 and β = 200 at least 10^4923", blocks having 5 statements.
TEST(Counts, TheReductionOfFigure3) {
  const double reduction = log10_interleavings(20, 200) - log10_worst_time(20 * 200 / 5.0, 20);
  EXPECT_EQ(std::floor(reduction), 4923);
}

}  // namespace
}  // namespace heddle::orders
