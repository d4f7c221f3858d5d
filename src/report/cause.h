// Why it went wrong: which kind of mistake, and the steps that matter, in one sentence.
#pragma once

#include <string>

#include "report/narrator.h"

namespace heddle {

struct Cause {
  std::string kind;      // "lock-order inversion", "lost signal", "missing lock",
                         // "atomicity violation", "order violation"; empty if not known
  std::string sentence;  // without a final period
  // The steps that it speaks of, in their order; they stand for the critical pair.
  std::vector<size_t> steps;
  bool confirmed = false;  // the program was run with them reordered, and did not show the bug
};

Cause cause_of(Narrator& narrator);
// The sentence, and whether it was confirmed.
std::string in_words(const Cause& cause);

}  // namespace heddle
