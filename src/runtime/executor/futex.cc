// Raw futexes: syscall(SYS_futex), on which C++20's atomic waits, semaphores, latches, barriers and
// futures stand. Looking at the word and joining its queue are one step; which of several waiters
// are woken is a choice of the search. The waiters of a word are the threads whose pending action
// is FutexBlocked on it, so there is nothing to rewind.
#include "runtime/executor/futex.h"

#include <linux/futex.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace heddle {
namespace {

uint32_t waiters(const Action& wake) {
  NativeExecutor& executor = g_runtime.executor;
  uint32_t count = 0;
  for (uint32_t id : executor.live_threads())
    if (wakes(wake, executor.thread(ThreadId{id}).pending)) ++count;
  return count;
}

// Wakes the threads that combination number `choice` names; returns how many.
long wake(const Action& action, uint32_t choice) {
  NativeExecutor& executor = g_runtime.executor;
  uint32_t left = waiters(action);
  uint32_t wanted = std::min(left, action.size);
  const auto woken = static_cast<long>(wanted);
  for (uint32_t id : executor.live_threads()) {
    ProgramThread& thread = executor.thread(ThreadId{id});
    if (wanted == 0) break;
    if (!wakes(action, thread.pending)) continue;
    --left;
    const uint32_t with_it = left + 1 == wanted ? UINT32_MAX : ways_to_choose(left, wanted - 1);
    if (choice < with_it) {
      thread.pending.op = Op::FutexWoken;
      executor.look_again_at(thread);
      --wanted;
    } else {
      choice -= with_it;
    }
  }
  return woken;
}

// `changed` says whether there is no reason to wait any more.
template <typename Changed>
long wait(Action action, const Deadline* deadline, Changed changed) {
  ProgramThread& self = current_thread();
  if (deadline == nullptr) {
    visible(action);
    if (changed()) return -EAGAIN;
    action.op = Op::FutexBlocked;
    g_runtime.executor.reach(action);
    return 0;
  }
  if (deadline->error != 0) return -deadline->error;
  TimedWait timed(*deadline);
  const bool may_be_early = timed.may_be_early() && !timed.expired();
  if (may_be_early) action.op = Op::FutexTimedWait;
  bool timed_out = visible(action) == 1 || timed.expired();
  if (changed()) return -EAGAIN;
  if (!timed_out) {
    action.op = Op::FutexBlocked;
    g_runtime.executor.reach(action);
    timed_out = self.pending.op == Op::TimeOut;
  }
  if (!timed_out) return 0;
  timed.time_out();
  return -ETIMEDOUT;
}

long wait_on_word(const FutexCall& call, const Deadline* deadline, uint32_t bits, Address pc) {
  Action action{.op = Op::FutexWait, .size = sizeof(uint32_t), .object = call.word, .pc = pc};
  if (bits != FUTEX_BITSET_MATCH_ANY) action.second = Address{bits};
  const auto* word = reinterpret_cast<const uint32_t*>(value(call.word));
  return wait(action, deadline,
              [&] { return __atomic_load_n(word, __ATOMIC_SEQ_CST) != call.value; });
}

long wait_for_a_time(const FutexCall& call, uint32_t bits, bool relative, Address pc) {
  if (call.timeout == nullptr) return wait_on_word(call, nullptr, bits, pc);
  const clockid_t clock =
      (call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const Deadline deadline =
      relative ? Deadline::relative(call.timeout) : Deadline::absolute(clock, call.timeout);
  return wait_on_word(call, &deadline, bits, pc);
}

long wake_some(Address object, uint32_t most, uint32_t bits, Address pc) {
  Action action{.op = Op::FutexWake, .size = most, .object = object, .pc = pc};
  if (most > INT_MAX) action.size = INT_MAX;
  if (bits != FUTEX_BITSET_MATCH_ANY) action.second = Address{bits};
  const uint32_t choice = visible(action);
  return wake(action, choice);
}

}  // namespace

long wait_while_unchanged(Address object, uint32_t bytes, const Deadline* deadline, Address pc) {
  unsigned char seen[64];
  if (bytes > sizeof(seen)) {  // too large to be remembered: looking again is always right
    visible({.op = Op::Yield, .pc = pc});
    return -EAGAIN;
  }
  const void* now = reinterpret_cast<const void*>(value(object));
  memcpy(seen, now, bytes);
  return wait({.op = Op::FutexWait, .size = bytes, .object = object, .pc = pc}, deadline,
              [&] { return memcmp(seen, now, bytes) != 0; });
}

long wake_waiters(Address object, uint32_t most, Address pc) {
  return wake_some(object, most, FUTEX_BITSET_MATCH_ANY, pc);
}

uint32_t futex_wake_choices(const Action& wake) {
  const uint32_t count = waiters(wake);
  return wake.size >= count ? 1 : ways_to_choose(count, wake.size);
}

long futex(const FutexCall& call, Address pc) {
  switch (call.operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return wait_for_a_time(call, FUTEX_BITSET_MATCH_ANY, true, pc);
    case FUTEX_WAIT_BITSET:
      return call.bits == 0 ? -EINVAL : wait_for_a_time(call, call.bits, false, pc);
    case FUTEX_WAKE:
      return wake_some(call.word, call.value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
      return call.bits == 0 ? -EINVAL : wake_some(call.word, call.value, call.bits, pc);
    default:
      unsupported("syscall(SYS_futex) for anything but waiting and waking", pc);
  }
}

}  // namespace heddle
