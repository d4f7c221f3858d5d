// pthread_once, on which the C++ library's locales and std::call_once stand. Arriving at one that
// is done already is no scheduling point: done is final, and the schedules in which the thread
// arrives earlier are explored from the points at which it is not. A search that leaves out
// equivalent executions, though, must see that arriving depends on having been done, so there it is
// one.
#include <pthread.h>

#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/objects/once_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_once)
}  // namespace heddle::real

namespace heddle {
namespace {

// An exception thrown by the routine leaves the control as if it had never run. To leave it is a
// step in either case: others may go on.
struct OnceGuard {
  pthread_once_t* control;
  Address pc;
  int outcome = PTHREAD_ONCE_INIT;
  ~OnceGuard() {
    visible({.op = Op::OnceEnd, .object = address_of(control), .pc = pc});
    sync_release(control);
    *control = outcome;
  }
};

// A routine of libc++'s call_once, and the flag that is going to be set after it.
struct FlaggedRoutine {
  volatile unsigned long* flag;
  void (*routine)(void*);
  void* argument;
};

void run_flagged(void* data) {
  const auto& flagged = *static_cast<FlaggedRoutine*>(data);
  flagged.routine(flagged.argument);
  // For reductions: others look at the flag before they come to us.
  visible({.op = Op::OnceEnd, .object = address_of(flagged.flag)});
  sync_release(flagged.flag);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

int heddle::run_once(pthread_once_t* control, void (*routine)(), Address pc) {
  if (*control == kOnceDone &&
      (!g_runtime.header->options.sees_done_once || g_switches.in_runtime)) {
    use_object({.op = Op::Once, .object = address_of(control), .pc = pc});
    sync_acquire(control);
    return 0;
  }
  Action action{.op = Op::Once, .object = address_of(control), .pc = pc};
  if (*control == kOnceRunning && !g_switches.concurrent) {
    use_object(action);
    g_runtime.executor.reach(action);  // called from its own routine: blocks for good
  }
  visible(action);
  sync_acquire(control);
  if (*control == kOnceDone) return 0;
  *control = kOnceRunning;
  OnceGuard guard{control, pc};
  routine();
  guard.outcome = kOnceDone;
  return 0;
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_once()(control, routine);
  return run_once(control, routine, HEDDLE_CALLER);
}

// std::call_once of libc++: its library sets the flag, out of our sight, when the routine has
// returned; whoever finds it set knows what the routine did.
HEDDLE_EXPORT void call_once_of_libcxx(
    volatile unsigned long& flag, void* argument,
    void (*routine)(void*)) asm("_ZNSt3__111__call_onceERVmPvPFvS2_E");
void call_once_of_libcxx(volatile unsigned long& flag, void* argument, void (*routine)(void*)) {
  using CallOnce = void (*)(volatile unsigned long&, void*, void (*)(void*));
  static auto real_call_once =
      reinterpret_cast<CallOnce>(real::resolve("_ZNSt3__111__call_onceERVmPvPFvS2_E"));
  if (!controlled() || !g_switches.on_fiber) return real_call_once(flag, argument, routine);
  FlaggedRoutine flagged{&flag, routine, argument};
  real_call_once(flag, &flagged, run_flagged);
}
