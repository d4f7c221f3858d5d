// Why the steps of an execution came in their order: the happens-before relation of a trace.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// For each step the steps of other threads that it had to come after, as few as say it all: what
// follows from others and from the order within a thread is left out.
std::vector<std::vector<uint32_t>> happens_before_edges(const std::vector<TraceStep>& steps);

}  // namespace heddle
