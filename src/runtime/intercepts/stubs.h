// Functions that are passed on (model/passed_functions.h), by number.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "model/passed_functions.h"

namespace heddle {

enum class Passed : uint32_t {
#define X(name, traits) name##_,
  HEDDLE_PASSED_FUNCTIONS(X)
#undef X
};

// The six integer argument registers as the caller filled them, the first one last.
struct PassedArguments {
  uint64_t registers[6];
  uint64_t operator[](unsigned number) const { return registers[5 - number]; }
};

// Tells of what the function reads and writes of the program's memory.
void tell_of_passed(Passed function, const PassedArguments& arguments, Address pc);

}  // namespace heddle
