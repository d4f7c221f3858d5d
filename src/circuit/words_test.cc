#include "circuit/words.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "graph/builder.h"
#include "graph/evaluate.h"

namespace heddle::circuit {
namespace {

using graph::Operator;

constexpr Operator kOperators[] = {
#define X(enumerator, text, operands) Operator::enumerator,
    HEDDLE_OPERATORS(X)
#undef X
};

struct Widths {
  uint32_t first, others, result;
};

// Widths that the operator can have, at random.
Widths widths_of(Operator op, Random& random, uint32_t most) {
  const auto bits = static_cast<uint32_t>(1 + random.below(most));
  if (op == Operator::ZeroExtend || op == Operator::SignExtend)
    return {bits, bits, static_cast<uint32_t>(bits + random.below(65 - bits))};
  if (op == Operator::Truncate) return {bits, bits, static_cast<uint32_t>(1 + random.below(bits))};
  if (op == Operator::Select) return {static_cast<uint32_t>(1 + random.below(8)), bits, bits};
  return {bits, bits, graph::is_comparison(op) ? 1 : bits};
}

uint64_t operand(Random& random, uint32_t bits) {
  const uint64_t mask = graph::mask_of(bits);
  switch (random.below(6)) {
    case 0:
      return random.below(4) & mask;
    case 1:
      return (0 - random.below(4)) & mask;
    case 2:
      return (uint64_t{1} << (bits - 1)) & mask;
    case 3:
      return random.below(70) & mask;
    default:
      return random.next() & mask;
  }
}

// Once with constants, which must fold completely, and once with inputs.
void compare(Operator op, Widths w, Random& random) {
  System system;
  Aig& aig = system.aig;
  const Word a = input_word(aig, "a", w.first), b = input_word(aig, "b", w.others),
             c = input_word(aig, "c", w.others);
  const uint32_t from = op == Operator::Select ? w.others : w.first;
  const Word result = apply(aig, op, from, w.result, a, b, c);
  ASSERT_EQ(result.size(), w.result);
  Simulation simulation(system);
  simulation.reset({});
  for (int i = 0; i < 20; ++i) {
    const uint64_t x = operand(random, w.first), y = operand(random, w.others),
                   z = operand(random, w.others);
    std::vector<bool> inputs;
    for (uint32_t k = 0; k < w.first; ++k) inputs.push_back((x >> k & 1) != 0);
    for (uint32_t k = 0; k < w.others; ++k) inputs.push_back((y >> k & 1) != 0);
    for (uint32_t k = 0; k < w.others; ++k) inputs.push_back((z >> k & 1) != 0);
    simulation.set_inputs(inputs);
    uint64_t seen = 0;
    for (uint32_t k = 0; k < w.result; ++k) seen |= uint64_t{simulation.value(result[k])} << k;
    const uint64_t expected = graph::evaluate(op, from, w.result, x, y, z);
    ASSERT_EQ(seen, expected) << "operator " << static_cast<int>(op) << " of " << w.first
                              << " bits: " << x << ", " << y << ", " << z;
    const uint32_t before = aig.gate_count();
    EXPECT_EQ(apply(aig, op, from, w.result, constant_word(x, w.first), constant_word(y, w.others),
                    constant_word(z, w.others)),
              constant_word(expected, w.result));
    EXPECT_EQ(aig.gate_count(), before);
  }
}

TEST(Words, OperatorsComputeWhatEvaluateSays) {
  Random random(1);
  for (const Operator op : kOperators)
    for (int i = 0; i < 12 && !HasFatalFailure(); ++i) {
      const bool slow = op >= Operator::Mul && op <= Operator::SRem;
      compare(op, widths_of(op, random, slow ? 20 : 64), random);
    }
  compare(Operator::Mul, {64, 64, 64}, random);
  compare(Operator::SDiv, {64, 64, 64}, random);
  compare(Operator::SRem, {32, 32, 32}, random);
}

TEST(Words, OneOfTakesCommonBitsAsTheyAre) {
  Aig aig;
  const Literal c = aig.add_input("c"), d = aig.add_input("d");
  const Word five = constant_word(5, 4), seven = constant_word(7, 4);
  const Alternative both[] = {{c, &five}, {d, &seven}};
  EXPECT_EQ(one_of(aig, both), (Word{kTrue, d, kTrue, kFalse}));
}

TEST(Words, CountsOnes) {
  Aig aig;
  EXPECT_EQ(count_ones(aig, {kTrue, kFalse, kTrue, kTrue}, 3), constant_word(3, 3));
}

}  // namespace
}  // namespace heddle::circuit
