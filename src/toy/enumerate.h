// All executions of a program, found without any of the strategies: the oracle they are held
// against. Slow and simple: every node of the tree is reached anew from the initial state.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/executor.h"
#include "model/schedule.h"

namespace heddle::toy {

enum class Outcome : uint8_t { Finished, Failed, Deadlock, Abandoned, Dismissed };

struct Execution {
  Schedule schedule;
  uint32_t preemptions = 0;
  Outcome outcome = Outcome::Finished;
  uint64_t state = 0;  // what `fingerprint` gave at its end
};

struct Enumeration {
  std::vector<Execution> executions;  // in order of their schedules, depth first
  bool complete = true;               // false: there are more than the limit
};

Enumeration enumerate(
    Executor& executor, size_t limit,
    const std::function<uint64_t()>& fingerprint = [] { return uint64_t{0}; });

}  // namespace heddle::toy
