// What operators compute. In a header, since an interpreter does little else.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace heddle::graph {

// Of the low `bits` bits.
constexpr uint64_t mask_of(uint32_t bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}
constexpr int64_t as_signed(uint64_t value, uint32_t bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>(((value & mask_of(bits)) ^ sign) - sign);
}

inline uint64_t shift_right_signed(uint64_t a, uint64_t by, uint32_t bits) {
  const uint64_t most = bits - 1;
  return static_cast<uint64_t>(as_signed(a, bits) >> (by < most ? by : most));
}

// Division as C has it, except by zero. The least number by -1 wraps.
inline uint64_t divide_signed(uint64_t a, uint64_t b, uint32_t bits, bool remainder) {
  const int64_t x = as_signed(a, bits), y = as_signed(b, bits);
  if (y == 0) return 0;
  if (y == -1) return remainder ? 0 : 0 - static_cast<uint64_t>(x);
  return static_cast<uint64_t>(remainder ? x % y : x / y);
}

// What an operator makes of values of `from` bits (the width of its first operand; of a Select, of
// its second): a value of `to` bits.
inline uint64_t evaluate(Operator op, uint32_t from, uint32_t to, uint64_t a, uint64_t b = 0,
                         uint64_t c = 0) {
  const uint64_t mask = mask_of(to);
  switch (op) {
    case Operator::Constant:
    case Operator::Register:
    case Operator::ZeroExtend:
    case Operator::Truncate:
      return a & mask;
    case Operator::Not:
      return ~a & mask;
    case Operator::Negate:
      return (0 - a) & mask;
    case Operator::SignExtend:
      return static_cast<uint64_t>(as_signed(a, from)) & mask;
    case Operator::Add:
      return (a + b) & mask;
    case Operator::Sub:
      return (a - b) & mask;
    case Operator::Mul:
      return (a * b) & mask;
    case Operator::UDiv:
      return b == 0 ? 0 : a / b;
    case Operator::SDiv:
      return divide_signed(a, b, from, false) & mask;
    case Operator::URem:
      return b == 0 ? 0 : a % b;
    case Operator::SRem:
      return divide_signed(a, b, from, true) & mask;
    case Operator::And:
      return a & b;
    case Operator::Or:
      return a | b;
    case Operator::Xor:
      return a ^ b;
    case Operator::Shl:
      return b >= from ? 0 : (a << b) & mask;
    case Operator::LShr:
      return b >= from ? 0 : a >> b;
    case Operator::AShr:
      return shift_right_signed(a, b, from) & mask;
    case Operator::Equal:
      return a == b ? 1 : 0;
    case Operator::NotEqual:
      return a != b ? 1 : 0;
    case Operator::ULess:
      return a < b ? 1 : 0;
    case Operator::ULessEq:
      return a <= b ? 1 : 0;
    case Operator::SLess:
      return as_signed(a, from) < as_signed(b, from) ? 1 : 0;
    case Operator::SLessEq:
      return as_signed(a, from) <= as_signed(b, from) ? 1 : 0;
    case Operator::Select:
      return a != 0 ? b : c;
  }
  return 0;
}

}  // namespace heddle::graph
