// The program heddle-prove, which is built where LLVM is.
#pragma once

#include <string>

#include "cli/result.h"

namespace heddle {

// Beside this program, or where it was built.
Result<std::string> find_prover();

}  // namespace heddle
