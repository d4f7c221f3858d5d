// heddle replay --gdb.
#pragma once

#include <string>
#include <vector>

#include "cli/launch.h"
#include "cli/result.h"

namespace heddle {

// Becomes gdb, which runs the target and stops where the bug shows; or, with words of its own, does
// what they say. Comes back only with an error.
Error replace_by_debugger(const Target& target, int channel_fd,
                          const std::vector<std::string>& words);

}  // namespace heddle
