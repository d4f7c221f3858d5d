// Signal handlers. Those for crashes are ours while a program is under control.
#include <csignal>
#include <string>

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
      return false;
  }
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (g_switches.on_fiber && !g_switches.in_runtime && action != nullptr && taken(number))
    unsupported("sigaction for a signal that reports crashes", HEDDLE_CALLER);
  return real::sigaction()(number, action, before);
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  if (g_switches.on_fiber && !g_switches.in_runtime && taken(number))
    unsupported("signal for a signal that reports crashes", HEDDLE_CALLER);
  using Signal = sighandler_t (*)(int, sighandler_t);
  static auto real_signal = reinterpret_cast<Signal>(real::resolve("signal"));
  return real_signal(number, handler);
}
