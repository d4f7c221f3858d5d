// Condition variables. A condition keeps no state of its own: its waiters are the threads whose
// pending action is CondBlocked on it, so there is nothing to initialise or to rewind.
//
// A wait is three steps: CondWait releases the mutex and starts waiting, in one; CondBlocked is
// never enabled, until a signal turns it into CondRelock; CondRelock is enabled when the mutex is
// free. Which of several waiters a signal wakes is a choice of the search.
//
// With --spurious a wait may end without a signal, as its last alternative; in the same way as:
//
// A wait that may time out early (timed.h) has that as its second alternative. It then never
// becomes a waiter: had it been one until later, no signal would have reached it, or it had not
// timed out.
#include <pthread.h>

#include <cerrno>

#include "runtime/checkers/races.h"
#include "runtime/executor/blocking.h"
#include "runtime/executor/robust.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/objects/mutex_state.h"

namespace heddle::real {
HEDDLE_REAL(pthread_cond_wait)
HEDDLE_REAL(pthread_cond_timedwait)
HEDDLE_REAL(pthread_cond_clockwait)
HEDDLE_REAL(pthread_cond_signal)
HEDDLE_REAL(pthread_cond_broadcast)
HEDDLE_REAL(pthread_cond_destroy)
}  // namespace heddle::real

namespace heddle {
namespace {

void wake(ProgramThread& waiter) {
  waiter.woken = g_runtime.executor.steps();
  stop_waiting_on_condition(waiter);
}

void relock(const Action& blocked) {
  g_runtime.executor.reach(
      {.op = Op::CondRelock, .object = blocked.second, .second = blocked.object, .pc = blocked.pc});
}

// Waits for a signal; true if the deadline ended the wait. The mutex is to be taken again.
bool wait_for_signal(const Action& blocked, const Deadline* deadline, bool early) {
  if (deadline == nullptr) {
    g_runtime.executor.reach(blocked);
    return false;
  }
  TimedWait timed(*deadline);
  bool timed_out = early || timed.expired();
  if (!timed_out) {
    g_runtime.executor.reach(blocked);
    timed_out = current_thread().pending.op == Op::TimeOut;
  }
  if (!timed_out) return false;
  timed.time_out();
  relock(blocked);
  return true;
}

bool may_be_early(const Deadline* deadline) {
  if (deadline == nullptr) return false;
  TimedWait timed(*deadline);
  return timed.may_be_early() && !timed.expired();
}

// In a field that glibc would use and we do not; initialisation clears it.
constexpr unsigned kDestroyed = 0x64656164;

void must_exist(const pthread_cond_t* condition, const char* does, Address pc) {
  if (condition->__data.__g1_orig_size != kDestroyed || !g_switches.on_fiber) return;
  RuntimeScope scope;
  fail(FindingKind::CondMisuse,
       "thread " + std::to_string(index(current_thread().id)) + " " + does +
           " a condition variable that has been destroyed",
       pc);
}

}  // namespace

int wait_on_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline* deadline,
                      Address pc) {
  if (deadline != nullptr && deadline->error != 0) return deadline->error;
  MutexState state(mutex);
  Action action{.op = may_be_early(deadline) ? Op::CondTimedWait : Op::CondWait,
                .object = address_of(condition),
                .second = address_of(mutex),
                .pc = pc};
  cancellation_point();
  if (g_switches.concurrent && g_runtime.header->options.spurious == 0)
    g_runtime.header->spurious_left_out = 1;
  const uint32_t alternative = visible(action);
  const bool early = action.op == Op::CondTimedWait && alternative == 1;
  const bool spurious = alternative > 0 && !early;
  must_exist(condition, "waits on", pc);
  ProgramThread& self = current_thread();
  if (state.owner() != self.id) {
    if (state.kind() == MutexKind::ErrorCheck) return EPERM;
    fail(FindingKind::CondMisuse, "pthread_cond_wait is called without holding the mutex", pc);
  }
  cancellation_point();  // the request may have come before it began to wait
  before_giving_up(state, mutex);
  unsigned depth = state.release_all();
  lock_given_back(mutex);
  action.op = Op::CondBlocked;
  bool timed_out = false;
  if (spurious) {
    ++self.spurious;
    relock(action);
  } else {
    timed_out = wait_for_signal(action, deadline, early);
  }
  use_object({.op = Op::CondRelock, .object = address_of(mutex), .pc = pc});
  state.acquire_again(self.id, depth);
  lock_taken(mutex);
  const int health = after_taking(state, mutex);
  cancellation_point();
  return health != 0 ? health : timed_out ? ETIMEDOUT : 0;
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_cond_wait()(condition, mutex);
  return wait_on_condition(condition, mutex, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_cond_timedwait()(condition, mutex, time);
  // glibc keeps the clock given by the attributes in a bit of this word.
  const clockid_t clock = (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  const Deadline deadline = deadline_at(clock, time, HEDDLE_CALLER);
  return wait_on_condition(condition, mutex, &deadline, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         clockid_t clock, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_cond_clockwait()(condition, mutex, clock, time);
  const Deadline deadline = deadline_at(clock, time, HEDDLE_CALLER);
  return wait_on_condition(condition, mutex, &deadline, HEDDLE_CALLER);
}

int heddle::signal_condition(pthread_cond_t* condition, Address pc) {
  uint32_t which = visible({.op = Op::CondSignal, .object = address_of(condition), .pc = pc});
  must_exist(condition, "signals", pc);
  NativeExecutor& executor = g_runtime.executor;
  if (executor.count_waiters(address_of(condition)) > 0)
    wake(executor.waiter(address_of(condition), which));
  else if (g_switches.on_fiber)
    executor.note_lonely_signal(address_of(condition));
  return 0;
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_signal()(condition);
  return signal_condition(condition, HEDDLE_CALLER);
}

int heddle::broadcast_condition(pthread_cond_t* condition, Address pc) {
  visible({.op = Op::CondBroadcast, .object = address_of(condition), .pc = pc});
  must_exist(condition, "broadcasts", pc);
  NativeExecutor& executor = g_runtime.executor;
  if (executor.count_waiters(address_of(condition)) == 0 && g_switches.on_fiber)
    executor.note_lonely_signal(address_of(condition));
  while (executor.count_waiters(address_of(condition)) > 0)
    wake(executor.waiter(address_of(condition), 0));
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_broadcast()(condition);
  return broadcast_condition(condition, HEDDLE_CALLER);
}

int heddle::destroy_condition(pthread_cond_t* condition, Address pc) {
  visible({.op = Op::CondDestroy, .object = address_of(condition), .pc = pc});
  must_exist(condition, "destroys", pc);
  uint32_t waiting = g_runtime.executor.count_waiters(address_of(condition));
  if (waiting > 0 && g_switches.on_fiber)
    fail(FindingKind::CondMisuse,
         "a condition variable is destroyed while " + std::to_string(waiting) +
             (waiting == 1 ? " thread waits" : " threads wait") + " on it",
         pc);
  condition->__data.__g1_orig_size = kDestroyed;
  return 0;
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!controlled()) return real::pthread_cond_destroy()(condition);
  return destroy_condition(condition, HEDDLE_CALLER);
}
