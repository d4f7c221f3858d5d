// The control paths of a routine, as lists of steps, up to a bound on loops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/footprint.h"
#include "graph/graph.h"

namespace heddle::orders {

enum class StepKind : uint8_t {
  Start,   // from the beginning of the routine
  Action,  // with the action of a block, or with a statement in it
  Woken,   // out of waiting in the action of a block
  Exit,    // the end of the thread
};

struct PathStep {
  StepKind kind = StepKind::Start;
  graph::Stand stand = {};
  const graph::TouchSet* touches = nullptr;  // null: Exit
  std::optional<graph::RoutineId> creates = std::nullopt;
  // Create, Join: the register with the thread's handle, if nothing but creations assigns to it.
  graph::RegisterId handle = graph::kNoRegister;
  bool joins_unknown = false;  // looks at the end of a thread, and it is not known which
};

enum class PathEnd : uint8_t {
  Returned,
  Blocked,  // before or in the action of the last place, for ever
  Cut,      // before a place that would be passed once too often
  Last,     // the last step ends the execution
};

struct ThreadPath {
  std::vector<PathStep> steps;
  PathEnd end = PathEnd::Returned;
  graph::Stand end_stand;                             // Blocked, Cut: where
  graph::RegisterId end_handle = graph::kNoRegister;  // Blocked in a join: of whom, if known
};

// Each place is passed at most `unwind` times. Nothing if there are more than `most`.
std::optional<std::vector<ThreadPath>> paths_of(const graph::Program& program,
                                                const graph::Footprints& footprints,
                                                graph::RoutineId routine, uint32_t unwind,
                                                size_t most);

}  // namespace heddle::orders
