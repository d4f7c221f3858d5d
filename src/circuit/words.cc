#include "circuit/words.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "graph/builder.h"

namespace heddle::circuit {
namespace {

using graph::Operator;

Word complement(Word word) {
  for (Literal& bit : word) bit = !bit;
  return word;
}

Word negate(Aig& aig, const Word& word) {
  return add(aig, complement(word), constant_word(0, static_cast<uint32_t>(word.size())), kTrue);
}

Word bitwise(Aig& aig, Operator op, const Word& a, const Word& b) {
  Word result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = op == Operator::And  ? aig.land(a[i], b[i])
                : op == Operator::Or ? aig.lor(a[i], b[i])
                                     : aig.lxor(a[i], b[i]);
  return result;
}

// Shifted partial products, added one after the other.
Word multiply(Aig& aig, const Word& a, const Word& b) {
  Word sum(a.size(), kFalse);
  for (size_t i = 0; i < a.size(); ++i) {
    if (b[i] == kFalse) continue;
    Word part(a.size(), kFalse);
    for (size_t k = i; k < a.size(); ++k) part[k] = aig.land(a[k - i], b[i]);
    sum = add(aig, sum, part);
  }
  return sum;
}

struct Division {
  Word quotient, remainder;
};

// Restoring division, from the highest bit on. By zero: whatever comes out.
Division divide(Aig& aig, const Word& a, const Word& b) {
  const auto bits = static_cast<uint32_t>(a.size());
  Division result{Word(bits, kFalse), Word(bits + 1, kFalse)};
  const Word divisor = resized(b, bits + 1);
  for (uint32_t i = bits; i > 0; --i) {
    Word& rest = result.remainder;
    rest.pop_back();
    rest.insert(rest.begin(), a[i - 1]);
    const Literal fits = !less(aig, rest, divisor);
    result.quotient[i - 1] = fits;
    rest = choose(aig, fits, add(aig, rest, complement(divisor), kTrue), rest);
  }
  result.remainder.pop_back();
  return result;
}

Word divide_unsigned(Aig& aig, const Word& a, const Word& b, bool remainder) {
  const Division done = divide(aig, a, b);
  return masked(aig, any(aig, b), remainder ? done.remainder : done.quotient);
}

// On magnitudes; the remainder has the sign of the dividend.
Word divide_signed(Aig& aig, const Word& a, const Word& b, bool remainder) {
  const Literal a_negative = a.back(), b_negative = b.back();
  const Division done = divide(aig, choose(aig, a_negative, negate(aig, a), a),
                               choose(aig, b_negative, negate(aig, b), b));
  const Word& size = remainder ? done.remainder : done.quotient;
  const Literal negative = remainder ? a_negative : aig.lxor(a_negative, b_negative);
  return masked(aig, any(aig, b), choose(aig, negative, negate(aig, size), size));
}

// Stage by stage, by powers of two; what comes in is `fill`.
Word shift(Aig& aig, Operator op, const Word& a, const Word& by) {
  const auto bits = static_cast<uint32_t>(a.size());
  const bool left = op == Operator::Shl;
  const Literal fill = op == Operator::AShr ? a.back() : kFalse;
  Word result = a;
  Literal beyond = kFalse;
  for (uint32_t stage = 0; stage < by.size(); ++stage) {
    const uint64_t distance = stage < 32 ? uint64_t{1} << stage : bits;
    if (distance >= bits) {
      beyond = aig.lor(beyond, by[stage]);
      continue;
    }
    Word moved(bits, fill);
    for (uint32_t i = 0; i < bits; ++i) {
      if (left ? i < distance : i + distance >= bits) continue;
      moved[i] = result[left ? i - distance : i + distance];
    }
    result = choose(aig, by[stage], moved, result);
  }
  return choose(aig, beyond, Word(bits, fill), result);
}

Literal less_signed(Aig& aig, Word a, Word b) {
  a.back() = !a.back();
  b.back() = !b.back();
  return less(aig, a, b);
}

}  // namespace

Word constant_word(uint64_t value, uint32_t bits) {
  Word word(bits);
  for (uint32_t i = 0; i < bits; ++i) word[i] = constant(i < 64 && (value >> i & 1) != 0);
  return word;
}

Word input_word(Aig& aig, const std::string& name, uint32_t bits) {
  Word word;
  for (uint32_t i = 0; i < bits; ++i)
    word.push_back(aig.add_input(name + "[" + std::to_string(i) + "]"));
  return word;
}

Word latch_word(Aig& aig, const std::string& name, uint32_t bits, uint64_t reset) {
  Word word;
  for (uint32_t i = 0; i < bits; ++i)
    word.push_back(aig.add_latch(name + "[" + std::to_string(i) + "]",
                                 (reset >> i & 1) != 0 ? Reset::One : Reset::Zero));
  return word;
}

Word resized(const Word& word, uint32_t bits) {
  Word result = word;
  result.resize(bits, kFalse);
  return result;
}

Literal any(Aig& aig, const Word& word) {
  return aig.lor(word);
}

Literal equal(Aig& aig, const Word& a, const Word& b) {
  HEDDLE_CHECK(a.size() == b.size());
  std::vector<Literal> same;
  for (size_t i = 0; i < a.size(); ++i) same.push_back(aig.iff(a[i], b[i]));
  return aig.land(same);
}

Literal equal(Aig& aig, const Word& a, uint64_t value) {
  if (a.size() < 64 && value >> a.size() != 0) return kFalse;
  return equal(aig, a, constant_word(value, static_cast<uint32_t>(a.size())));
}

Literal less(Aig& aig, const Word& a, const Word& b) {
  HEDDLE_CHECK(a.size() == b.size());
  Literal result = kFalse;
  for (size_t i = 0; i < a.size(); ++i) result = aig.mux(aig.lxor(a[i], b[i]), b[i], result);
  return result;
}

Word add(Aig& aig, const Word& a, const Word& b, Literal carry) {
  HEDDLE_CHECK(a.size() == b.size());
  Word sum(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const Literal half = aig.lxor(a[i], b[i]);
    sum[i] = aig.lxor(half, carry);
    carry = aig.lor(aig.land(a[i], b[i]), aig.land(half, carry));
  }
  return sum;
}

Word plus_one(Aig& aig, const Word& word) {
  return add(aig, word, Word(word.size(), kFalse), kTrue);
}

Word minus_one(Aig& aig, const Word& word) {
  return add(aig, word, Word(word.size(), kTrue));
}

Word choose(Aig& aig, Literal condition, const Word& then, const Word& otherwise) {
  HEDDLE_CHECK(then.size() == otherwise.size());
  Word result(then.size());
  for (size_t i = 0; i < then.size(); ++i) result[i] = aig.mux(condition, then[i], otherwise[i]);
  return result;
}

Word masked(Aig& aig, Literal condition, const Word& word) {
  Word result(word.size());
  for (size_t i = 0; i < word.size(); ++i) result[i] = aig.land(condition, word[i]);
  return result;
}

Word one_of(Aig& aig, std::span<const Alternative> alternatives) {
  if (alternatives.empty()) return {};
  Word result(alternatives.front().value->size());
  for (size_t bit = 0; bit < result.size(); ++bit) {
    const Literal first = (*alternatives.front().value)[bit];
    bool same = true;
    std::vector<Literal> parts;
    for (const Alternative& alternative : alternatives) {
      const Literal value = (*alternative.value)[bit];
      same = same && value == first;
      parts.push_back(aig.land(alternative.condition, value));
    }
    result[bit] = same ? first : aig.lor(parts);
  }
  return result;
}

Word count_ones(Aig& aig, const Word& word, uint32_t bits) {
  Word sum(bits, kFalse);
  for (const Literal bit : word) sum = add(aig, sum, Word(bits, kFalse), bit);
  return sum;
}

Word apply(Aig& aig, Operator op, uint32_t from, uint32_t to, const Word& a, const Word& b,
           const Word& c) {
  switch (op) {
    case Operator::Constant:
    case Operator::Register:
    case Operator::ZeroExtend:
    case Operator::Truncate:
      return resized(a, to);
    case Operator::SignExtend: {
      Word result = a;
      result.resize(to, a.back());
      return result;
    }
    case Operator::Not:
      return complement(a);
    case Operator::Negate:
      return negate(aig, a);
    case Operator::Add:
      return add(aig, a, b);
    case Operator::Sub:
      return add(aig, a, complement(b), kTrue);
    case Operator::Mul:
      return multiply(aig, a, b);
    case Operator::UDiv:
    case Operator::URem:
      return divide_unsigned(aig, a, b, op == Operator::URem);
    case Operator::SDiv:
    case Operator::SRem:
      return divide_signed(aig, a, b, op == Operator::SRem);
    case Operator::And:
    case Operator::Or:
    case Operator::Xor:
      return bitwise(aig, op, a, b);
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr:
      return shift(aig, op, a, b);
    case Operator::Equal:
      return {equal(aig, a, b)};
    case Operator::NotEqual:
      return {!equal(aig, a, b)};
    case Operator::ULess:
      return {less(aig, a, b)};
    case Operator::ULessEq:
      return {!less(aig, b, a)};
    case Operator::SLess:
      return {less_signed(aig, a, b)};
    case Operator::SLessEq:
      return {!less_signed(aig, b, a)};
    case Operator::Select:
      return choose(aig, any(aig, a), b, c);
  }
  HEDDLE_CHECK(from == to && !"an operator");
  return {};
}

}  // namespace heddle::circuit
