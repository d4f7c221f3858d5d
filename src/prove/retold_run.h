// Counterexamples of engines that look at all schedules and inputs at once.
#pragma once

#include "circuit/thread_plan.h"
#include "circuit/trace.h"
#include "model/finding.h"
#include "prove/counterexample.h"

namespace heddle::prove {

// The run, which the interpreter has taken, as a counterexample with its inputs.
Counterexample retell_run(const circuit::ThreadPlan& plan, const circuit::Execution& execution,
                          FindingKind kind);

}  // namespace heddle::prove
