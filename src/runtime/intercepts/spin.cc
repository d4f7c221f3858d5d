// Spin locks. A thread that would spin is not enabled: nothing is gained by trying again before
// the holder has moved.
#include <pthread.h>

#include <cerrno>

#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/objects/sync_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_spin_lock)
HEDDLE_REAL(pthread_spin_trylock)
HEDDLE_REAL(pthread_spin_unlock)
HEDDLE_REAL(pthread_spin_destroy)
}  // namespace heddle::real

namespace heddle {
namespace {

[[noreturn]] void misuse(const char* does, const std::string& what, Address pc) {
  RuntimeScope scope;
  misuse(FindingKind::SpinMisuse, does, "a spin lock that " + what, pc);
}

std::string holder(const SpinState& state) {
  if (!state.initialised()) return "is not initialised";
  return state.locked() ? thread_label(state.owner()) + " holds" : "is not locked";
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!controlled()) return real::pthread_spin_lock()(lock);
  SpinState state(lock);
  Action action{.op = Op::SpinLock, .object = address_of(lock), .pc = HEDDLE_CALLER};
  if (state.owner() == running_thread() && g_switches.on_fiber) {
    RuntimeScope scope;
    fail(FindingKind::Deadlock,
         thread_label(running_thread()) + " locks a spin lock that it holds already " +
             "(self-deadlock)",
         HEDDLE_CALLER);
  }
  visible(action);
  if (!state.initialised() && g_switches.on_fiber) misuse("locks", holder(state), HEDDLE_CALLER);
  if (state.locked()) g_runtime.executor.reach(action);  // alone: wait for the verdict
  state.acquire(running_thread());
  lock_taken(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!controlled()) return real::pthread_spin_trylock()(lock);
  visible({.op = Op::SpinTryLock, .object = address_of(lock), .pc = HEDDLE_CALLER});
  SpinState state(lock);
  if (!state.initialised() && g_switches.on_fiber)
    misuse("tries to lock", holder(state), HEDDLE_CALLER);
  if (state.locked()) return EBUSY;
  state.acquire(running_thread());
  lock_taken(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!controlled()) return real::pthread_spin_unlock()(lock);
  visible({.op = Op::SpinUnlock, .object = address_of(lock), .pc = HEDDLE_CALLER});
  SpinState state(lock);
  if (state.owner() != running_thread() && g_switches.on_fiber)
    misuse("unlocks", holder(state), HEDDLE_CALLER);
  state.release();
  lock_given_back(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!controlled()) return real::pthread_spin_destroy()(lock);
  visible({.op = Op::SpinDestroy, .object = address_of(lock), .pc = HEDDLE_CALLER});
  SpinState state(lock);
  if (state.owner() != kNoThread && g_switches.on_fiber)
    misuse("destroys", holder(state), HEDDLE_CALLER);
  return 0;
}
