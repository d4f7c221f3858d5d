// Büchi automata of temporal formulas.
#pragma once

#include <cstdint>
#include <vector>

#include "temporal/formula.h"

namespace heddle::temporal {

inline constexpr uint32_t kMostAtoms = 64;

// A run of the automaton stays with a word as long as each letter fits the state of the same place:
// what is required is true there and what is forbidden is not. It accepts if it comes to states of
// each acceptance set infinitely often.
struct AutomatonState {
  uint64_t required = 0, forbidden = 0;  // sets of atoms
  uint64_t acceptance = 0;               // the acceptance sets that it is in
  std::vector<uint32_t> successors;

  bool fits(uint64_t true_atoms) const {
    return (required & ~true_atoms) == 0 && (forbidden & true_atoms) == 0;
  }
};

struct Automaton {
  std::vector<AutomatonState> states;
  std::vector<uint32_t> initial;
  uint32_t acceptance_sets = 0;  // at most 64; with none, every run that does not end accepts
};

// Accepts exactly the words of which the formula, in negation normal form, is true. The formula has
// at most kMostAtoms atoms and as many different untils.
Automaton automaton_of(const Formulas& formulas, FormulaId formula);

// How many different untils there are in a formula.
uint32_t count_untils(const Formulas& formulas, FormulaId formula);

}  // namespace heddle::temporal
