// The strategies that can be named on the command line.
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

// clang-format off
// One row per strategy: its name, the kind of its guarantee, a line of help. Row `x` is made by
// make_x, which x.cc defines. Users write `-` for `_`.
#define HEDDLE_STRATEGIES(X)                                                                    \
  X(portfolio, Complete, "samples, then bounds 0, 1 and 2 with reduction, then everything")      \
  X(icb,    PerBound, "iterative context bounding: fewest preemptions first")                   \
  X(delays, PerBound, "iterative delay bounding: fewest departures from a fixed scheduler first")\
  X(switches, PerBound, "iterative bounding of context switches: fewest switches first")          \
  X(dfs,    Complete, "depth first: every execution, in the order of the tree of schedules")    \
  X(optimal_dpor, Complete, "one execution of each class of equivalent ones, and no other")             \
  X(source_dpor,  Complete, "partial-order reduction with source sets")                         \
  X(dpor,         Complete, "partial-order reduction of Flanagan and Godefroid: the baseline")                \
  X(sleep_sets, Complete, "every step that is not asleep: the simplest reduction")              \
  X(cb_por_1, PerBound, "context-bounded partial-order reduction: every state once")          \
  X(cb_por_2, PerBound, "context-bounded partial-order reduction: every class once")          \
  X(pct,    Sampling, "probabilistic concurrency testing: random priorities, few changes")      \
  X(pos,    Sampling, "partial order sampling: a new priority after every conflict")           \
  X(surw,   Sampling, "selectively uniform random walk over the steps on one object")         \
  X(rff,    Sampling, "aims at pairs of a change and a look at it that were not seen yet")        \
  X(random, Sampling, "a uniformly random transition at every step")
// clang-format on

#define X(id, kind, description) std::unique_ptr<Strategy> make_##id(const RunOptions& options);
HEDDLE_STRATEGIES(X)
#undef X

struct StrategyInfo {
  std::string_view name;
  GuaranteeKind guarantee;
  std::string_view description;
  std::unique_ptr<Strategy> (*make)(const RunOptions& options);
};

std::span<const StrategyInfo> strategies();

// The strategy that options.strategy names; null if there is none of that name, or if it cannot be
// combined with the other options (combinations.h says why).
std::unique_ptr<Strategy> make_strategy(const RunOptions& options);

}  // namespace heddle
