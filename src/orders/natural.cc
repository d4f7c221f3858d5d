#include "orders/natural.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace heddle::orders {
namespace {

constexpr uint64_t kBase = uint64_t{1} << 32;

void strip(std::vector<uint32_t>& digits) {
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
}

// Divides in place and returns the remainder.
uint32_t divide(std::vector<uint32_t>& digits, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = digits.size(); i-- > 0;) {
    const uint64_t now = rest * kBase + digits[i];
    digits[i] = static_cast<uint32_t>(now / divisor);
    rest = now % divisor;
  }
  strip(digits);
  return static_cast<uint32_t>(rest);
}

}  // namespace

Natural::Natural(uint64_t value) {
  for (; value != 0; value /= kBase) digits_.push_back(static_cast<uint32_t>(value % kBase));
}

Natural& Natural::operator*=(const Natural& other) {
  std::vector<uint32_t> product(digits_.size() + other.digits_.size());
  for (size_t i = 0; i < digits_.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < other.digits_.size() || carry != 0; ++j) {
      const uint64_t factor = j < other.digits_.size() ? other.digits_[j] : 0;
      const uint64_t now = product[i + j] + uint64_t{digits_[i]} * factor + carry;
      product[i + j] = static_cast<uint32_t>(now);
      carry = now / kBase;
    }
  }
  strip(product);
  digits_ = std::move(product);
  return *this;
}

Natural& Natural::operator+=(const Natural& other) {
  digits_.resize(std::max(digits_.size(), other.digits_.size()) + 1);
  uint64_t carry = 0;
  for (size_t i = 0; i < digits_.size(); ++i) {
    carry += digits_[i];
    if (i < other.digits_.size()) carry += other.digits_[i];
    digits_[i] = static_cast<uint32_t>(carry);
    carry /= kBase;
  }
  strip(digits_);
  return *this;
}

Natural& Natural::divide_exactly(uint32_t divisor) {
  HEDDLE_CHECK(divisor != 0);
  const uint32_t rest = divide(digits_, divisor);
  HEDDLE_CHECK(rest == 0);
  return *this;
}

bool operator<(const Natural& a, const Natural& b) {
  if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
  return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(),
                                      b.digits_.rend());
}

std::string Natural::decimal() const {
  if (digits_.empty()) return "0";
  std::vector<uint32_t> left = digits_;
  std::string text;
  while (!left.empty()) text.push_back(static_cast<char>('0' + divide(left, 10)));
  std::reverse(text.begin(), text.end());
  return text;
}

double Natural::log10() const {
  if (digits_.empty()) return -std::numeric_limits<double>::infinity();
  double leading = 0;
  size_t used = 0;
  for (; used < 3 && used < digits_.size(); ++used) {
    leading = leading * static_cast<double>(kBase) + digits_[digits_.size() - 1 - used];
  }
  const auto rest = static_cast<double>(digits_.size() - used);
  return std::log10(leading) + rest * std::log10(static_cast<double>(kBase));
}

}  // namespace heddle::orders
