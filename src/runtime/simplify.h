// After the search: each finding by a schedule that is easy to read, and with the steps to blame.
#pragma once

#include <memory>

#include "explore/explorer.h"
#include "trace/trace.h"

namespace heddle {

// Lies in the arena, so that the next process goes on where this one died.
struct Simplification {
  std::unique_ptr<Explorer> search;  // under way
  bool searched = false;
  size_t next = 0;  // to be minimised
};

// Says that something is begun that will not be tried again should the process die of it.
void reach_milestone();

// Runs all that `explorer` has to run.
using RunSearch = void (*)(Explorer& explorer, ExploreObserver& observer);
// One execution with all that is known about its steps.
using RecordSchedule = Trace (*)(const Schedule& schedule);

// Every finding then has the fewest preemptions that a short search finds for it, and no context
// switch that it does without.
void simplify_findings(Explorer& explorer, Simplification& state, RunSearch run);

// Which steps of `trace`, that shows `finding`, the bug does not show without; none if we cannot
// tell.
CriticalSteps find_critical_steps(const Explorer& explorer, const Finding& finding,
                                  const Trace& trace, Simplification& state, RunSearch run,
                                  RecordSchedule record);

}  // namespace heddle
