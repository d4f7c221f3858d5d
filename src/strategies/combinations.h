// Which strategies, filters and options may be combined. What is not known to be sound is refused.
#pragma once

#include <span>
#include <string>

#include "filters/registry.h"
#include "model/run_options.h"

namespace heddle {

// Why the options cannot be run together: a sentence without its final period, empty if they can.
std::string refusal(const RunOptions& options);

// Whether the search leaves out executions that are equivalent to others, or even states that only
// these pass through.
bool leaves_out_executions(const RunOptions& options);
bool leaves_out_states(const RunOptions& options);
// Whether the search tells states apart by the actions that led to them.
bool keeps_states(const RunOptions& options);

// Whether the strategy reasons by races, which needs Blocking::Attempt.
bool needs_attempts(const RunOptions& options);

// Whether a filter compares the stacks and registers of threads.
bool compares_local_states(const RunOptions& options);

// Why the filters cannot be used together, whatever the strategy; empty if they can.
std::string refusal_of_pair(std::span<const FilterSpec> specs);

}  // namespace heddle
