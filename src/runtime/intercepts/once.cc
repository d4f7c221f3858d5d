// pthread_once, on which the C++ library's locales and std::call_once stand. Arriving at one that
// is done already is no scheduling point: done is final, and the schedules in which the thread
// arrives earlier are explored from the points at which it is not. A reduction by races, though,
// must see that arriving depends on having been done, so there it is one (Blocking::Attempt).
#include <pthread.h>

#include "runtime/blocking.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/once_state.h"
#include "runtime/races.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::real {
HEDDLE_REAL(pthread_once)
}  // namespace heddle::real

namespace heddle {
namespace {

// An exception thrown by the routine leaves the control as if it had never run.
struct OnceGuard {
  pthread_once_t* control;
  int outcome = PTHREAD_ONCE_INIT;
  ~OnceGuard() {
    sync_release(control);
    *control = outcome;
  }
};

}  // namespace
}  // namespace heddle

using namespace heddle;

int heddle::run_once(pthread_once_t* control, void (*routine)(), Address pc) {
  if (*control == kOnceDone && (!by_attempts() || g_switches.in_runtime)) {
    sync_acquire(control);
    return 0;
  }
  Action action{.op = Op::Once, .object = address_of(control), .pc = pc};
  if (*control == kOnceRunning && !g_switches.concurrent)
    g_runtime.executor.reach(action);  // called from its own routine: blocks for good
  visible(action);
  sync_acquire(control);
  if (*control == kOnceDone) return 0;
  *control = kOnceRunning;
  OnceGuard guard{control};
  routine();
  visible({.op = Op::OnceEnd, .object = address_of(control), .pc = pc});
  guard.outcome = kOnceDone;
  return 0;
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_once()(control, routine);
  return run_once(control, routine, HEDDLE_CALLER);
}
