// Natural numbers of any size: interleavings are counted exactly, and there are many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::orders {

class Natural {
 public:
  Natural() = default;
  Natural(uint64_t value);  // NOLINT(google-explicit-constructor): a number is a number

  Natural& operator*=(const Natural& other);
  Natural& operator+=(const Natural& other);
  // Without remainder, which is checked: counts are divided only by what divides them.
  Natural& divide_exactly(uint32_t divisor);

  friend bool operator==(const Natural&, const Natural&) = default;
  friend bool operator<(const Natural& a, const Natural& b);

  std::string decimal() const;
  double log10() const;  // of 0: minus infinity

 private:
  std::vector<uint32_t> digits_;  // base 2^32, lowest first, no leading zero
};

}  // namespace heddle::orders
