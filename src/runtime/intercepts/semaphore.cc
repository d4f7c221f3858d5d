// Semaphores, unnamed and named. Named ones live in a table of ours (named_semaphores.h): nothing
// of them reaches the system, and every execution starts without any.
#include <fcntl.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>

#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/objects/named_semaphores.h"
#include "runtime/objects/sync_state.h"

namespace heddle::real {
HEDDLE_REAL(sem_init)
HEDDLE_REAL(sem_destroy)
HEDDLE_REAL(sem_open)
HEDDLE_REAL(sem_close)
HEDDLE_REAL(sem_unlink)
HEDDLE_REAL(sem_wait)
HEDDLE_REAL(sem_trywait)
HEDDLE_REAL(sem_timedwait)
HEDDLE_REAL(sem_clockwait)
HEDDLE_REAL(sem_post)
HEDDLE_REAL(sem_getvalue)
}  // namespace heddle::real

namespace heddle {
namespace {

int error(int number) {
  errno = number;
  return -1;
}

sem_t* no_semaphore(int number) {
  errno = number;
  return SEM_FAILED;
}

// The wait is over: cancellation_point() does not return.
bool cancel_awaited() {
  return g_switches.on_fiber && must_cancel(current_thread());
}

int take_before(sem_t* semaphore, const Deadline& deadline, Address pc) {
  SemState state(semaphore);
  if (state.count() == 0 && deadline.error != 0) return error(deadline.error);
  if (!acquire_before(deadline, {.op = Op::SemWait, .object = address_of(semaphore), .pc = pc},
                      Op::SemTimedWait, [&] { return state.count() > 0; }))
    return error(ETIMEDOUT);
  state.take();
  sync_acquire(semaphore);
  return 0;
}

void fail_if_awaited(const char* description, sem_t* semaphore, Address pc) {
  ThreadId waiting = thread_waiting_for(address_of(semaphore));
  if (waiting == kNoThread) return;
  RuntimeScope scope;
  misuse(FindingKind::SemMisuse, description,
         "a semaphore that " + thread_label(waiting) + " waits for", pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (controlled()) {
    use_object_at(Op::Write, semaphore, sizeof *semaphore, HEDDLE_CALLER);
    fail_if_awaited("initialises", semaphore, HEDDLE_CALLER);
  }
  return real::sem_init()(semaphore, shared, value);
}

HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  if (!controlled()) return real::sem_destroy()(semaphore);
  visible({.op = Op::SemDestroy, .object = address_of(semaphore), .pc = HEDDLE_CALLER});
  fail_if_awaited("destroys", semaphore, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  if (!controlled()) return real::sem_wait()(semaphore);
  SemState state(semaphore);
  if (g_switches.on_fiber) cancellation_point();
  acquire({.op = Op::SemWait, .object = address_of(semaphore), .pc = HEDDLE_CALLER},
          [&] { return state.count() > 0 || cancel_awaited(); });
  if (g_switches.on_fiber) cancellation_point();
  state.take();
  sync_acquire(semaphore);
  return 0;
}

HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) {
  if (!controlled()) return real::sem_trywait()(semaphore);
  visible({.op = Op::SemTryWait, .object = address_of(semaphore), .pc = HEDDLE_CALLER});
  SemState state(semaphore);
  if (state.count() == 0) return error(EAGAIN);
  g_runtime.executor.changed();
  state.take();
  sync_acquire(semaphore);
  return 0;
}

HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber) return real::sem_timedwait()(semaphore, time);
  return take_before(semaphore, deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber) return real::sem_clockwait()(semaphore, clock, time);
  return take_before(semaphore, deadline_at(clock, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_post(sem_t* semaphore) {
  if (!controlled()) return real::sem_post()(semaphore);
  visible({.op = Op::SemPost, .object = address_of(semaphore), .pc = HEDDLE_CALLER});
  SemState state(semaphore);
  if (state.count() == SEM_VALUE_MAX) return error(EOVERFLOW);
  state.post();
  sync_release(semaphore);
  return 0;
}

HEDDLE_EXPORT int sem_getvalue(sem_t* semaphore, int* value) {
  if (!controlled()) return real::sem_getvalue()(semaphore, value);
  visible({.op = Op::SemValue, .object = address_of(semaphore), .pc = HEDDLE_CALLER});
  access_range(Op::Write, value, sizeof *value, HEDDLE_CALLER);
  *value = static_cast<int>(SemState(semaphore).count());
  return 0;
}

HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  unsigned value = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
  va_end(list);
  if (!controlled() || !g_switches.on_fiber) return real::sem_open()(name, flags, mode, value);
  access_range(Op::Read, name, strlen(name) + 1, HEDDLE_CALLER);
  visible({.op = Op::SemOpen, .object = kNamedSemaphores, .pc = HEDDLE_CALLER});
  if (const int number = NamedSemaphores::check(name); number != 0) return no_semaphore(number);
  NamedSemaphores& known = g_runtime.executor.named_semaphores();
  sem_t* found = known.find(name);
  if (found != nullptr && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0)
    return no_semaphore(EEXIST);
  if (found != nullptr) return found;
  if ((flags & O_CREAT) == 0) return no_semaphore(ENOENT);
  if (value > SEM_VALUE_MAX) return no_semaphore(EINVAL);
  auto* made =
      static_cast<sem_t*>(g_runtime.heap.allocate_zeroed(current_thread().id, sizeof(sem_t)));
  real::sem_init()(made, 0, value);
  known.add(name, made);
  return made;
}

// The semaphore stays, as it does for other threads that have it open.
HEDDLE_EXPORT int sem_close(sem_t* semaphore) {
  if (!controlled() || !g_switches.on_fiber) return real::sem_close()(semaphore);
  if (!g_runtime.executor.named_semaphores().contains(semaphore)) return error(EINVAL);
  return 0;
}

HEDDLE_EXPORT int sem_unlink(const char* name) {
  if (!controlled() || !g_switches.on_fiber) return real::sem_unlink()(name);
  access_range(Op::Read, name, strlen(name) + 1, HEDDLE_CALLER);
  visible({.op = Op::SemOpen, .object = kNamedSemaphores, .pc = HEDDLE_CALLER});
  if (const int number = NamedSemaphores::check(name); number != 0) return error(number);
  return g_runtime.executor.named_semaphores().unlink(name) ? 0 : error(ENOENT);
}
