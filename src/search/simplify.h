// After the search: each finding by a schedule that is easy to read, and with the steps to blame.
#pragma once

#include <functional>
#include <memory>

#include "explore/explorer.h"
#include "explore/runner.h"
#include "model/run_options.h"
#include "search/host.h"
#include "trace/trace.h"

namespace heddle {

// Lies in the arena, so that the next process goes on where this one died.
struct Simplification {
  std::unique_ptr<Explorer> search;  // under way
  // How often the search for fewer preemptions, and the minimisation of finding `next`, has begun.
  uint32_t searches = 0, minimisations = 0;
  bool searched = false;
  size_t next = 0;          // to be minimised
  int64_t deadline_ns = 0;  // by monotonic_ns()
  int64_t causes_ns = 0;    // time for the causes of all findings, taken as it is used

  // A tenth of the time since the search began, within limits, unless the user said how much.
  void give_time(const RunOptions& options, int64_t began_ns);
};

int64_t monotonic_ns();

// What it takes to run the program again.
struct Again {
  const RunOptions& options;
  Host& host;
  Runner& runner;
  std::function<Trace(const Schedule&)>
      record;  // one execution with all that is known of its steps
};

// Every finding then has the fewest preemptions that a short search finds for it, and no context
// switch that it does without.
void simplify_findings(const Again& again, Explorer& explorer, Simplification& state);

// Which steps of `trace`, that shows `finding`, the bug does not show without; none if we cannot
// tell.
CriticalSteps find_critical_steps(const Again& again, const Explorer& explorer,
                                  const Finding& finding, const Trace& trace,
                                  Simplification& state);

}  // namespace heddle
