// Mutexes: normal, recursive, error-checking. Their state is described in mutex_state.h.
//
// Initialisation is no scheduling point: a mutex that others use already must not be initialised.
// Destruction is one, because a thread that still holds the mutex makes it an error.
#include <pthread.h>

#include <cerrno>

#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/executor/robust.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/objects/mutex_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_mutex_lock)
HEDDLE_REAL(pthread_mutex_trylock)
HEDDLE_REAL(pthread_mutex_unlock)
HEDDLE_REAL(pthread_mutex_destroy)
HEDDLE_REAL(pthread_mutex_timedlock)
HEDDLE_REAL(pthread_mutex_clocklock)
HEDDLE_REAL(pthread_mutex_consistent)
}  // namespace heddle::real

namespace heddle {

namespace {

void must_exist(const MutexState& mutex, const char* does, Address pc) {
  if (!mutex.destroyed() || !g_switches.on_fiber) return;
  RuntimeScope scope;
  fail(FindingKind::MutexMisuse,
       thread_label(running_thread()) + " " + does + " a mutex that has been destroyed", pc);
}

// The mutex is free, or the running thread's own: takes it, unless nobody can have it any more.
int take(MutexState& state, pthread_mutex_t* mutex, ThreadId self) {
  if (state.health() == MutexHealth::Lost) return ENOTRECOVERABLE;
  state.acquire(self);
  lock_taken(mutex);
  return after_taking(state, mutex);
}

}  // namespace

int lock_mutex_before(pthread_mutex_t* mutex, const Deadline& deadline, Address pc) {
  MutexState state(mutex);
  ThreadId self = running_thread();
  const bool mine = state.owner() == self;
  if (mine && state.kind() == MutexKind::ErrorCheck) return EDEADLK;
  const bool again = mine && state.kind() == MutexKind::Recursive;
  if (!again && state.locked() && deadline.error != 0) return deadline.error;
  if (!acquire_before(deadline, {.op = Op::MutexLock, .object = address_of(mutex), .pc = pc},
                      Op::MutexTimedLock, [&] { return again || !state.locked(); }))
    return ETIMEDOUT;
  must_exist(state, "locks", pc);
  return take(state, mutex, self);
}

}  // namespace heddle

using namespace heddle;

int heddle::lock_mutex(pthread_mutex_t* mutex, Address pc) {
  MutexState state(mutex);
  ThreadId self = running_thread();
  bool mine = state.owner() == self;
  if (mine && state.kind() == MutexKind::Normal && g_switches.on_fiber) {
    use_object({.op = Op::MutexLock, .object = address_of(mutex), .pc = pc});
    fail(FindingKind::Deadlock,
         thread_label(self) + " locks a normal mutex that it holds already (self-deadlock)", pc);
  }
  visible({.op = Op::MutexLock, .object = address_of(mutex), .pc = pc});
  must_exist(state, "locks", pc);
  if (mine && state.kind() == MutexKind::ErrorCheck) return EDEADLK;
  if (!mine && state.locked())  // alone, so nobody is left to unlock it: wait for the verdict
    g_runtime.executor.reach({.op = Op::MutexLock, .object = address_of(mutex), .pc = pc});
  return take(state, mutex, self);
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_lock()(mutex);
  return lock_mutex(mutex, HEDDLE_CALLER);
}

int heddle::try_lock_mutex(pthread_mutex_t* mutex, Address pc) {
  MutexState state(mutex);
  ThreadId self = running_thread();
  visible({.op = Op::MutexTryLock, .object = address_of(mutex), .pc = pc});
  must_exist(state, "tries to lock", pc);
  bool again = state.owner() == self && state.kind() == MutexKind::Recursive;
  if (state.locked() && !again) return EBUSY;
  return take(state, mutex, self);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_trylock()(mutex);
  return try_lock_mutex(mutex, HEDDLE_CALLER);
}

int heddle::unlock_mutex(pthread_mutex_t* mutex, Address pc) {
  MutexState state(mutex);
  ThreadId self = running_thread();
  visible({.op = Op::MutexUnlock, .object = address_of(mutex), .pc = pc});
  must_exist(state, "unlocks", pc);
  if (state.owner() != self) {
    if (state.kind() != MutexKind::Normal) return EPERM;
    if (!g_switches.on_fiber) return 0;
    RuntimeScope scope;
    fail(FindingKind::MutexMisuse,
         thread_label(self) + " unlocks a mutex that " +
             (state.locked() ? thread_label(state.owner()) + " holds"
                             : std::string("is not locked")),
         pc);
  }
  if (state.depth() == 1) before_giving_up(state, mutex);
  state.release();
  lock_given_back(mutex);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_unlock()(mutex);
  return unlock_mutex(mutex, HEDDLE_CALLER);
}

// Only its holder can do this, so it is no step.
HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_consistent()(mutex);
  MutexState state(mutex);
  if (state.owner() != running_thread() || state.health() != MutexHealth::Inconsistent)
    return EINVAL;
  state.set_health(MutexHealth::Fine);
  return 0;
}

int heddle::destroy_mutex(pthread_mutex_t* mutex, Address pc) {
  visible({.op = Op::MutexDestroy, .object = address_of(mutex), .pc = pc});
  MutexState state(mutex);
  must_exist(state, "destroys", pc);
  if (state.locked() && g_switches.on_fiber) {
    RuntimeScope scope;
    fail(FindingKind::MutexMisuse,
         thread_label(running_thread()) + " destroys a mutex that " + thread_label(state.owner()) +
             " holds",
         pc);
  }
  sync_forget(mutex);
  state.destroy();
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_mutex_destroy()(mutex);
  return destroy_mutex(mutex, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_mutex_timedlock()(mutex, time);
  return lock_mutex_before(mutex, deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_mutex_clocklock()(mutex, clock, time);
  return lock_mutex_before(mutex, deadline_at(clock, time, HEDDLE_CALLER), HEDDLE_CALLER);
}
