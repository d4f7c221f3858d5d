// The memory of objects of synchronisation: whoever uses one touches it, so it must be there, and
// nothing may free or overwrite it meanwhile.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include "model/action.h"

namespace heddle {

// How much memory an operation needs at its object, 0 if none. A thread that leaves a barrier, or a
// condition that it was woken from, no longer does: they may have been destroyed by then.
constexpr uint32_t bytes_of_object(Op op) {
  const Operation& row = operation(op);
  const bool is_mutex = row.object == ObjectSort::Mutex;
  if (row.waits == Waits::Blocked || (row.waits == Waits::Woken && !is_mutex)) return 0;
  switch (row.object) {
    case ObjectSort::Mutex:
      return sizeof(pthread_mutex_t);
    case ObjectSort::Condition:
      return sizeof(pthread_cond_t);
    case ObjectSort::RwLock:
      return sizeof(pthread_rwlock_t);
    case ObjectSort::Semaphore:
      return sizeof(sem_t);
    case ObjectSort::Barrier:
      return sizeof(pthread_barrier_t);
    case ObjectSort::SpinLock:
      return sizeof(pthread_spinlock_t);
    case ObjectSort::Once:
      return sizeof(pthread_once_t);
    default:
      return row.lock == LockEffect::EndInit ? sizeof(pthread_once_t) : 0;
  }
}

// The running thread takes this step on its object now: an error if that is not there any more, and
// a race if somebody frees or overwrites it with nothing to order the two.
void use_object(const Action& action);
// The same for what is no step; initialisation is a Write.
void use_object_at(Op op, const volatile void* object, uint32_t bytes, Address pc);

}  // namespace heddle
