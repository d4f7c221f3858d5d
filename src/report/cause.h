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
};

Cause cause_of(Narrator& narrator);

}  // namespace heddle
