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
  switch (op) {
    case Op::MutexLock:
    case Op::MutexTryLock:
    case Op::MutexTimedLock:
    case Op::MutexUnlock:
    case Op::MutexDestroy:
    case Op::CondRelock:
      return sizeof(pthread_mutex_t);
    case Op::CondWait:
    case Op::CondTimedWait:
    case Op::CondSignal:
    case Op::CondBroadcast:
    case Op::CondDestroy:
      return sizeof(pthread_cond_t);
    case Op::RwRead:
    case Op::RwTryRead:
    case Op::RwTimedRead:
    case Op::RwWrite:
    case Op::RwTryWrite:
    case Op::RwTimedWrite:
    case Op::RwUnlock:
    case Op::RwDestroy:
      return sizeof(pthread_rwlock_t);
    case Op::SemWait:
    case Op::SemTryWait:
    case Op::SemTimedWait:
    case Op::SemPost:
    case Op::SemValue:
    case Op::SemDestroy:
      return sizeof(sem_t);
    case Op::BarrierWait:
    case Op::BarrierDestroy:
      return sizeof(pthread_barrier_t);
    case Op::SpinLock:
    case Op::SpinTryLock:
    case Op::SpinUnlock:
    case Op::SpinDestroy:
      return sizeof(pthread_spinlock_t);
    case Op::Once:
    case Op::OnceEnd:
      return sizeof(pthread_once_t);
    default:
      return 0;
  }
}

// The running thread takes this step on its object now: an error if that is not there any more, and
// a race if somebody frees or overwrites it with nothing to order the two.
void use_object(const Action& action);
// The same for what is no step; initialisation is a Write.
void use_object_at(Op op, const volatile void* object, uint32_t bytes, Address pc);

}  // namespace heddle
