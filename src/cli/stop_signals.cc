#include "cli/stop_signals.h"

namespace heddle {
namespace {

volatile std::sig_atomic_t seen = 0;

void note(int) {
  seen = 1;
}

}  // namespace

bool stop_signal_seen() {
  return seen != 0;
}

StopSignals::StopSignals() {
  struct sigaction action {};
  action.sa_handler = note;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

}  // namespace heddle
