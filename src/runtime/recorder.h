// Runs one schedule again and writes down everything a report needs.
#pragma once

#include "model/schedule.h"
#include "runtime/native_executor.h"
#include "trace/trace.h"

namespace heddle {

// Fills in all of the trace that belongs to the execution. `expected`, where given, is a recorded
// trace: each step is compared with it, and the first difference ends the execution as
// Nondeterminism; so does a bug that does not show. Of an expected Death without recorded steps,
// the last step is shown but not taken.
Trace record_execution(NativeExecutor& executor, const Schedule& schedule, const Trace* expected);

}  // namespace heddle
