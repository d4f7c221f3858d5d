// Acting on requests to cancel, where POSIX wants it.
#pragma once

#include "runtime/core/runtime.h"

namespace heddle {

[[noreturn]] void act_on_cancel();

inline bool must_cancel(const ProgramThread& thread) {
  return thread.cancel_requested && !thread.cancel_disabled && !thread.cancelled;
}

// To be called before and after waiting in a function that is a cancellation point.
inline void cancellation_point() {
  if (must_cancel(current_thread())) act_on_cancel();
}

}  // namespace heddle
