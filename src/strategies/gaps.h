// What a search left out although it has come to its end: the exceptions to its guarantee.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "explore/strategy.h"

namespace heddle {

struct Gaps {
  bool lost = false;       // the program did not repeat itself: what lay below is unknown
  bool cut = false;        // an execution reached the limit of steps
  bool stopped = false;    // one failed while others had steps left, and could not go on
  bool undecided = false;  // whether there is an execution of some kind was not found out

  // False, and a gap, if the execution ended before it had taken all the steps it is known to have.
  bool note_end(const ExecutionSummary& summary, size_t known_steps) {
    const bool all = summary.steps >= known_steps;
    lost = lost || !all;
    return all;
  }

  bool any() const { return lost || cut || stopped || undecided; }

  // As bits, for searches that are divided.
  static constexpr uint32_t kBits = 4;
  uint32_t bits() const { return lost | cut << 1 | stopped << 2 | undecided << 3; }
  void add(uint32_t bits) {
    lost = lost || (bits & 1) != 0;
    cut = cut || (bits & 2) != 0;
    stopped = stopped || (bits & 4) != 0;
    undecided = undecided || (bits & 8) != 0;
  }

  // To be appended to the guarantee; that of the limit of steps is told by whoever runs the search.
  std::string exceptions() const {
    std::string text;
    if (stopped) text += "; except for what other threads do after a failure that ends all";
    if (lost) text += "; except where the program did not repeat itself";
    if (undecided) text += "; except where it took too long to find out whether there are any";
    return text;
  }
};

}  // namespace heddle
