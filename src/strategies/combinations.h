// Which strategies, filters and options may be combined. What is not known to be sound is refused.
#pragma once

#include <string>

#include "model/run_options.h"

namespace heddle {

// Why the options cannot be run together: a sentence without its final period, empty if they can.
std::string refusal(const RunOptions& options);

}  // namespace heddle
