// heddle replay --gdb.
#pragma once

#include "cli/launch.h"
#include "cli/result.h"

namespace heddle {

// Becomes gdb, which runs the target and stops where the bug shows. Comes back only with an error.
Error replace_by_debugger(const Target& target, int channel_fd);

}  // namespace heddle
