// Runs a strategy to its end, and keeps the schedule of every execution it made.
#pragma once

#include <memory>
#include <vector>

#include "explore/explorer.h"
#include "toy/enumerate.h"

namespace heddle::toy {

struct Exploration {
  std::vector<Execution> executions;  // in the order they were made
  std::vector<Finding> findings;
  uint64_t blocked = 0;  // of the executions: abandoned by the strategy
  EndReason end_reason = EndReason::Exhausted;
  bool complete = false;
  std::string guarantee;
};

// Goes on after findings. The state of an execution is what `fingerprint` gives at its end.
Exploration explore_all(
    Executor& executor, std::unique_ptr<Strategy> strategy, uint64_t max_executions = 0,
    const std::function<uint64_t()>& fingerprint = [] { return uint64_t{0}; });

// Sorted, for comparison as sets.
std::vector<Schedule> sorted_schedules(const std::vector<Execution>& executions);

}  // namespace heddle::toy
