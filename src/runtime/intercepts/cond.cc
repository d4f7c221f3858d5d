// Condition variables. A condition keeps no state of its own: its waiters are the threads whose
// pending action is CondBlocked on it, so there is nothing to initialise or to rewind.
//
// A wait is three steps: CondWait releases the mutex and starts waiting, in one; CondBlocked is
// never enabled, until a signal turns it into CondRelock; CondRelock is enabled when the mutex is
// free. Which of several waiters a signal wakes is a choice of the search.
#include <pthread.h>

#include <cerrno>

#include "runtime/mutex_state.h"
#include "runtime/races.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::real {
HEDDLE_REAL(pthread_cond_wait)
HEDDLE_REAL(pthread_cond_signal)
HEDDLE_REAL(pthread_cond_broadcast)
HEDDLE_REAL(pthread_cond_destroy)
}  // namespace heddle::real

namespace heddle {
namespace {

void wake(ProgramThread& waiter) {
  Action& pending = waiter.pending;
  pending.op = Op::CondRelock;
  std::swap(pending.object, pending.second);  // it now waits for the mutex
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_cond_wait()(condition, mutex);
  MutexState state(mutex);
  Address object = address_of(condition), second = address_of(mutex);
  visible({.op = Op::CondWait, .object = object, .second = second, .pc = HEDDLE_CALLER});
  ProgramThread& self = current_thread();
  if (state.owner() != self.id) {
    if (state.kind() == MutexKind::ErrorCheck) return EPERM;
    fail(FindingKind::CondMisuse, "pthread_cond_wait is called without holding the mutex",
         HEDDLE_CALLER);
  }
  unsigned depth = state.release_all();
  lock_given_back(mutex);
  g_runtime.executor.reach(
      {.op = Op::CondBlocked, .object = object, .second = second, .pc = HEDDLE_CALLER});
  state.acquire_again(self.id, depth);
  lock_taken(mutex);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_signal()(condition);
  uint32_t which =
      visible({.op = Op::CondSignal, .object = address_of(condition), .pc = HEDDLE_CALLER});
  NativeExecutor& executor = g_runtime.executor;
  if (executor.count_waiters(address_of(condition)) > 0)
    wake(executor.waiter(address_of(condition), which));
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_broadcast()(condition);
  visible({.op = Op::CondBroadcast, .object = address_of(condition), .pc = HEDDLE_CALLER});
  NativeExecutor& executor = g_runtime.executor;
  while (executor.count_waiters(address_of(condition)) > 0)
    wake(executor.waiter(address_of(condition), 0));
  return 0;
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_destroy()(condition);
  visible({.op = Op::CondDestroy, .object = address_of(condition), .pc = HEDDLE_CALLER});
  uint32_t waiting = g_runtime.executor.count_waiters(address_of(condition));
  if (waiting > 0 && g_switches.on_fiber)
    fail(FindingKind::CondMisuse,
         "a condition variable is destroyed while " + std::to_string(waiting) +
             (waiting == 1 ? " thread waits" : " threads wait") + " on it",
         HEDDLE_CALLER);
  return 0;
}
