// Remarks that make a trace file readable: what each step did, and where.
#pragma once

#include "trace/trace.h"

namespace heddle {

TraceNotes annotate(const Trace& trace);

}  // namespace heddle
