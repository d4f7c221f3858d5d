// Runs one schedule again and writes down everything a report needs.
#pragma once

#include "model/schedule.h"
#include "runtime/native_executor.h"
#include "trace/trace.h"

namespace heddle {

// Fills in all of the trace that belongs to the execution. `expected`, where given, is a recorded
// trace: each step is compared with it, and the first difference ends the execution as
// Nondeterminism; so does a bug that does not show.
enum class LastStep : uint8_t { Take, ShowOnly };  // a step that takes the process with it is shown
Trace record_execution(NativeExecutor& executor, const Schedule& schedule, const Trace* expected,
                       LastStep last_step);

}  // namespace heddle
