// What engines that look at all schedules and inputs at once have said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prove/counterexample.h"

namespace heddle::prove {

struct CircuitSize {
  size_t inputs = 0, latches = 0, gates = 0;
};

// What the engines have said, of all questions together.
struct CircuitResult {
  CircuitSize size;
  std::string engine;               // whose answer decided
  std::string effort;               // of an engine that looks at no circuit, in words
  std::string proof;                // why there is no bug in any run; empty: there may be
  std::optional<uint32_t> depth;    // without a bug up to here, in steps of the circuit
  std::string reason;               // why no more is known, without a period
  std::vector<std::string> beyond;  // bounds that executions go beyond
  std::vector<Counterexample> findings;
};

}  // namespace heddle::prove
