// Runs a helper program (a compiler) and waits for it.
#pragma once

#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

// The exit status; 128 + n when signal n ended it. Standard streams are inherited.
Result<int> run_process(const std::vector<std::string>& command);

// What it writes to standard output; "" if it cannot be run. Its complaints are not shown.
std::string output_of(const std::vector<std::string>& command);

// Replaces this process; comes back only with an error.
Error replace_process(const std::vector<std::string>& command);

}  // namespace heddle
