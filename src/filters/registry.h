// The filters that can be named on the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filters/filter.h"
#include "model/script_text.h"

namespace heddle {

enum class FilterArgument : uint8_t {  // after a colon
  None,
  Optional,  // a number
  Required,
  Script,  // a file, which the command line reads and takes out of the list
};

// Further properties, as bits.
namespace filter_property {
constexpr uint8_t SkipsStates = 1;   // some that executions pass through are not seen
constexpr uint8_t EndsLoops = 2;     // leaves busy waiting by comparing the states of threads
constexpr uint8_t NeedsEndings = 4;  // sound only where executions end by themselves
constexpr uint8_t KeepsStates = 8;   // and can compare them in full
constexpr uint8_t NeedsAll = 16;     // sound only where no other drops what it keeps
constexpr uint8_t DropsAny = 32;     // may drop whatever it likes
}  // namespace filter_property

// clang-format off
// One row per filter, in the order in which they are applied: maker, name, its argument, properties,
// why it cannot be used where preemptions count (empty: it can), what it preserves.
#define HEDDLE_FILTERS(X)                                                                          \
  X(super_step, "super-step", None, SkipsStates | NeedsEndings | NeedsAll,                                    \
    "the executions it keeps may need more preemptions than those it drops",                       \
    "deadlocks, final states and failures")                                                        \
  X(local_cycles, "local-cycles", None, EndsLoops,                                                 \
    "leaving a cycle out may cost preemptions",                                                    \
    "all states; ends busy-waiting loops")                                                         \
  X(seen, "seen", Optional, KeepsStates, "", "all states, each explored once; seen:N keeps N")     \
  X(depth, "depth", Required, 0, "", "the states that N steps can reach") \
  X(lua, "lua", Script, SkipsStates | DropsAny, "", "what a script of yours keeps, and says how much it has dropped")
// clang-format on

enum class FilterKind : uint8_t {
#define X(id, ...) id,
  HEDDLE_FILTERS(X)
#undef X
};

struct FilterInfo {
  FilterKind kind;
  std::string_view name;
  FilterArgument argument;
  uint8_t properties;
  std::string_view costs_preemptions;
  std::string_view preserves;

  constexpr bool has(uint8_t property) const { return (properties & property) != 0; }
};
std::span<const FilterInfo> filters();
const FilterInfo& filter_info(FilterKind kind);

// What the filters are to know of each other and of the search.
struct FilterContext {
  bool super_steps = false;            // only super nodes count as seen
  bool by_thread = false;              // a state counts together with the thread that ran last
  bool exact_states = false;           // compare states in full, not by their hashes
  const ScriptText* script = nullptr;  // of the filter that has one
  uint64_t seed = 0;
};

struct FilterSpec {
  FilterKind kind = FilterKind::seen;
  uint64_t argument = 0;
};

// Reads "seen,depth:20". On a mistake returns a sentence about it, without a final period.
std::string parse_filters(std::string_view text, std::vector<FilterSpec>& specs);
bool has_filter(std::span<const FilterSpec> specs, FilterKind kind);
// The first of them with the property; null if there is none.
const FilterInfo* filter_with(std::span<const FilterSpec> specs, uint8_t property);

// In the order in which they are to be applied.
std::vector<std::unique_ptr<Filter>> make_filters(std::span<const FilterSpec> specs,
                                                  FilterContext context);

#define X(id, ...) \
  std::unique_ptr<Filter> make_##id##_filter(uint64_t argument, const FilterContext& context);
HEDDLE_FILTERS(X)
#undef X

}  // namespace heddle
