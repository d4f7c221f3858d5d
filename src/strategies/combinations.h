// Which strategies, filters and options may be combined. What is not known to be sound is refused.
#pragma once

#include <span>
#include <string>

#include "filters/registry.h"
#include "model/run_options.h"

namespace heddle {

// Why the options cannot be run together: a sentence without its final period, empty if they can.
std::string refusal(const RunOptions& options);

// What the run ends with where a reduction meets pthread_cancel.
inline constexpr char kCancelNeedsEnumeration[] =
    "a program that calls pthread_cancel can be checked by enumeration only: use --strategy=icb or "
    "dfs without filters, random or pct";

// The same for atomic sections and invariants (heddle/heddle.h).
inline constexpr char kSectionNeedsEnumeration[] =
    "a program with atomic sections can be checked by enumeration only: use --strategy=icb or dfs "
    "without filters, random or pct";
inline constexpr char kInvariantNeedsStates[] =
    "an invariant can be checked by searches only that see every state: use --strategy=icb or dfs "
    "without the filter super-step, sleep-sets, cb-por-1, or one that samples";

// Whether the search leaves out executions that are equivalent to others, or even states that only
// these pass through.
bool leaves_out_executions(const RunOptions& options);
bool leaves_out_states(const RunOptions& options);

// Whether the strategy reasons by races, which needs Blocking::Attempt.
bool needs_attempts(const RunOptions& options);

// Whether a filter compares the stacks and registers of threads.
bool compares_local_states(const RunOptions& options);

// Why the filters cannot be used together, whatever the strategy; empty if they can.
std::string refusal_of_pair(std::span<const FilterSpec> specs);

}  // namespace heddle
