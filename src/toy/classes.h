// The class of an execution: what remains of it when the order of independent steps is forgotten.
// Computed from the definition, without vector clocks: the oracle for partial-order reductions.
#pragma once

#include <string>

#include "explore/executor.h"
#include "model/schedule.h"

namespace heddle::toy {

// A canonical text: every step with the earlier steps it depends on. Steps are dependent as
// model/dependence.h says; besides, a signal comes before the relocking of the thread it woke, and
// a step that ended the program (not just a thread) after all others.
std::string class_of(Executor& executor, const Schedule& schedule);

}  // namespace heddle::toy
