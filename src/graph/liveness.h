// Which registers still count: those that may be read before they are written again.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

// Sets of registers of one routine, as bits.
class RegisterSet {
 public:
  explicit RegisterSet(size_t registers = 0) : words_((registers + 63) / 64) {}
  bool contains(uint32_t r) const { return (words_[r / 64] >> r % 64 & 1) != 0; }
  void insert(uint32_t r) { words_[r / 64] |= uint64_t{1} << r % 64; }
  void erase(uint32_t r) { words_[r / 64] &= ~(uint64_t{1} << r % 64); }
  // Whether it has grown.
  bool merge(const RegisterSet& other) {
    bool grown = false;
    for (size_t i = 0; i < words_.size(); ++i) {
      grown |= (other.words_[i] & ~words_[i]) != 0;
      words_[i] |= other.words_[i];
    }
    return grown;
  }
  friend bool operator==(const RegisterSet&, const RegisterSet&) = default;

 private:
  std::vector<uint64_t> words_;
};

class Liveness {
 public:
  explicit Liveness(const Routine& routine);

  // Before the action of the block (its operands count).
  const RegisterSet& before_action(BlockId block) const { return before_[index(block)]; }
  // Before the i-th of its statements; their number: before the jump.
  RegisterSet before_statement(BlockId block, size_t statement) const;
  // What an expression reads.
  void add_uses(ExprId expr, RegisterSet& set) const;

 private:
  RegisterSet before_jump(const Block&) const;

  const Routine& routine_;
  std::vector<RegisterSet> uses_;    // by expression
  std::vector<RegisterSet> before_;  // by block
};

}  // namespace heddle::graph
