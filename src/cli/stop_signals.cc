#include "cli/stop_signals.h"

#include <unistd.h>

namespace heddle {
namespace {

volatile std::sig_atomic_t stop_seen = 0;
volatile std::sig_atomic_t suspend_seen = 0;

void note_stop(int) {
  stop_seen = 1;
}

void note_suspend(int) {
  suspend_seen = 1;
}

void install(int number, void (*handler)(int), struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(number, &action, before);
}

}  // namespace

bool stop_signal_seen() {
  return stop_seen != 0;
}

bool suspend_signal_seen() {
  const bool seen = suspend_seen != 0;
  suspend_seen = 0;
  return seen;
}

void suspend_by(int signal) {
  struct sigaction before;
  install(signal, SIG_DFL, &before);
  raise(signal);
  sigaction(signal, &before, nullptr);
}

StopSignals::StopSignals() {
  install(SIGINT, note_stop, &old_interrupt_);
  install(SIGTERM, note_stop, &old_terminate_);
  install(SIGHUP, note_stop, &old_hang_up_);
  if (old_hang_up_.sa_handler == SIG_IGN) sigaction(SIGHUP, &old_hang_up_, nullptr);
  install(SIGTSTP, note_suspend, &old_suspend_);
  if (old_suspend_.sa_handler == SIG_IGN) sigaction(SIGTSTP, &old_suspend_, nullptr);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGHUP, &old_hang_up_, nullptr);
  sigaction(SIGTSTP, &old_suspend_, nullptr);
}

}  // namespace heddle
