// Signal handlers. Those for crashes are ours while a program is under control; the others work,
// and are put back after the execution.
#include <csignal>

#include "channel/channel.h"
#include "runtime/kernel_state.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::real {
HEDDLE_REAL(sigaction)
}  // namespace heddle::real

namespace heddle {
namespace {

bool taken(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
      return true;
    default:
      return number == SIGRTMIN + kAbandonSignalOffset;
  }
}

void handler_change(const char* function, int number, Address pc) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;
  if (taken(number)) unsupported(function, pc);
  kernel_state().dispositions_touched();
}

sighandler_t install(const char* function, int number, sighandler_t handler) {
  using Signal = sighandler_t (*)(int, sighandler_t);
  return reinterpret_cast<Signal>(real::resolve(function))(number, handler);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (action != nullptr)
    handler_change("sigaction for a signal that reports crashes", number, HEDDLE_CALLER);
  if (before != nullptr && g_switches.on_fiber)
    g_runtime.pages.prepare_write(reinterpret_cast<uint64_t>(before), sizeof *before);
  return real::sigaction()(number, action, before);
}

#define SIGNAL(name)                                                                   \
  HEDDLE_EXPORT sighandler_t name(int number, sighandler_t handler) {                  \
    handler_change(#name " for a signal that reports crashes", number, HEDDLE_CALLER); \
    return install(#name, number, handler);                                            \
  }

SIGNAL(signal)
SIGNAL(__sysv_signal)
SIGNAL(bsd_signal)
SIGNAL(ssignal)
SIGNAL(sigset)
