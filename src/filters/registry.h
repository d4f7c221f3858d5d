// The filters that can be named on the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filters/filter.h"

namespace heddle {

enum class FilterArgument : uint8_t { None, Optional, Required };  // a number after a colon

// clang-format off
// One row per filter, in the order in which they are applied: maker, name, its argument, what it
// preserves.
#define HEDDLE_FILTERS(X)                                                                         \
  X(super_step,   "super-step",   None,     "deadlocks, final states and failures")               \
  X(local_cycles, "local-cycles", None,     "all states; ends busy-waiting loops")                \
  X(seen,         "seen",         Optional, "all states, each explored once; seen:N keeps N")     \
  X(depth,        "depth",        Required, "the states that N steps can reach")
// clang-format on

enum class FilterKind : uint8_t {
#define X(id, name, argument, preserves) id,
  HEDDLE_FILTERS(X)
#undef X
};

struct FilterInfo {
  FilterKind kind;
  std::string_view name;
  FilterArgument argument;
  std::string_view preserves;
};
std::span<const FilterInfo> filters();

// What the filters are to know of each other and of the search.
struct FilterContext {
  bool super_steps = false;   // only super nodes count as seen
  bool by_thread = false;     // a state counts together with the thread that ran last
  bool exact_states = false;  // compare states in full, not by their hashes
};

struct FilterSpec {
  FilterKind kind = FilterKind::seen;
  uint64_t argument = 0;
};

// Reads "seen,depth:20". On a mistake returns a sentence about it, without a final period.
std::string parse_filters(std::string_view text, std::vector<FilterSpec>& specs);
bool has_filter(std::span<const FilterSpec> specs, FilterKind kind);

// In the order in which they are to be applied.
std::vector<std::unique_ptr<Filter>> make_filters(std::span<const FilterSpec> specs,
                                                  FilterContext context);

#define X(id, name, argument, preserves) \
  std::unique_ptr<Filter> make_##id##_filter(uint64_t argument, const FilterContext& context);
HEDDLE_FILTERS(X)
#undef X

}  // namespace heddle
