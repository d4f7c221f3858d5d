// C11's <threads.h>: the same objects as POSIX's under other names. glibc lays them out alike, and
// we keep their state where that of a mutex, a condition or a once control lies.
#include <threads.h>

#include <cerrno>

#include "runtime/executor/deferred_constructors.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/cleanup.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/session/session.h"

namespace heddle::real {
HEDDLE_REAL(thrd_create)
HEDDLE_REAL(thrd_join)
HEDDLE_REAL(thrd_detach)
HEDDLE_REAL(thrd_exit)
HEDDLE_REAL(thrd_sleep)
HEDDLE_REAL(thrd_yield)
HEDDLE_REAL(mtx_init)
HEDDLE_REAL(mtx_lock)
HEDDLE_REAL(mtx_trylock)
HEDDLE_REAL(mtx_timedlock)
HEDDLE_REAL(mtx_unlock)
HEDDLE_REAL(mtx_destroy)
HEDDLE_REAL(cnd_init)
HEDDLE_REAL(cnd_wait)
HEDDLE_REAL(cnd_timedwait)
HEDDLE_REAL(cnd_signal)
HEDDLE_REAL(cnd_broadcast)
HEDDLE_REAL(cnd_destroy)
HEDDLE_REAL(call_once)
}  // namespace heddle::real

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t) &&
              sizeof(tss_t) == sizeof(pthread_key_t));

namespace heddle {
namespace {

bool program_runs() {
  return g_switches.controlled && g_switches.on_fiber;
}

pthread_mutex_t* as_mutex(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}

pthread_cond_t* as_condition(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

int as_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    default:
      return thrd_error;
  }
}

}  // namespace
}  // namespace heddle

extern "C" {
__attribute__((visibility("hidden"))) decltype(::pthread_detach) heddle_taken_pthread_detach;
__attribute__((
    visibility("hidden"))) decltype(::pthread_key_create) heddle_taken_pthread_key_create;
__attribute__((
    visibility("hidden"))) decltype(::pthread_key_delete) heddle_taken_pthread_key_delete;
}

using namespace heddle;

HEDDLE_EXPORT int thrd_create(thrd_t* handle, thrd_start_t entry, void* argument) {
  if (!program_runs()) {
    if (!controlled()) note_early_thread(HEDDLE_CALLER);
    if (controlled() && !g_switches.on_fiber) start_again_before_constructors(HEDDLE_CALLER);
    return real::thrd_create()(handle, entry, argument);
  }
  auto* start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(entry));
  return as_c11(create_thread(handle, nullptr, start, argument, Returns::Int, HEDDLE_CALLER));
}

HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  if (!program_runs()) return real::thrd_join()(handle, result);
  void* value = nullptr;
  const int error = join_thread(handle, &value, HEDDLE_CALLER);
  if (error == 0) writes(result, HEDDLE_CALLER);
  if (error == 0 && result != nullptr)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return as_c11(error);
}

HEDDLE_EXPORT int thrd_detach(thrd_t handle) {
  if (!program_runs()) return real::thrd_detach()(handle);
  return as_c11(heddle_taken_pthread_detach(handle));
}

HEDDLE_EXPORT void thrd_exit(int result) {
  if (!program_runs()) real::thrd_exit()(result);
  exit_thread(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}

HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  if (!program_runs()) return real::thrd_sleep()(duration, rest);
  const Deadline until = deadline_after(duration, HEDDLE_CALLER);
  if (until.error != 0) return -2;
  sleep_for(until.at - current_thread().time, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT void thrd_yield() {
  if (!program_runs()) return real::thrd_yield()();
  visible({.op = Op::Yield, .pc = HEDDLE_CALLER});
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if (!program_runs()) return real::mtx_init()(mutex, type);
  if (type < 0 || type > (mtx_recursive | mtx_timed)) return thrd_error;
  use_object_at(Op::Write, mutex, sizeof *mutex, HEDDLE_CALLER);
  *as_mutex(mutex) = PTHREAD_MUTEX_INITIALIZER;
  if ((type & mtx_recursive) != 0) as_mutex(mutex)->__data.__kind = PTHREAD_MUTEX_RECURSIVE;
  return thrd_success;
}

HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!program_runs()) return real::mtx_lock()(mutex);
  return as_c11(lock_mutex(as_mutex(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!program_runs()) return real::mtx_trylock()(mutex);
  return as_c11(try_lock_mutex(as_mutex(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  if (!program_runs()) return real::mtx_timedlock()(mutex, time);
  const Deadline deadline = deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER);
  return as_c11(lock_mutex_before(as_mutex(mutex), deadline, HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!program_runs()) return real::mtx_unlock()(mutex);
  return as_c11(unlock_mutex(as_mutex(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!program_runs()) return real::mtx_destroy()(mutex);
  destroy_mutex(as_mutex(mutex), HEDDLE_CALLER);
}

HEDDLE_EXPORT int cnd_init(cnd_t* condition) {
  if (!program_runs()) return real::cnd_init()(condition);
  use_object_at(Op::Write, condition, sizeof *condition, HEDDLE_CALLER);
  *as_condition(condition) = PTHREAD_COND_INITIALIZER;
  return thrd_success;
}

HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!program_runs()) return real::cnd_wait()(condition, mutex);
  return as_c11(
      wait_on_condition(as_condition(condition), as_mutex(mutex), nullptr, HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  if (!program_runs()) return real::cnd_timedwait()(condition, mutex, time);
  const Deadline deadline = deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER);
  return as_c11(
      wait_on_condition(as_condition(condition), as_mutex(mutex), &deadline, HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_signal(cnd_t* condition) {
  if (!program_runs()) return real::cnd_signal()(condition);
  return as_c11(signal_condition(as_condition(condition), HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!program_runs()) return real::cnd_broadcast()(condition);
  return as_c11(broadcast_condition(as_condition(condition), HEDDLE_CALLER));
}

HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!program_runs()) return real::cnd_destroy()(condition);
  destroy_condition(as_condition(condition), HEDDLE_CALLER);
}

HEDDLE_EXPORT void call_once(once_flag* flag, void (*routine)()) {
  if (!program_runs()) return real::call_once()(flag, routine);
  run_once(reinterpret_cast<pthread_once_t*>(flag), routine, HEDDLE_CALLER);
}

HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return as_c11(heddle_taken_pthread_key_create(key, destructor));
}

HEDDLE_EXPORT void tss_delete(tss_t key) {
  heddle_taken_pthread_key_delete(key);
}
