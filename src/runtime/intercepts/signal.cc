// Signal handlers: what signals do is the process's, so changing it is a step, as is raising one.
// For crashes ours are in place while a program is under control, and have those of the program run
// (runtime/session/signals.cc); the others work as they are. All are put back after the execution.
#include <csignal>

#include "channel/channel.h"
#include "model/process_state.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/program_handlers.h"
#include "runtime/rewind/signal_masks.h"

namespace heddle::real {
HEDDLE_REAL(sigaction)
}  // namespace heddle::real

namespace heddle {
namespace {

// A debugger sees crashes itself, and so do the program's handlers then.
bool kept_by_us(int number) {
  return explored() && is_crash_signal(number) && !g_runtime.header->options.stop_in_debugger;
}

void handler_change(int number, Address pc) {
  if (!explored()) return;
  if (number == SIGRTMIN + kAbandonSignalOffset)
    unsupported("a handler for the signal by which Heddle ends executions", pc);
  visible({.op = Op::StateChange, .object = kSignalActions, .pc = pc});
  kernel_state().dispositions_touched();
}

// What waits is dropped when it is ignored (sigaction(2)).
void ignoring(int number, sighandler_t handler) {
  const bool no_matter =
      number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
  if (explored() && (handler == SIG_IGN || (handler == SIG_DFL && no_matter)))
    signal_masks().forget(number);
}

sighandler_t install(const char* function, int number, sighandler_t handler, int flags) {
  if (kept_by_us(number)) {
    struct sigaction action = {}, before;
    action.sa_handler = handler;
    action.sa_flags = flags;
    exchange_program_handler(number, &action, &before);
    return before.sa_handler;
  }
  ignoring(number, handler);
  using Signal = sighandler_t (*)(int, sighandler_t);
  return reinterpret_cast<Signal>(real::resolve(function))(number, handler);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  reads(action, HEDDLE_CALLER);
  writes(before, HEDDLE_CALLER);
  if (action != nullptr)
    handler_change(number, HEDDLE_CALLER);
  else if (explored())
    visible({.op = Op::StateAsk, .object = kSignalActions, .pc = HEDDLE_CALLER});
  if (kept_by_us(number)) {
    exchange_program_handler(number, action, before);
    return 0;
  }
  if (before != nullptr && g_switches.on_fiber)
    g_runtime.pages.prepare_write(reinterpret_cast<uint64_t>(before), sizeof *before);
  if (action == nullptr || !explored()) return real::sigaction()(number, action, before);
  ignoring(number, action->sa_handler);
  struct sigaction ours = *action;  // while a handler runs faults must not be blocked, either
  reinterpret_cast<SignalSet&>(ours.sa_mask) &= ~needed_signals();
  return real::sigaction()(number, &ours, before);
}

#define SIGNAL(name, flags)                                           \
  HEDDLE_EXPORT sighandler_t name(int number, sighandler_t handler) { \
    handler_change(number, HEDDLE_CALLER);                            \
    return install(#name, number, handler, flags);                    \
  }

SIGNAL(signal, SA_RESTART)
SIGNAL(__sysv_signal, SA_RESETHAND)
SIGNAL(bsd_signal, SA_RESTART)
SIGNAL(ssignal, SA_RESTART)

// This one may block the signal, or no longer do so.
HEDDLE_EXPORT sighandler_t sigset(int number, sighandler_t handler) {
  handler_change(number, HEDDLE_CALLER);
  if (explored()) signal_masks().begin_use(current_thread().id);
  return install("sigset", number, handler, 0);
}

HEDDLE_EXPORT int sigignore(int number) {
  handler_change(number, HEDDLE_CALLER);
  return install("signal", number, SIG_IGN, SA_RESTART) == SIG_ERR ? -1 : 0;
}
