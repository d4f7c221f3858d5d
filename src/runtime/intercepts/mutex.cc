// Mutexes: normal, recursive, error-checking. Their state is described in mutex_state.h.
//
// Initialisation is no scheduling point: a mutex that others use already must not be initialised.
// Destruction is one, because a thread that still holds the mutex makes it an error.
#include <pthread.h>

#include <cerrno>

#include "runtime/blocking.h"
#include "runtime/mutex_state.h"
#include "runtime/races.h"
#include "runtime/real.h"

namespace heddle::real {
HEDDLE_REAL(pthread_mutex_lock)
HEDDLE_REAL(pthread_mutex_trylock)
HEDDLE_REAL(pthread_mutex_unlock)
HEDDLE_REAL(pthread_mutex_destroy)
}  // namespace heddle::real

using namespace heddle;

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_lock()(mutex);
  MutexState state(mutex);
  ThreadId self = running_thread();
  bool mine = state.owner() == self;
  if (mine && state.kind() == MutexKind::Normal && g_switches.on_fiber)
    fail(FindingKind::Deadlock,
         thread_label(self) + " locks a normal mutex that it holds already (self-deadlock)",
         HEDDLE_CALLER);
  visible({.op = Op::MutexLock, .object = address_of(mutex), .pc = HEDDLE_CALLER});
  if (mine && state.kind() == MutexKind::ErrorCheck) return EDEADLK;
  if (!mine && state.locked())  // alone, so nobody is left to unlock it: wait for the verdict
    g_runtime.executor.reach(
        {.op = Op::MutexLock, .object = address_of(mutex), .pc = HEDDLE_CALLER});
  state.acquire(self);
  lock_taken(mutex);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_trylock()(mutex);
  MutexState state(mutex);
  ThreadId self = running_thread();
  visible({.op = Op::MutexTryLock, .object = address_of(mutex), .pc = HEDDLE_CALLER});
  bool again = state.owner() == self && state.kind() == MutexKind::Recursive;
  if (state.locked() && !again) return EBUSY;
  state.acquire(self);
  lock_taken(mutex);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_unlock()(mutex);
  MutexState state(mutex);
  ThreadId self = running_thread();
  visible({.op = Op::MutexUnlock, .object = address_of(mutex), .pc = HEDDLE_CALLER});
  if (state.owner() != self) {
    if (state.kind() != MutexKind::Normal) return EPERM;
    if (!g_switches.on_fiber) return 0;
    RuntimeScope scope;
    fail(FindingKind::MutexMisuse,
         thread_label(self) + " unlocks a mutex that " +
             (state.locked() ? thread_label(state.owner()) + " holds"
                             : std::string("is not locked")),
         HEDDLE_CALLER);
  }
  state.release();
  lock_given_back(mutex);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_destroy()(mutex);
  visible({.op = Op::MutexDestroy, .object = address_of(mutex), .pc = HEDDLE_CALLER});
  MutexState state(mutex);
  if (state.locked() && g_switches.on_fiber) {
    RuntimeScope scope;
    fail(FindingKind::MutexMisuse,
         thread_label(running_thread()) + " destroys a mutex that " + thread_label(state.owner()) +
             " holds",
         HEDDLE_CALLER);
  }
  sync_forget(mutex);
  return 0;
}
