// heddle cc --prune-local: the whole program compiled by clang 19, without the accesses that no
// other thread can notice.
#pragma once

#include <span>
#include <string>

#include "cli/result.h"

namespace heddle {

// Does what `compiler WORDS` would; returns the compiler's exit status. `cxx`: link as C++.
Result<int> compile_pruned(std::span<const std::string> words, const std::string& library,
                           bool cxx);

}  // namespace heddle
