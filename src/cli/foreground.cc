#include "cli/foreground.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "cli/stop_signals.h"

namespace heddle {
namespace {

// From the background: the kernel would stop us for it.
void give_terminal(int terminal, pid_t group) {
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  sigprocmask(SIG_BLOCK, &output, &before);
  tcsetpgrp(terminal, group);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

bool has_terminal(int terminal) {
  return terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
}

}  // namespace

void Foreground::look() {
  if (suspend_signal_seen()) stop_together(SIGTSTP);
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == 0)
    return;
  if (info.si_code == CLD_TRAPPED) refusals_ = kMostRefusals;  // it wants to be traced by us
  if (info.si_status == SIGTTIN || info.si_status == SIGTTOU)
    lend();
  else if (info.si_status == SIGTSTP && is_lent())
    stop_together(SIGTSTP);
}

void Foreground::lend() {
  FileDescriptor terminal(open("/dev/tty", O_RDWR | O_CLOEXEC));
  if (!has_terminal(terminal.get())) stop_together(SIGTTIN);  // we are in the background ourselves
  if (has_terminal(terminal.get())) {
    terminal_ = std::move(terminal);
    give_terminal(terminal_.get(), child_);
  } else {
    ++refusals_;
  }
  kill(-child_, SIGCONT);
}

void Foreground::take_back() {
  if (is_lent()) give_terminal(terminal_.get(), getpgrp());
  terminal_ = FileDescriptor();
}

// As if the signal had come to us all. Comes back when the shell lets us go on.
void Foreground::stop_together(int signal) {
  const bool lent = is_lent();
  take_back();
  kill(-child_, SIGSTOP);
  suspend_by(signal);
  if (lent)
    lend();
  else
    kill(-child_, SIGCONT);
}

}  // namespace heddle
