// The middle one of the last few measurements: one that was disturbed does not count.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {

class RecentMedian {
 public:
  static constexpr size_t kKept = 15;

  void add(double value) {
    values_[count_++ % kKept] = value;
    const auto end = static_cast<ptrdiff_t>(std::min<uint64_t>(count_, kKept));
    std::array<double, kKept> ordered = values_;
    std::nth_element(ordered.begin(), ordered.begin() + end / 2, ordered.begin() + end);
    median_ = ordered[static_cast<size_t>(end / 2)];
  }
  double get() const { return median_; }  // 0 before the first

 private:
  std::array<double, kKept> values_{};
  uint64_t count_ = 0;
  double median_ = 0;
};

}  // namespace heddle
