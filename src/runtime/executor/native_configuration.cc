// What the explorer sees of the program: the live threads, and in how many ways each can go on.
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "model/any_descriptor.h"
#include "model/waiting.h"
#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/blocking.h"
#include "runtime/executor/foreign_threads.h"
#include "runtime/executor/futex.h"
#include "runtime/guest/own_image.h"
#include "runtime/guest/raw.h"
#include "runtime/objects/descriptors.h"
#include "runtime/objects/mutex_state.h"
#include "runtime/objects/once_state.h"
#include "runtime/objects/rwlock_state.h"
#include "runtime/objects/sync_state.h"
#include "states/extended_action.h"

namespace heddle {
namespace {

// Whether a wait for a condition may end without a signal (--spurious).
bool may_wake_for_nothing(const ProgramThread& thread) {
  return thread.spurious < g_runtime.header->options.spurious;
}

// Memory that is there as long as the process is; elsewhere another thread may have taken it away.
bool stays_mapped(uint64_t address) {
  const bool on_stack = address >= kStackBase && address < kHeapShadowBase;
  const bool small_block = address >= kHeapBase && address < kHeapBase + kHeapMetaDistance &&
                           (address - kHeapBase) % kHeapSlotBytes < kHeapSlotBytes / 2;
  return on_stack || small_block || in_program(address);
}

// What lies at the address, or false if nothing does.
bool look_at(uint64_t address, void* into, size_t bytes) {
  if (stays_mapped(address)) {
    memcpy(into, reinterpret_cast<const void*>(address), bytes);
    return true;
  }
  iovec to{into, bytes}, from{reinterpret_cast<void*>(address), bytes};
  const int64_t read = raw::call(SYS_process_vm_readv, static_cast<uint64_t>(raw::call(SYS_getpid)),
                                 raw::bits(&to), 1, raw::bits(&from), 1, 0);
  return read == static_cast<int64_t>(bytes);
}

// Whether the compare-and-swap that the thread is about to make would fail now.
bool would_fail(const ProgramThread& thread) {
  const size_t bytes = std::min<size_t>(thread.pending.size, sizeof thread.expected);
  unsigned char seen[sizeof thread.expected];
  return look_at(value(thread.pending.object), seen, bytes) &&
         memcmp(seen, thread.expected, bytes) != 0;
}

// What lies there or is expected there, as a number that is the same for the same contents.
uint32_t contents(const unsigned char* bytes, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, std::min(count - i, sizeof word));
    hash = mix(hash, word);
  }
  const auto number = static_cast<uint32_t>(hash >> 32);
  return number == Action::kUnknownState ? 0 : number;
}

uint32_t contents_of(const Action& access) {
  unsigned char seen[sizeof(ProgramThread::expected)];
  if (access.size > sizeof seen || !look_at(value(access.object), seen, access.size))
    return Action::kUnknownState;
  return contents(seen, access.size);
}

uint32_t holder_of_mutex(Address mutex) {
  pthread_mutex_t seen;
  if (!look_at(value(mutex), &seen, sizeof seen)) return Action::kUnknownState;
  const MutexState state(&seen);
  return state.locked() ? index(state.owner()) + 1 : 0;
}

uint32_t holder_of_spin_lock(Address lock) {
  pthread_spinlock_t seen;
  if (!look_at(value(lock), const_cast<int*>(&seen), sizeof seen)) return Action::kUnknownState;
  const SpinState state(&seen);
  return state.owner() != kNoThread ? index(state.owner()) + 1 : 0;
}

uint32_t value_of_semaphore(Address semaphore) {
  sem_t seen;
  if (!look_at(value(semaphore), &seen, sizeof seen)) return Action::kUnknownState;
  return SemState(&seen).count();
}

uint32_t state_of_rwlock(Address lock) {
  pthread_rwlock_t seen;
  if (!look_at(value(lock), &seen, sizeof seen)) return Action::kUnknownState;
  const RwlockState state(&seen);
  return state.writer() != kNoThread ? kHeldForWriting : state.readers();
}

uint32_t state_of_barrier(Address barrier) {
  pthread_barrier_t seen;
  if (!look_at(value(barrier), &seen, sizeof seen)) return Action::kUnknownState;
  const BarrierState state(&seen);
  return state.initialised() ? barrier_state(state.missing(), state.round())
                             : Action::kUnknownState;
}

