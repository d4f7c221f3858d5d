// Initialisation of function-local statics: the compiler's calls around the initialiser. A thread
// that arrives while another is at it waits, which libstdc++ would do with a futex.
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/objects/once_state.h"

namespace heddle {
namespace {

// The C++ library's own function, for calls from outside the tested program's threads; null in a
// process without that library, where only libheddle's own copy of it can be calling.
void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

// The ABI's own declarations differ between compilers, so these get their names by label.
HEDDLE_EXPORT int guard_acquire(int* guard) asm("__cxa_guard_acquire");
HEDDLE_EXPORT void guard_release(int* guard) asm("__cxa_guard_release");
HEDDLE_EXPORT void guard_abort(int* guard) asm("__cxa_guard_abort");

int guard_acquire(int* guard) {
  if ((*guard & kGuardDone) != 0) {
    sync_acquire(guard);
    return 0;
  }
  if (!g_switches.on_fiber) {
    auto acquire = reinterpret_cast<int (*)(int*)>(next("__cxa_guard_acquire"));
    return acquire != nullptr ? acquire(guard) : 1;
  }
  Action action{.op = Op::StaticInit, .object = address_of(guard), .pc = HEDDLE_CALLER};
  if ((*guard & kGuardRunning) != 0 && !g_switches.concurrent)
    g_runtime.executor.reach(action);  // the initialiser needs itself: blocks for good
  visible(action);
  sync_acquire(guard);
  if ((*guard & kGuardDone) != 0) return 0;
  *guard |= kGuardRunning;
  return 1;
}

// How an initialisation ends, by `name`; whoever waits for it may go on.
static void end_initialisation(int* guard, const char* name, int outcome, Address pc) {
  if (!g_switches.on_fiber) {
    auto end = reinterpret_cast<void (*)(int*)>(next(name));
    if (end != nullptr) return end(guard);
  }
  visible({.op = Op::OnceEnd, .object = address_of(guard), .pc = pc});
  sync_release(guard);
  *guard = outcome;
}

void guard_release(int* guard) {
  end_initialisation(guard, "__cxa_guard_release", kGuardDone, HEDDLE_CALLER);
}

void guard_abort(int* guard) {
  end_initialisation(guard, "__cxa_guard_abort", 0, HEDDLE_CALLER);
}
