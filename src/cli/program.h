// Looks at the program to be tested before it is run: can Heddle run it, and which one is it?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

struct Program {
  std::string path;                     // absolute
  std::string name;                     // for trace files
  std::string identity;                 // its build id, or a hash of its contents if it has none
  uint64_t load_bias = 0;               // where it is mapped when addresses are not randomised
  bool instrumented = false;            // compiled for checking: reports its memory accesses to us
  bool void_main = false;               // main returns nothing, so that its status says nothing
  std::vector<std::string> uncompiled;  // if instrumented, sources of parts of it that are not
};

// The error is a sentence about what is wrong and what to do.
Result<Program> inspect_program(const std::string& path);

// Whether a program or library was compiled for checking.
bool reports_accesses(const std::string& path);

}  // namespace heddle
