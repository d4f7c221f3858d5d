// Which strategies, filters and options may be combined. What is not known to be sound is refused.
#pragma once

#include <string>
#include <string_view>

#include "model/run_options.h"

namespace heddle {

// Why the options cannot be run together: a sentence without its final period, empty if they can.
std::string refusal(const RunOptions& options);

// Whether the strategy reasons by races, which needs Blocking::Attempt.
bool needs_attempts(std::string_view strategy);

}  // namespace heddle
