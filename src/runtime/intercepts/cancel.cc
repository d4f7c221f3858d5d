// Cancellation, deferred: a request is acted on at the next cancellation point, which here are
// pthread_testcancel, joins, waits for conditions and semaphores, sleeps, and reading, writing,
// polling, opening and closing of descriptors. A thread that waits in one of these is made to go
// on: a waiter takes its mutex back first. What is no step (files) acts on requests from before the
// step that leads there. The thread then leaves as
// by pthread_exit, through its cleanup handlers and destructors. The asynchronous type is accepted
// and treated as deferred.
//
// Any step may be a cancellation point, and what it depends on would be one thing more than the
// dependence table can say: searches that leave out equivalent executions are refused.
#include "runtime/intercepts/cancel.h"

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <utility>

#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/cleanup.h"
#include "strategies/combinations.h"

namespace heddle::real {
HEDDLE_REAL(pthread_cancel)
HEDDLE_REAL(pthread_testcancel)
HEDDLE_REAL(pthread_setcancelstate)
HEDDLE_REAL(pthread_setcanceltype)
HEDDLE_REAL(pthread_kill)
}  // namespace heddle::real

namespace heddle {
namespace {

// A thread that waits in a cancellation point goes on.
void interrupt(ProgramThread& thread) {
  switch (thread.pending.op) {
    case Op::CondBlocked:
      stop_waiting_on_condition(thread);
      break;
    case Op::ThreadJoin:
    case Op::SemWait:
    case Op::FdRead:
    case Op::FdWrite:
    case Op::FdWait:
      thread.pending.op = Op::CancelPoint;
      g_runtime.executor.look_again_at(thread);
      break;
    default:
      break;
  }
}

}  // namespace

void act_on_cancel() {
  current_thread().cancelled = true;
  exit_thread(PTHREAD_CANCELED);
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_cancel()(handle);
  if (leaves_out_executions(g_runtime.header->options)) cannot_run(Limitation::Cancel);
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == kNoThread || g_runtime.executor.thread(id).life == Life::None) return ESRCH;
  visible({.op = Op::ThreadCancel, .object = Address{index(id)}, .pc = HEDDLE_CALLER});
  ProgramThread& target = g_runtime.executor.thread(id);
  target.cancel_requested = true;
  if (target.life == Life::Live && &target != &current_thread() && !target.cancel_disabled &&
      !target.cancelled)
    interrupt(target);
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_testcancel()();
  visible({.op = Op::CancelPoint, .pc = HEDDLE_CALLER});
  cancellation_point();
}

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* before) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_setcancelstate()(state, before);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  ProgramThread& self = current_thread();
  writes(before, HEDDLE_CALLER);
  if (before != nullptr)
    *before = self.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* before) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_setcanceltype()(type, before);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  writes(before, HEDDLE_CALLER);
  if (before != nullptr) *before = PTHREAD_CANCEL_DEFERRED;
  return 0;
}

// Signal 0 only asks whether the thread is there.
HEDDLE_EXPORT int pthread_kill(pthread_t handle, int signal) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_kill()(handle, signal);
  if (signal != 0) unsupported("pthread_kill", HEDDLE_CALLER);
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  return id == kNoThread || g_runtime.executor.thread(id).life == Life::None ? ESRCH : 0;
}
