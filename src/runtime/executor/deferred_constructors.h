// Global constructors of the executable that start threads (pools, loggers) must be part of every
// execution. Where one does, the process starts once more: the start-up code then finds functions
// that do nothing in place of the constructors, the snapshot is taken before any of them has run,
// and the main thread of each execution runs them before main.
#pragma once

#include "base/ids.h"

namespace heddle {

// One of them has started a thread, at `pc`.
[[noreturn]] void start_again_before_constructors(Address pc);

// Takes the constructors away from the start-up code.
void defer_constructors();
void run_deferred_constructors(int argc, char** argv, char** envp);

}  // namespace heddle
