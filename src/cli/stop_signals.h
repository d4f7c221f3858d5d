// Ctrl-C and SIGTERM end a run in good order instead of killing the command line.
#pragma once

#include <csignal>

namespace heddle {

bool stop_signal_seen();

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace heddle
