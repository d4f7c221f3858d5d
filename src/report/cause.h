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
  bool confirmed = false;      // the program was run with them reordered, and did not show the bug
  std::string reordered = {};  // how: "thread 0 waits on c before thread 1 signals c"
};

Cause cause_of(Narrator& narrator);
// The sentence, and whether it was confirmed.
std::string in_words(const Cause& cause);

// A deadlock or not: nobody wakes a thread because the signal meant for it came too early or woke
// another one.
bool is_lost_wakeup(const Trace& trace);

// What happened, in one line: "lost wake-up: thread 1 signals c (queue.c:9) before thread 0 waits
// for it", "assertion: …"; the kind apart.
struct Headline {
  std::string kind;
  std::string message;
};
Headline headline_of(Narrator& narrator);

}  // namespace heddle
