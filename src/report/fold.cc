#include "report/fold.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kLongestPeriod = 12;

size_t repetitions(std::span<const uint32_t> keys, size_t begin, size_t period) {
  size_t times = 1;
  for (size_t at = begin + period; at + period <= keys.size(); at += period, ++times)
    if (!std::equal(keys.begin() + static_cast<ptrdiff_t>(begin),
                    keys.begin() + static_cast<ptrdiff_t>(begin + period),
                    keys.begin() + static_cast<ptrdiff_t>(at)))
      break;
  return times;
}

}  // namespace

// Greedy from the left: at each place the period that covers the most items, if it saves lines
// (a folded stretch costs one line for its count). The shortest period wins ties.
std::vector<Fold> fold(std::span<const uint32_t> keys) {
  std::vector<Fold> folds;
  for (size_t at = 0; at < keys.size();) {
    Fold best{at, 1, 1};
    for (size_t period = 1; period <= kLongestPeriod && at + 2 * period <= keys.size(); ++period) {
      size_t times = repetitions(keys, at, period);
      bool worthwhile = times >= 3 || (times == 2 && period > 2);
      if (worthwhile && times * period > best.times * best.length) best = {at, period, times};
    }
    folds.push_back(best);
    at += best.length * best.times;
  }
  return folds;
}

}  // namespace heddle
