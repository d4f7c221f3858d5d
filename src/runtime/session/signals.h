// Crashes, aborts and the watchdog: signals that end an execution, and the page tracker's faults.
//
// The program may have handlers of its own for crashes: ours stays in place and has theirs run, on
// the stack of the thread that crashed (rewind/program_handlers.h).
#pragma once

namespace heddle {

void install_signal_handlers();

}  // namespace heddle
