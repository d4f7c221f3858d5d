// Reader-writer locks. Readers are preferred, as by default in glibc: a waiting writer keeps no
// reader out. State: rwlock_state.h, and who reads in read_holds.h.
#include <pthread.h>

#include <cerrno>

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/objects/rwlock_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_rwlock_rdlock)
HEDDLE_REAL(pthread_rwlock_tryrdlock)
HEDDLE_REAL(pthread_rwlock_wrlock)
HEDDLE_REAL(pthread_rwlock_trywrlock)
HEDDLE_REAL(pthread_rwlock_unlock)
HEDDLE_REAL(pthread_rwlock_destroy)
HEDDLE_REAL(pthread_rwlock_timedrdlock)
HEDDLE_REAL(pthread_rwlock_clockrdlock)
HEDDLE_REAL(pthread_rwlock_timedwrlock)
HEDDLE_REAL(pthread_rwlock_clockwrlock)
}  // namespace heddle::real

namespace heddle {
namespace {

void note_held(pthread_rwlock_t* lock) {
  if (g_switches.gathers && g_switches.on_fiber) evidence().lock_taken(address_of(lock));
}
void note_given_back(pthread_rwlock_t* lock) {
  if (g_switches.gathers && g_switches.on_fiber) evidence().lock_given_back(address_of(lock));
}

void note_toggled(pthread_rwlock_t* lock, SpinMonitor::Hold hold) {
  if (g_switches.on_fiber) g_runtime.executor.toggled(lock, hold);
}

void begin_read(pthread_rwlock_t* lock) {
  note_held(lock);
  note_toggled(lock, SpinMonitor::Hold::Taken);
  RwlockState(lock).begin_read();
  sync_acquire(lock);
  if (g_switches.on_fiber) g_runtime.executor.read_holds().add(running_thread(), address_of(lock));
}

int begin_write(pthread_rwlock_t* lock) {
  RwlockState(lock).begin_write(running_thread());
  sync_acquire_all(lock);
  note_held(lock);
  note_toggled(lock, SpinMonitor::Hold::Taken);
  return 0;
}

// False if the thread does not read under the lock.
bool end_read(pthread_rwlock_t* lock) {
  RwlockState state(lock);
  if (state.readers() == 0) return false;
  ReadHolds& holds = g_runtime.executor.read_holds();
  const bool from_before_main = holds.reader(address_of(lock), kNoThread) == kNoThread;
  if (!from_before_main && !holds.remove(running_thread(), address_of(lock))) return false;
  state.end_read();
  note_given_back(lock);
  note_toggled(lock, SpinMonitor::Hold::GivenBack);
  sync_release_shared(lock);
  return true;
}

[[noreturn]] void misuse(const char* does, const std::string& what, Address pc) {
  RuntimeScope scope;
  misuse(FindingKind::RwlockMisuse, does, "a reader-writer lock that " + what, pc);
}

int read_before(pthread_rwlock_t* lock, const Deadline& deadline, Address pc) {
  RwlockState state(lock);
  if (state.writer() == running_thread()) return EDEADLK;
  if (!state.can_read() && deadline.error != 0) return deadline.error;
  if (!acquire_before(deadline, {.op = Op::RwRead, .object = address_of(lock), .pc = pc},
                      Op::RwTimedRead, [&] { return state.can_read(); }))
    return ETIMEDOUT;
  begin_read(lock);
  return 0;
}

int write_before(pthread_rwlock_t* lock, const Deadline& deadline, Address pc) {
  RwlockState state(lock);
  if (state.writer() == running_thread()) return EDEADLK;
  if (!state.can_write() && deadline.error != 0) return deadline.error;
  if (!acquire_before(deadline, {.op = Op::RwWrite, .object = address_of(lock), .pc = pc},
                      Op::RwTimedWrite, [&] { return state.can_write(); }))
    return ETIMEDOUT;
  return begin_write(lock);
}

// "thread 1 holds for writing"
std::string holder(Address lock) {
  RwlockState state(lock);
  if (state.writer() != kNoThread) return thread_label(state.writer()) + " holds for writing";
  ThreadId reader = g_runtime.executor.read_holds().reader(lock, running_thread());
  return reader == kNoThread ? "is not locked" : thread_label(reader) + " holds for reading";
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_rdlock()(lock);
  RwlockState state(lock);
  if (state.writer() == running_thread()) return EDEADLK;
  acquire({.op = Op::RwRead, .object = address_of(lock), .pc = HEDDLE_CALLER},
          [&] { return state.can_read(); });
  begin_read(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_tryrdlock()(lock);
  visible({.op = Op::RwTryRead, .object = address_of(lock), .pc = HEDDLE_CALLER});
  if (!RwlockState(lock).can_read()) return EBUSY;
  begin_read(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_wrlock()(lock);
  RwlockState state(lock);
  if (state.writer() == running_thread()) return EDEADLK;
  acquire({.op = Op::RwWrite, .object = address_of(lock), .pc = HEDDLE_CALLER},
          [&] { return state.can_write(); });
  return begin_write(lock);
}

HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_trywrlock()(lock);
  visible({.op = Op::RwTryWrite, .object = address_of(lock), .pc = HEDDLE_CALLER});
  RwlockState state(lock);
  if (!state.can_write()) return EBUSY;
  return begin_write(lock);
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_unlock()(lock);
  Address object = address_of(lock);
  visible({.op = Op::RwUnlock, .object = object, .pc = HEDDLE_CALLER});
  RwlockState state(lock);
  if (state.writer() == running_thread()) {
    state.end_write();
    note_given_back(lock);
    note_toggled(lock, SpinMonitor::Hold::GivenBack);
    sync_release(lock);
  } else if (!end_read(lock) && g_switches.on_fiber) {
    misuse("unlocks", holder(object), HEDDLE_CALLER);
  }
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!controlled()) return real::pthread_rwlock_destroy()(lock);
  Address object = address_of(lock);
  visible({.op = Op::RwDestroy, .object = object, .pc = HEDDLE_CALLER});
  if (!RwlockState(lock).can_write() && g_switches.on_fiber)
    misuse("destroys", holder(object), HEDDLE_CALLER);
  sync_forget(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_rwlock_timedrdlock()(lock, time);
  return read_before(lock, deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_rwlock_clockrdlock()(lock, clock, time);
  return read_before(lock, deadline_at(clock, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_rwlock_timedwrlock()(lock, time);
  return write_before(lock, deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_rwlock_clockwrlock()(lock, clock, time);
  return write_before(lock, deadline_at(clock, time, HEDDLE_CALLER), HEDDLE_CALLER);
}
