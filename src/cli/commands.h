// The commands, one file each. A command gets the words behind its name and returns the exit
// status or an error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

using Words = std::span<const std::string>;

Result<int> check_command(Words words);
Result<int> resume_command(Words words);
Result<int> status_command(Words words);
Result<int> replay_command(Words words);
Result<int> prove_command(Words words);
Result<int> plot_command(Words words);
Result<int> explain_command(Words words);
Result<int> completion_command(Words words);
Result<int> cc_command(Words words);
Result<int> cxx_command(Words words);
Result<int> last_command(Words words);
Result<int> cache_command(Words words);
Result<int> strategies_command(Words words);
Result<int> support_command(Words words);

// "check", "replay", …, "help", "version".
std::vector<std::string> command_names();

// Finds the command and runs it; errors are printed here, once.
int run_command_line(Words words);

}  // namespace heddle
