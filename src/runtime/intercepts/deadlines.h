// Deadlines as the program gives them: its memory is read for that.
#pragma once

#include "runtime/executor/timed.h"
#include "runtime/intercepts/accesses.h"

namespace heddle {

inline Deadline deadline_at(clockid_t clock, const timespec* time, Address pc) {
  reads(time, pc);
  return Deadline::absolute(clock, time);
}

inline Deadline deadline_after(const timespec* duration, Address pc) {
  reads(duration, pc);
  return Deadline::relative(duration);
}

}  // namespace heddle