bool is_done(const Action& action) {
  int seen = 0;
  if (!look_at(value(action.object), &seen, sizeof seen)) return false;
  return action.op == Op::Once ? seen == kOnceDone : (seen & kGuardDone) != 0;
}

constexpr OpSet kWithState = OpSet::where([](const Operation& row) {
  switch (row.object) {
    case ObjectSort::Mutex:
    case ObjectSort::Condition:
    case ObjectSort::SpinLock:
    case ObjectSort::RwLock:
    case ObjectSort::Semaphore:
    case ObjectSort::Barrier:
    case ObjectSort::Once:
    case ObjectSort::Static:
      return true;
    default:
      return row.has(op_property::Forms) || row.accesses == Footprint::MemoryUpdate ||
             row.accesses == Footprint::MemoryWrite;
  }
});

}  // namespace

// Where no thread can go on, time passes until the first deadline of a wait. False if some thread
// can go on, or none waits for a time.
bool NativeExecutor::offer_timeout() {
  if (g_runtime.header->options.timeouts == Timeouts::Never) return false;
  ProgramThread* first = nullptr;
  for (uint32_t id : live_) {
    ProgramThread& thread = threads_[id];
    if (choices_of(thread) > 0) return false;
    if (thread.deadline < (first == nullptr ? kNever : first->deadline)) first = &thread;
  }
  if (first == nullptr) return false;
  look_again_at(*first);
  Action& pending = first->pending;
  if (pending.op != Op::Blocked) pending.size = static_cast<uint32_t>(pending.op);
  pending.op = Op::TimeOut;
  return true;
}

// Whoever reasons by races must know what the action finds: model/waiting.h.
Action NativeExecutor::next_of(const ProgramThread& thread) const {
  Action next = thread.pending;
  if (!kWithState.contains(next.op)) return next;
  switch (next.op) {
    case Op::AtomicCas:
      if (would_fail(thread)) next.second = kWouldFail;
      next.before = contents(thread.expected, std::min<size_t>(next.size, sizeof thread.expected));
      break;
    case Op::Write:
    case Op::AtomicStore:
    case Op::AtomicRmw:
      next.before = contents_of(next);
      break;
    case Op::MutexLock:
    case Op::MutexTryLock:
    case Op::MutexTimedLock:
    case Op::MutexUnlock:
    case Op::CondRelock:
      next.before = holder_of_mutex(next.object);
      break;
    case Op::CondWait:
    case Op::CondTimedWait:
      next.before = holder_of_mutex(next.second);
      break;
    case Op::SpinLock:
    case Op::SpinTryLock:
    case Op::SpinUnlock:
      next.before = holder_of_spin_lock(next.object);
      break;
    case Op::Once:
    case Op::StaticInit:
      if (is_done(next)) next.second = kIsDone;
      break;
    case Op::ExitRegister:
      next.before = exit_runs_something() ? 1 : 0;
      break;
    case Op::BarrierWait:
      next.before = state_of_barrier(next.object);
      if (next.before != Action::kUnknownState && missing_at_barrier(next.before) > 1)
        next.second = kEarly;
      break;
    default:
      if (operation(next.op).object == ObjectSort::Semaphore)
        next.before = value_of_semaphore(next.object);
      if (operation(next.op).object == ObjectSort::RwLock)
        next.before = state_of_rwlock(next.object);
      if (next.op == Op::RwUnlock && read_holds_.contains(thread.id, next.object))
        next.second = kSharedHold;
  }
  return next;
}

