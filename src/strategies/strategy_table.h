// The strategies that can be named on the command line, and all about each that never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "explore/strategy.h"
#include "model/run_options.h"

namespace heddle {

enum class GuaranteeKind : uint8_t {
  Complete,  // covers all executions, and says so only at its end
  PerBound,  // covers all executions within a bound, then within the next
  Sampling,  // covers nothing for certain
};

// Which filters it can be combined with.
enum class FilterUse : uint8_t {
  None,           // it needs to see whole executions, which a filter cuts short
  Any,            // each of them
  ByPreemptions,  // those that cost no preemptions (filters/registry.h)
};

// Further properties, as bits.
namespace strategy_property {
constexpr uint16_t Bound = 1;          // takes --bound=N
constexpr uint16_t Attempts = 2;       // reasons by races, which needs Blocking::Attempt
constexpr uint16_t StartsOver = 4;     // start_over() is its own; others are made anew
constexpr uint16_t Continues = 8;      // StrategyTraits::continues_after_failure
constexpr uint16_t Reduces = 16;       // leaves out executions that are equivalent to others
constexpr uint16_t SkipsStates = 32;   // and even states that only these pass through
constexpr uint16_t Orders = 64;        // takes an order of picking
constexpr uint16_t ReadsFrom = 128;    // takes the equivalence reads-from
constexpr uint16_t Fallback = 256;     // another strategy takes its place where reductions fail
constexpr uint16_t KeepsStates = 512;  // tells states apart by the actions that led to them
constexpr uint16_t Script = 1024;      // does what a script of the user's says
}  // namespace strategy_property

// clang-format off
// One row per strategy: its name (users write `-` for `_`), the kind of its guarantee, what it finds
// first, its filters and properties, a line of help. Row `x` is made by make_x, which x.cc defines.
#define HEDDLE_STRATEGIES(X)                                                                             \
  X(portfolio, Complete, Any, None,                                                                      \
    Bound | Attempts | StartsOver | Reduces | SkipsStates | ReadsFrom | Fallback,                        \
    "samples, then bounds 0, 1 and 2 with reduction, then everything")                                   \
  X(icb, PerBound, FewestPreemptions, ByPreemptions, Bound,                                              \
    "iterative context bounding: fewest preemptions first")                                              \
  X(delays, PerBound, Any, None, Bound,                                                                  \
    "iterative delay bounding: fewest departures from a fixed scheduler first")                          \
  X(switches, PerBound, Simplest, None, Bound,                                                           \
    "iterative bounding of context switches: fewest switches first")                                     \
  X(dfs, Complete, Any, Any, Orders,                                                                     \
    "depth first: every execution, in the order of the tree of schedules")                               \
  X(optimal_dpor, Complete, Any, None,                                                                   \
    Attempts | StartsOver | Continues | Reduces | SkipsStates | ReadsFrom,                               \
    "one execution of each class of equivalent ones, and no other")                                      \
  X(source_dpor, Complete, Any, None, Attempts | StartsOver | Continues | Reduces | SkipsStates,         \
    "partial-order reduction with source sets")                                                          \
  X(dpor, Complete, Any, None, Bound | Attempts | StartsOver | Continues | Reduces | SkipsStates,        \
    "partial-order reduction of Flanagan and Godefroid: the baseline")                                   \
  X(sleep_sets, Complete, Any, None, StartsOver | Continues | Reduces,                                   \
    "every step that is not asleep: the simplest reduction")                                             \
  X(cb_por_1, PerBound, FewestPreemptions, None, Bound | Reduces | KeepsStates,                          \
    "context-bounded partial-order reduction: every state once")                                         \
  X(cb_por_2, PerBound, FewestPreemptions, None, Bound | Reduces | SkipsStates | KeepsStates,            \
    "context-bounded partial-order reduction: every class once")                                         \
  X(pct, Sampling, Any, None, StartsOver,                                                                \
    "probabilistic concurrency testing: random priorities, few changes")                                 \
  X(pos, Sampling, Any, None, StartsOver,                                                                \
    "partial order sampling: a new priority after every conflict")                                       \
  X(surw, Sampling, Any, None, StartsOver,                                                               \
    "selectively uniform random walk over the steps on one object")                                      \
  X(rff, Sampling, Any, None, StartsOver,                                                                \
    "aims at pairs of a write and a read of it that were not seen yet")                                  \
  X(random, Sampling, Any, None, StartsOver,                                                             \
    "a uniformly random transition at every step")                                                       \
  X(lua, Sampling, Any, None, StartsOver | Script,                                                       \
    "what a script of yours says: --strategy=lua:FILE")
// clang-format on

enum class StrategyId : uint8_t {
#define X(id, ...) id,
  HEDDLE_STRATEGIES(X)
#undef X
};

#define X(id, ...) std::unique_ptr<Strategy> make_##id(const RunOptions& options);
HEDDLE_STRATEGIES(X)
#undef X

struct StrategyInfo {
  StrategyId id;
  std::string_view name;
  GuaranteeKind guarantee;
  FoundFirst found_first;
  FilterUse filters;
  uint16_t properties;
  std::string_view description;
  std::unique_ptr<Strategy> (*make)(const RunOptions& options);

  constexpr bool has(uint16_t property) const { return (properties & property) != 0; }
  constexpr StrategyTraits traits() const {
    return {guarantee == GuaranteeKind::Sampling, has(strategy_property::Continues), found_first};
  }
};

std::span<const StrategyInfo> strategies();
const StrategyInfo& strategy_info(StrategyId id);
const StrategyInfo* find_strategy(std::string_view name);  // null: there is none
// The one that options.strategy names, likewise.
const StrategyInfo* strategy_of(const RunOptions& options);

void name_strategy(RunOptions& options, StrategyId id);

}  // namespace heddle
