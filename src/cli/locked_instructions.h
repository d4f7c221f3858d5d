// Atomic instructions that nobody tells us of: inline assembly with a lock prefix in code compiled
// for us, and all atomics of code that was not. They are neither steps of the search nor
// synchronisation for race detection, so the user should hear of them. And instructions that give
// another answer in every execution: random numbers and the processor's clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.h"

namespace heddle {

// Addresses in the file, in order.
struct Uncontrolled {
  std::vector<uint64_t> atomic;
  std::vector<uint64_t> unpredictable;
};

// Looks at the executable's functions only.
Uncontrolled uncontrolled_instructions(const std::string& path);

// Notes for the report.
std::vector<std::string> uncontrolled_instructions_notes(const Program& program);

}  // namespace heddle
