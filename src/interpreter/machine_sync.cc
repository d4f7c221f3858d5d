// What the actions on condition variables, reader-writer locks, semaphores, barriers and once
// controls do.
#include <bit>
#include <cerrno>
#include <cstring>

#include "interpreter/machine.h"

namespace heddle {

using graph::ActionKind;
using graph::CellKind;

// ---- condition variables ----

bool Machine::condition_exists(const CompiledCell& cell, const char* does) {
  if (!program_->has.cond_status) return true;
  const uint8_t mark = state_[cell.offset + cell.bytes - 1];
  if (mark == 0) return true;
  if (mark == kDestroyed)
    fail(FindingKind::CondMisuse,
         self() + " " + does + " a condition variable that has been destroyed");
  else
    cut_here(self() + " " + does + " a condition variable that was not initialised");
  return false;
}

// The waiter goes on to take the mutex again; or leaves the barrier, or tries once more.
void Machine::wake(uint32_t thread) {
  set_location(state_, thread, location_number(state_, thread) + 1);
}

Machine::Flow Machine::perform_condition(const CompiledAction& action, uint32_t choice) {
  const uint64_t pointer = values_[action.address];
  const bool waits = action.kind == ActionKind::CondWait;
  const char* does = waits                                      ? "waits on"
                     : action.kind == ActionKind::CondSignal    ? "signals"
                     : action.kind == ActionKind::CondBroadcast ? "broadcasts"
                     : action.kind == ActionKind::CondDestroy   ? "destroys"
                                                                : "initialises";
  const uint32_t number =
      resolve_sync(pointer, action.cell, does, CellKind::Condition, CellKind::Condition);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& cell = program_->cells[number];
  uint8_t* at = state_ + cell.offset;
  if (action.kind == ActionKind::CondInit) {
    memset(at, 0, cell.bytes);
    if (observer_ != nullptr) observer_->overwritten(number, 1);
    set_result(action, 0);
    return Flow::GoOn;
  }
  if (!condition_exists(cell, does)) return Flow::Stop;
  if (waits) return wait_on(action, cell);
  uint64_t waiters = mask(at);
  if (action.kind == ActionKind::CondDestroy) {
    const int waiting = std::popcount(waiters);
    if (waiting > 0)
      return fail(FindingKind::CondMisuse,
                  "a condition variable is destroyed while " + std::to_string(waiting) +
                      (waiting == 1 ? " thread waits" : " threads wait") + " on it");
    at[cell.bytes - 1] = kDestroyed;
  } else if (action.kind == ActionKind::CondSignal) {
    if (waiters != 0) {
      uint64_t left = waiters;
      for (; choice > 0; --choice) left &= left - 1;
      const auto woken = static_cast<uint32_t>(std::countr_zero(left));
      set_mask(at, waiters & ~(uint64_t{1} << woken));
      wake(woken);
    }
  } else {
    set_mask(at, 0);
    for (; waiters != 0; waiters &= waiters - 1)
      wake(static_cast<uint32_t>(std::countr_zero(waiters)));
  }
  set_result(action, 0);
  return Flow::GoOn;
}

Machine::Flow Machine::wait_on(const CompiledAction& action, const CompiledCell& condition) {
  const uint64_t pointer = values_[action.second];
  const uint32_t number = resolve_sync(pointer, action.second_cell, "waits with", CellKind::Mutex,
                                       CellKind::ErrorCheckMutex);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& mutex = program_->cells[number];
  uint8_t* at = state_ + mutex.offset;
  if (*at != self_ + 1) {
    if (mutex_kind(state_, mutex) == CellKind::ErrorCheckMutex) {
      set_result(action, EPERM);
      return Flow::GoOn;
    }
    return fail(FindingKind::CondMisuse, "pthread_cond_wait is called without holding the mutex");
  }
  if (program_->has.mutex_kinds) {
    slot(self_)[program_->depth] = at[kMutexDepth];
    at[kMutexDepth] = 0;
  }
  *at = 0;
  if (observer_ != nullptr) observer_->unlocked(self_, Address{pointer});
  uint8_t* waiters = state_ + condition.offset;
  set_mask(waiters, mask(waiters) | uint64_t{1} << self_);
  return block_inside();
}

// The step ends in the middle of the action.
Machine::Flow Machine::block_inside() {
  const uint32_t blocked = code_->blocks[block_].blocked;
  if (observer_ != nullptr && section_step_ && sections(state_, self_) > 0) {
    Action waiting = action_of(state_, self_, blocked, values_);
    waiting.in_section = false;
    waiting.op = Op::Blocked;
    observer_->in_section(waiting);
  }
  park(blocked);
  return Flow::Stop;
}

Machine::Flow Machine::relock(const CompiledAction& action) {
  const uint32_t number = resolve_sync(values_[action.second], action.second_cell, "relocks",
                                       CellKind::Mutex, CellKind::ErrorCheckMutex);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& mutex = program_->cells[number];
  if (state_[mutex.offset] != 0) return misuse_mutex(mutex, "relocks", "has been destroyed");
  take_mutex(mutex, values_[action.second]);
  if (program_->has.mutex_kinds) {
    state_[mutex.offset + kMutexDepth] = slot(self_)[program_->depth];
    slot(self_)[program_->depth] = 0;
  }
  set_result(action, 0);
  return Flow::GoOn;
}

// ---- reader-writer locks ----

bool Machine::can_write(const uint8_t* lock) const {
  if (*lock != 0) return false;
  for (uint32_t thread = 0; thread < program_->slots; ++thread)
    if (lock[kReadHolds + thread] != 0) return false;
  return true;
}

std::string Machine::rw_holder_text(const uint8_t* lock) const {
  if (*lock != 0) return label(*lock - 1u) + " holds for writing";
  for (uint32_t thread = 0; thread < program_->slots; ++thread)
    if (thread != self_ && lock[kReadHolds + thread] != 0)
      return label(thread) + " holds for reading";
  return lock[kReadHolds + self_] != 0 ? self() + " holds for reading" : "is not locked";
}

Machine::Flow Machine::perform_rwlock(const CompiledAction& action) {
  const uint64_t pointer = values_[action.address];
  static constexpr const char* kDoes[] = {
      "initialises", "read-locks", "tries to read-lock", "write-locks", "tries to write-lock",
      "unlocks",     "destroys"};
  const char* does = kDoes[static_cast<int>(action.kind) - static_cast<int>(ActionKind::RwInit)];
  const uint32_t number =
      resolve_sync(pointer, action.cell, does, CellKind::RwLock, CellKind::RwLock);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& cell = program_->cells[number];
  uint8_t* lock = state_ + cell.offset;
  uint8_t& reads = lock[kReadHolds + self_];
  if (action.kind == ActionKind::RwInit) {
    memset(lock, 0, cell.bytes);
    if (observer_ != nullptr) observer_->overwritten(number, 1);
    set_result(action, 0);
    return Flow::GoOn;
  }
  if (*lock == kUninitialised)
    return cut_here(self() + " " + does + " a reader-writer lock that was not initialised");
  if (reads >= kMostHolds) return cut_here("a reader-writer lock that is read-locked too often");
  set_result(action, 0);
  switch (action.kind) {
    case ActionKind::RwRead:
    case ActionKind::RwTryRead:
      if (*lock == self_ + 1 && action.kind == ActionKind::RwRead) {
        set_result(action, EDEADLK);
      } else if (*lock == 0) {
        ++reads;
        if (observer_ != nullptr) observer_->locked(self_, Address{pointer});
      } else if (action.kind == ActionKind::RwTryRead) {
        set_result(action, EBUSY);
      } else {
        return block_inside();
      }
      return Flow::GoOn;
    case ActionKind::RwWrite:
    case ActionKind::RwTryWrite:
      if (*lock == self_ + 1 && action.kind == ActionKind::RwWrite) {
        set_result(action, EDEADLK);
      } else if (can_write(lock)) {
        *lock = static_cast<uint8_t>(self_ + 1);
        if (observer_ != nullptr) observer_->locked(self_, Address{pointer});
      } else if (action.kind == ActionKind::RwTryWrite) {
        set_result(action, EBUSY);
      } else {
        return block_inside();
      }
      return Flow::GoOn;
    case ActionKind::RwUnlock:
      if (*lock == self_ + 1) {
        *lock = 0;
      } else if (reads > 0) {
        --reads;
      } else {
        return fail(FindingKind::RwlockMisuse,
                    self() + " unlocks a reader-writer lock that " + rw_holder_text(lock));
      }
      if (observer_ != nullptr) observer_->unlocked(self_, Address{pointer});
      wake_blocked(pointer);
      return Flow::GoOn;
    default:
      if (!can_write(lock))
        return fail(FindingKind::RwlockMisuse,
                    self() + " destroys a reader-writer lock that " + rw_holder_text(lock));
      return Flow::GoOn;
  }
}

// By attempts: those who wait for it may try again.
void Machine::wake_blocked(uint64_t pointer) {
  if (options_.blocking != Blocking::Attempt) return;
  for (uint32_t other = 0; other < program_->slots; ++other) {
    if (other == self_) continue;
    const Location& at = location(state_, other);
    if (at.phase != Phase::Blocked) continue;
    const CompiledAction& action = action_at(at);
    if (action.kind == ActionKind::CondWait || action.kind == ActionKind::BarrierWait) continue;
    if (probe(state_, other)[action.address] == pointer) wake(other);
  }
}

// Another thread that is blocked at the object; -1: none.
int32_t Machine::waiter_at(uint64_t pointer) {
  for (uint32_t other = 0; other < program_->slots; ++other) {
    const Location& at = location(state_, other);
    if (other == self_ || (at.phase != Phase::Action && at.phase != Phase::Blocked)) continue;
    const CompiledAction& action = action_at(at);
    if (action.address == kNoPlace || probe(state_, other)[action.address] != pointer) continue;
    if (choices(state_, other) == 0) return static_cast<int32_t>(other);
  }
  return -1;
}

// ---- semaphores, barriers, once ----

Machine::Flow Machine::perform_semaphore(const CompiledAction& action) {
  const uint64_t pointer = values_[action.address];
  const uint32_t number =
      resolve_sync(pointer, action.cell, "uses", CellKind::Semaphore, CellKind::Semaphore);
  if (number == kNoCell) return Flow::Stop;
  uint8_t* at = state_ + program_->cells[number].offset;
  const uint64_t count = load_bytes(at, 2);
  const bool ends = action.kind == ActionKind::SemInit || action.kind == ActionKind::SemDestroy;
  if (const int32_t waiting = ends ? waiter_at(pointer) : -1; waiting >= 0)
    return fail(FindingKind::SemMisuse,
                self() + (action.kind == ActionKind::SemInit ? " initialises" : " destroys") +
                    " a semaphore that " + label(static_cast<uint32_t>(waiting)) + " waits for");
  if (count == kNoSemaphore && action.kind != ActionKind::SemInit)
    return cut_here(self() + " uses a semaphore that was not initialised");
  set_result(action, 0);
  switch (action.kind) {
    case ActionKind::SemInit:
      if (values_[action.value] > kMostSemaphore)
        return cut_here("a semaphore with a larger count than can be kept");
      store_bytes(at, 2, values_[action.value]);
      if (observer_ != nullptr) observer_->overwritten(number, 1);
      return Flow::GoOn;
    case ActionKind::SemWait:
      if (count == 0) return block_inside();
      store_bytes(at, 2, count - 1);
      return Flow::GoOn;
    case ActionKind::SemTryWait:
      if (count == 0) {
        set_result(action, EAGAIN);
        return Flow::GoOn;
      }
      store_bytes(at, 2, count - 1);
      if (observer_ != nullptr) observer_->changed();
      return Flow::GoOn;
    case ActionKind::SemPost:
      if (count == kMostSemaphore)
        return cut_here("a semaphore with a larger count than can be kept");
      store_bytes(at, 2, count + 1);
      wake_blocked(pointer);
      return Flow::GoOn;
    case ActionKind::SemValue:
      set_result(action, count);
      return Flow::GoOn;
    default:
      return Flow::GoOn;
  }
}

Machine::Flow Machine::perform_barrier(const CompiledAction& action) {
  const uint64_t pointer = values_[action.address];
  const bool waits = action.kind == ActionKind::BarrierWait;
  const char* does = waits                                    ? "waits at"
                     : action.kind == ActionKind::BarrierInit ? "initialises"
                                                              : "destroys";
  const uint32_t number =
      resolve_sync(pointer, action.cell, does, CellKind::Barrier, CellKind::Barrier);
  if (number == kNoCell) return Flow::Stop;
  uint8_t* at = state_ + program_->cells[number].offset;
  uint8_t* waiters = at + 1;
  if (*at == 0 && action.kind != ActionKind::BarrierInit)
    return fail(FindingKind::BarrierMisuse,
                self() + " " + does + " a barrier that is not initialised");
  const uint64_t waiting = mask(waiters);
  if (!waits && waiting != 0)
    return fail(FindingKind::BarrierMisuse,
                self() + " " + does + " a barrier at which " +
                    label(static_cast<uint32_t>(std::countr_zero(waiting))) + " waits");
  set_result(action, 0);
  if (action.kind == ActionKind::BarrierInit) {
    const uint64_t count = values_[action.value];
    if (count == 0) {
      set_result(action, EINVAL);
      return Flow::GoOn;
    }
    if (count > 255) return cut_here("a barrier for more threads than can be kept");
    *at = static_cast<uint8_t>(count);
    if (observer_ != nullptr) observer_->overwritten(number, 1);
    return Flow::GoOn;
  }
  if (!waits) {
    *at = 0;
    return Flow::GoOn;
  }
  if (std::popcount(waiting) + 1 < *at) {
    set_mask(waiters, waiting | uint64_t{1} << self_);
    return block_inside();
  }
  set_mask(waiters, 0);
  for (uint64_t left = waiting; left != 0; left &= left - 1)
    wake(static_cast<uint32_t>(std::countr_zero(left)));
  set_result(action, 1);
  return Flow::GoOn;
}

Machine::Flow Machine::perform_once(const CompiledAction& action) {
  const uint32_t number = resolve_sync(values_[action.address], action.cell, "turns to",
                                       CellKind::Once, CellKind::Once);
  if (number == kNoCell) return Flow::Stop;
  uint8_t& control = state_[program_->cells[number].offset];
  if (control == kUninitialised)
    return cut_here(self() + " turns to a once control that was not initialised");
  if (action.kind == ActionKind::OnceEnd) {
    control = static_cast<uint8_t>(OnceState::Done);
    return Flow::GoOn;
  }
  const bool fresh = control == static_cast<uint8_t>(OnceState::New);
  if (fresh) control = static_cast<uint8_t>(OnceState::Running);
  set_result(action, fresh ? 1 : 0);
  return Flow::GoOn;
}

}  // namespace heddle
