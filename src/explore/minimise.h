// The same bug with fewer context switches.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "explore/explorer.h"

namespace heddle {

size_t context_switches(const Schedule& schedule);

// Runs the program as close to the schedule as it can; the same bug as it then showed, if it did.
using Rerun = std::function<std::optional<Finding>(const Schedule& wanted)>;

// At most `most` attempts. The result never has more preemptions.
Finding minimise(const Finding& finding, const Rerun& attempt, size_t most);

}  // namespace heddle
