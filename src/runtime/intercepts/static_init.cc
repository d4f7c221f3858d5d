// Initialisation of function-local statics: the compiler's calls around the initialiser. A thread
// that arrives while another is at it waits, which libstdc++ would do with a futex.
#include "runtime/once_state.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

// The C++ library's own function, for calls from outside the tested program's threads; null in a
// process without that library, where only libheddle's own copy of it can be calling.
void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int __cxa_guard_acquire(int* guard) {
  if ((*guard & kGuardDone) != 0) return 0;
  if (!g_switches.on_fiber) {
    auto acquire = reinterpret_cast<int (*)(int*)>(next("__cxa_guard_acquire"));
    return acquire != nullptr ? acquire(guard) : 1;
  }
  Action action{.op = Op::StaticInit, .object = address_of(guard), .pc = HEDDLE_CALLER};
  if ((*guard & kGuardRunning) != 0 && !g_switches.concurrent)
    g_runtime.executor.reach(action);  // the initialiser needs itself: blocks for good
  visible(action);
  if ((*guard & kGuardDone) != 0) return 0;
  *guard |= kGuardRunning;
  return 1;
}

HEDDLE_EXPORT void __cxa_guard_release(int* guard) {
  auto release = g_switches.on_fiber
                     ? nullptr
                     : reinterpret_cast<void (*)(int*)>(next("__cxa_guard_release"));
  if (release != nullptr) return release(guard);
  *guard = kGuardDone;
}

HEDDLE_EXPORT void __cxa_guard_abort(int* guard) {
  auto abandon = g_switches.on_fiber
                     ? nullptr
                     : reinterpret_cast<void (*)(int*)>(next("__cxa_guard_abort"));
  if (abandon != nullptr) return abandon(guard);
  *guard = 0;
}
