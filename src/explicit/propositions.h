// What the propositions of a temporal formula mean in the states of a program graph.
//
//   counter == 3, a < b, flag     values of global integers ("queue.items[2]" likewise); orders
//                                 compare signed numbers, and a name alone is true unless 0
//   at(1, 12)                     thread 1 is about to take its action at line 12
//   live(1)                       thread 1 has begun and not ended
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// "counter", "queue.items[3]": how the source calls a cell.
std::string name_of_cell(const StateSpace& space, uint32_t resource);

class Propositions {
 public:
  // `complaint` is a sentence, without a period, if one of them cannot be understood.
  Propositions(const StateSpace& space, const std::vector<std::string>& texts,
               std::string& complaint);

  // Those that are true, as bits. Of an execution that has ended no thread is live.
  uint64_t letter(StateSpace& space, const uint8_t* state, bool ended) const;

 private:
  enum class Comparison : uint8_t { NotZero, Equal, NotEqual, Less, LessEq, Greater, GreaterEq };
  struct Operand {
    bool is_cell = false;
    int64_t number = 0;  // of a cell that never changes, too
    uint32_t offset = 0;
    uint8_t bytes = 0, bits = 64;
  };
  enum class Kind : uint8_t { Compare, At, Live };
  struct Proposition {
    Kind kind = Kind::Compare;
    Comparison comparison = Comparison::NotZero;
    Operand left, right;
    uint32_t thread = 0, line = 0;
  };

  Proposition read(const StateSpace& space, const std::string& text, std::string& complaint) const;
  Operand operand(const StateSpace& space, const std::string& text, std::string& complaint) const;
  static int64_t value_of(const Operand& operand, const uint8_t* state);
  static bool compare(const Proposition& proposition, const uint8_t* state);
  static bool at_line(StateSpace& space, const uint8_t* state, const Proposition& proposition);

  std::vector<Proposition> propositions_;
};

}  // namespace heddle::explicit_states
