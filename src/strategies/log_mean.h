// The mean of numbers that are known by their logarithms, because they may be too large for a
// double, and how far it may be from the truth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace heddle {

class LogMean {
 public:
  // Minus infinity is the logarithm of 0.
  void add(double logarithm) {
    ++count_;
    sum_ = log_of_sum(sum_, logarithm);
    squares_ = log_of_sum(squares_, 2 * logarithm);
  }

  uint64_t count() const { return count_; }
  // 0 if there is none; infinity if it is too large.
  double mean() const {
    return count_ == 0 ? 0 : std::exp(sum_ - std::log(static_cast<double>(count_)));
  }
  // The standard error of the mean, as a part of it; infinity where it is not known.
  double relative_error() const {
    if (count_ < 2 || std::isinf(sum_)) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(count_);
    const double variance = n * std::exp(squares_ - 2 * sum_) - 1;  // in squares of the mean
    return std::sqrt(std::max(variance, 0.0) / (n - 1));
  }

 private:
  static constexpr double kLogOfZero = -std::numeric_limits<double>::infinity();

  static double log_of_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return b == kLogOfZero ? a : a + std::log1p(std::exp(b - a));
  }

  uint64_t count_ = 0;
  double sum_ = kLogOfZero;
  double squares_ = kLogOfZero;
};

}  // namespace heddle
