// The failures that the explorer itself sees, as opposed to those an executor reports.
#pragma once

#include <cstdint>
#include <span>

#include "explore/configuration.h"
#include "explore/executor.h"
#include "model/finding.h"
#include "model/schedule.h"

namespace heddle {

// No live thread is enabled. Names the threads; who waits for whom is for the report to say.
Failure deadlock(const Executor& executor);

// Likewise, but some threads wait in loops that change nothing.
Failure spinning_for_ever(const Configuration& configuration);
// Whether they still do, where it was said before: they are let go on for a while, and nothing that
// they do is new. The execution is of no use afterwards.
bool keeps_spinning(Executor& executor);

// So many steps were not enough, and with every thread in its turn the program then goes in
// circles.
Failure livelock(uint64_t max_steps);

// The execution took only `taken` steps of a prefix that an earlier execution went through.
Failure nondeterminism(const Executor& executor, std::span<const Transition> prefix, size_t taken);

}  // namespace heddle
