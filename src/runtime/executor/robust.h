// Robust mutexes: if a thread ends that holds one, the next to lock it hears of it (EOWNERDEAD) and
// must make it consistent, or nobody can have it again (ENOTRECOVERABLE).
#pragma once

#include <cerrno>

#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/objects/mutex_state.h"

namespace heddle {

// After the running thread has taken the mutex: what to return.
inline int after_taking(MutexState& state, pthread_mutex_t* mutex) {
  if (!state.robust() || !g_switches.on_fiber) return 0;
  ProgramThread& self = current_thread();
  if (state.depth() == 1) {
    if (self.robust_held == ProgramThread::kMostRobust)
      cannot_run("a thread of the program holds more than 16 robust mutexes");
    self.robust[self.robust_held++] = address_of(mutex);
  }
  if (state.health() != MutexHealth::OwnerDied) return 0;
  state.set_health(MutexHealth::Inconsistent);
  return EOWNERDEAD;
}

// Before the running thread gives the mutex up altogether.
inline void before_giving_up(MutexState& state, pthread_mutex_t* mutex) {
  if (!state.robust() || !g_switches.on_fiber) return;
  if (state.health() == MutexHealth::Inconsistent) state.set_health(MutexHealth::Lost);
  ProgramThread& self = current_thread();
  for (uint32_t i = 0; i < self.robust_held; ++i)
    if (self.robust[i] == address_of(mutex)) self.robust[i] = self.robust[--self.robust_held];
}

// The running thread ends. Giving up each mutex is a step like any unlock.
inline void leave_robust_mutexes() {
  ProgramThread& self = current_thread();
  while (self.robust_held > 0) {
    const Address object = self.robust[self.robust_held - 1];
    visible({.op = Op::MutexUnlock, .object = object});
    MutexState state(object);
    state.release_all();
    state.set_health(MutexHealth::OwnerDied);
    lock_given_back(reinterpret_cast<pthread_mutex_t*>(value(object)));
    --self.robust_held;
  }
}

}  // namespace heddle
