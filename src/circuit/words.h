// Arithmetic on words: vectors of literals, the lowest bit first. What the operators of a program
// graph compute, as gates; graph/evaluate.h says what that is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "circuit/aig.h"
#include "graph/graph.h"

namespace heddle::circuit {

using Word = std::vector<Literal>;

Word constant_word(uint64_t value, uint32_t bits);
Word input_word(Aig& aig, const std::string& name, uint32_t bits);
Word latch_word(Aig& aig, const std::string& name, uint32_t bits, uint64_t reset);

// Cut off, or filled up with zeros.
Word resized(const Word& word, uint32_t bits);

Literal any(Aig& aig, const Word& word);  // it is not 0
Literal equal(Aig& aig, const Word& a, const Word& b);
Literal equal(Aig& aig, const Word& a, uint64_t value);  // false where it does not fit
Literal less(Aig& aig, const Word& a, const Word& b);    // unsigned
Word add(Aig& aig, const Word& a, const Word& b, Literal carry = kFalse);
Word plus_one(Aig& aig, const Word& word);
Word minus_one(Aig& aig, const Word& word);
Word choose(Aig& aig, Literal condition, const Word& then, const Word& otherwise);
Word masked(Aig& aig, Literal condition, const Word& word);  // 0 unless it holds

// One of several values. At most one of the conditions holds; 0 if none does. Bits that are the
// same in all values are taken as they are.
struct Alternative {
  Literal condition;
  const Word* value = nullptr;
};
Word one_of(Aig& aig, std::span<const Alternative> alternatives);

// How many of the bits are 1, in so many bits.
Word count_ones(Aig& aig, const Word& word, uint32_t bits);

// What the operator makes of operands of `from` bits (as in graph::evaluate): a word of `to` bits.
Word apply(Aig& aig, graph::Operator op, uint32_t from, uint32_t to, const Word& a,
           const Word& b = {}, const Word& c = {});

}  // namespace heddle::circuit
