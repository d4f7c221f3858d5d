// Crashes, aborts and the watchdog: signals that end an execution, and the page tracker's faults.
//
// The program may have handlers of its own for crashes: ours stays in place and has theirs run, on
// the stack of the thread that crashed.
#pragma once

#include <csignal>

namespace heddle {

void install_signal_handlers();

bool is_crash_signal(int signal);
// As sigaction(2) for such a signal; either may be null.
void exchange_program_handler(int signal, const struct sigaction* action, struct sigaction* before);
// Back to what constructors installed.
void reset_program_handlers();

}  // namespace heddle