uint32_t NativeExecutor::choices_now(const ProgramThread& thread) const {
  const Action& next = thread.pending;
  switch (next.op) {
    case Op::MutexLock: {
      MutexState mutex(next.object);
      if (!mutex.locked()) return 1;
      return mutex.owner() == thread.id && mutex.kind() != MutexKind::Normal ? 1 : 0;
    }
    case Op::CondRelock:
      return MutexState(next.object).locked() ? 0 : 1;
    case Op::CondBlocked:
      return 0;
    case Op::ThreadJoin:
      return threads_[value(next.object)].life == Life::Ended ? 1 : 0;
    case Op::CondSignal:
      return std::max(1u, count_waiters(next.object));
    case Op::Once:
      return *reinterpret_cast<const int*>(value(next.object)) == kOnceRunning ? 0 : 1;
    case Op::StaticInit:
      return (*reinterpret_cast<const int*>(value(next.object)) & kGuardRunning) != 0 ? 0 : 1;
    case Op::SpinLock: {
      SpinState lock(next.object);
      return !lock.locked() || !lock.initialised() ? 1 : 0;
    }
    case Op::RwRead:
      return RwlockState(next.object).can_read() ? 1 : 0;
    case Op::RwWrite:
      return RwlockState(next.object).can_write() ? 1 : 0;
    case Op::SemWait:
      return SemState(next.object).count() > 0 ? 1 : 0;
    case Op::BarrierBlocked:
    case Op::FutexBlocked:
    case Op::Blocked:
      return 0;
    case Op::FutexWake:
      return futex_wake_choices(next);
    case Op::FutexTimedWait:
      return 2;  // a signal ends it, or its time
    case Op::CondTimedWait:
      return may_wake_for_nothing(thread) ? 3 : 2;
    case Op::CondWait:
      return may_wake_for_nothing(thread) ? 2 : 1;
    case Op::FdRead:
    case Op::FdWrite:
      if (by_attempts() || next.second != kNoAddress) return 1;
      return ready(static_cast<int>(next.size), next.op == Op::FdRead ? POLLIN : POLLOUT) ? 1 : 0;
    case Op::FdWait:
      if (by_attempts() || next.second != kNoAddress) return 1;
      return any_ready(thread.polled, thread.polled_count) ? 1 : 0;
    case Op::Choose:
      return static_cast<uint32_t>(value(next.object));
    default:
      return 1;
  }
}

// In a loop that counts far.
bool NativeExecutor::runs_on(const ProgramThread& thread) const {
  return tracks_spinning_ && thread.life == Life::Live && spins_.runs_on(thread.id);
}

// Whether the thread that took the last step is in an atomic section, or in a loop that it is to
// leave first, and can go on: nobody else may.
bool NativeExecutor::keeps_others_out(const ProgramThread& last) const {
  if (last.sections == 0 && !runs_on(last)) return false;
  return last.life == Life::Live && choices_of(last) > 0 &&
         (!tracks_spinning_ || spins_.spin(last.id) == Spin::None);
}

// Until somebody changes what the thread does next (look_again_at) it has no choice, and nothing
// else about it is to be told.
static constexpr bool stays_blocked(Op op) {
  constexpr OpSet kSuch =
      OpSet::where([](const Operation& row) { return row.waits == Waits::Blocked; });
  return kSuch.contains(op);
}

void NativeExecutor::refresh_configuration() {
  const ProgramThread& last = threads_[index(last_)];
  const bool alone = keeps_others_out(last);
  configuration_.last = last_;
  configuration_.last_gave_up = gives_up_processor(last_op_);
  configuration_.created = created_;
  configuration_.live.resize(live_.size());
  bool any = false;
  watched_.for_each_below(live_.size(), [&](size_t i) {
    const ProgramThread& thread = threads_[live_[i]];
    ThreadView& view = configuration_.live[i];
    view.id = thread.id;
    view.next = next_of(thread);
    if (thread.id == last_) configuration_.last_at = i;
    if (alone && thread.id == last_ && runs_on(last)) view.next = running_on(thread.pending);
    view.choices = alone && thread.id != last_ ? 0 : choices_of(thread);
    view.spin = Spin::None;
    if (tracks_spinning_ && view.choices > 0 &&
        (view.spin = spins_.spin(thread.id)) != Spin::None) {
      view.choices = 0;
      view.round = spins_.round(thread.id);
    }
    any |= view.choices > 0;
    if (stays_blocked(thread.pending.op)) watched_.leave(i);
  });
  if (any) return;
  if (offer_timeout()) return refresh_configuration();
  look_outside();
}

// Nobody can go on, but one of them waits for what another process may send. Nobody here knows
// whether it will.
void NativeExecutor::look_outside() const {
  refuse_foreign_threads();
  for (uint32_t id : live_) {
    const ProgramThread& thread = threads_[id];
    const bool polls = thread.pending.op == Op::FdWait || (thread.pending.op == Op::Blocked &&
                                                           thread.pending.object == kAnyDescriptor);
    if (!polls) continue;
    for (uint64_t i = 0; i < thread.polled_count; ++i)
      if (descriptors().is_outside(thread.polled[i].fd)) cannot_see(thread.id, thread.pending.pc);
  }
}

std::optional<uint32_t> NativeExecutor::semaphore_value(Address semaphore) const {
  return SemState(semaphore).count();
}

}  // namespace heddle
