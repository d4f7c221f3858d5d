// Atomic instructions that nobody tells us of: inline assembly with a lock prefix in code compiled
// for us, and all atomics of code that was not. They are neither steps of the search nor
// synchronisation for race detection, so the user should hear of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.h"

namespace heddle {

// Their addresses in the file, in order. Looks at the executable's functions only.
std::vector<uint64_t> locked_instructions(const std::string& path);

// A note for the report; empty if there are none.
std::string locked_instructions_note(const Program& program);

}  // namespace heddle
