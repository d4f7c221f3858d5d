// The program's own handlers of crashes. Ours stay installed (session/signals.h) and have these
// run.
#pragma once

#include <csignal>
#include <span>

namespace heddle {

std::span<const int> crash_signals();
bool is_crash_signal(int signal);

// Before ours are installed: what constructors left is what a reset goes back to.
void keep_program_handler(int signal);
struct sigaction& program_handler(int signal);
// As sigaction(2) for such a signal; either may be null.
void exchange_program_handler(int signal, const struct sigaction* action, struct sigaction* before);
// Back to what constructors installed.
void reset_program_handlers();

}  // namespace heddle
