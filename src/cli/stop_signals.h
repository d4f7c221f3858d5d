// Ctrl-C, SIGTERM and SIGHUP end a run in good order instead of killing the command line; Ctrl-Z is
// passed on to the tested process first.
#pragma once

#include <csignal>

namespace heddle {

bool stop_signal_seen();
// Since it was last asked.
bool suspend_signal_seen();
// Stops this process as the signal would have; returns when it is continued.
void suspend_by(int signal);

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  struct sigaction old_hang_up_ {};
  struct sigaction old_suspend_ {};
};

}  // namespace heddle
