// Barriers. Arriving is a step that never blocks; the last to arrive turns the BarrierBlocked of
// the others into BarrierWoken, as a broadcast does with waiters.
#include <pthread.h>

#include <cerrno>

#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/objects/sync_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_barrier_init)
HEDDLE_REAL(pthread_barrier_wait)
HEDDLE_REAL(pthread_barrier_destroy)
}  // namespace heddle::real

namespace heddle {
namespace {

[[noreturn]] void misuse(const char* does, const std::string& what, Address pc) {
  RuntimeScope scope;
  misuse(FindingKind::BarrierMisuse, does, "a barrier " + what, pc);
}

void fail_if_awaited(const char* description, pthread_barrier_t* barrier, Address pc) {
  ThreadId waiting = thread_waiting_for(address_of(barrier));
  if (waiting != kNoThread) misuse(description, "at which " + thread_label(waiting) + " waits", pc);
}

void release_all(Address barrier) {
  NativeExecutor& executor = g_runtime.executor;
  for (uint32_t id : executor.live_threads()) {
    ProgramThread& thread = executor.thread(ThreadId{id});
    if (thread.pending.op != Op::BarrierBlocked || thread.pending.object != barrier) continue;
    thread.pending.op = Op::BarrierWoken;
    executor.look_again_at(thread);
  }
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                       const pthread_barrierattr_t* attributes, unsigned count) {
  if (!controlled()) return real::pthread_barrier_init()(barrier, attributes, count);
  if (count == 0) return EINVAL;
  reads(attributes, HEDDLE_CALLER);
  use_object_at(Op::Write, barrier, sizeof *barrier, HEDDLE_CALLER);
  fail_if_awaited("initialises", barrier, HEDDLE_CALLER);
  BarrierState(barrier).initialise(count);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_barrier_wait()(barrier);
  Action action{.op = Op::BarrierWait, .object = address_of(barrier), .pc = HEDDLE_CALLER};
  visible(action);
  BarrierState state(barrier);
  if (!state.initialised()) misuse("waits at", "that is not initialised", HEDDLE_CALLER);
  sync_release(barrier);
  if (state.arrive()) {
    sync_acquire(barrier);
    release_all(action.object);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  action.op = Op::BarrierBlocked;
  g_runtime.executor.reach(action);
  sync_acquire(barrier);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!controlled()) return real::pthread_barrier_destroy()(barrier);
  visible({.op = Op::BarrierDestroy, .object = address_of(barrier), .pc = HEDDLE_CALLER});
  BarrierState state(barrier);
  if (!state.initialised() && g_switches.on_fiber)
    misuse("destroys", "that is not initialised", HEDDLE_CALLER);
  fail_if_awaited("destroys", barrier, HEDDLE_CALLER);
  state.destroy();
  return 0;
}
