// What a thread can do that others can notice: the vocabulary of operations and actions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"

namespace heddle {

// clang-format off
// One row per operation: enumerator, name in traces and JSON, verb phrase in reports.
#define HEDDLE_OPERATIONS(X)                                              \
  X(ThreadStart,    "thread-start",    "starts")                          \
  X(ThreadExit,     "thread-exit",     "ends")                            \
  X(ThreadCreate,   "thread-create",   "creates")                         \
  X(ThreadJoin,     "thread-join",     "joins")                           \
  X(MutexLock,      "mutex-lock",      "locks")                           \
  X(MutexTryLock,   "mutex-trylock",   "tries to lock")                   \
  X(MutexUnlock,    "mutex-unlock",    "unlocks")                         \
  X(MutexDestroy,   "mutex-destroy",   "destroys")                        \
  X(CondWait,       "cond-wait",       "waits on")                        \
  X(CondBlocked,    "cond-blocked",    "is waiting on")                   \
  X(CondRelock,     "cond-relock",     "wakes up and relocks")            \
  X(CondSignal,     "cond-signal",     "signals")                         \
  X(CondBroadcast,  "cond-broadcast",  "broadcasts")                      \
  X(CondDestroy,    "cond-destroy",    "destroys")                        \
  X(Once,           "once",            "enters pthread_once on")          \
  X(OnceEnd,        "once-end",        "completes")                       \
  X(StaticInit,     "static-init",     "initialises the static at")       \
  X(Yield,          "yield",           "yields")                          \
  X(Sleep,          "sleep",           "sleeps")                          \
  X(Read,           "read",            "reads")                           \
  X(Write,          "write",           "writes")                          \
  X(AtomicLoad,     "atomic-load",     "atomically loads")                \
  X(AtomicStore,    "atomic-store",    "atomically stores to")            \
  X(AtomicRmw,      "atomic-rmw",      "atomically updates")              \
  X(AtomicCas,      "atomic-cas",      "compares and swaps")              \
  X(Choose,         "choose",          "chooses")                         \
  X(ProcessExit,    "process-exit",    "exits the program")               \
  X(SpinLock,       "spin-lock",       "spin-locks")                      \
  X(SpinTryLock,    "spin-trylock",    "tries to spin-lock")              \
  X(SpinUnlock,     "spin-unlock",     "unlocks")                         \
  X(SpinDestroy,    "spin-destroy",    "destroys")                        \
  X(RwRead,         "rwlock-read",     "read-locks")                      \
  X(RwTryRead,      "rwlock-tryread",  "tries to read-lock")              \
  X(RwWrite,        "rwlock-write",    "write-locks")                     \
  X(RwTryWrite,     "rwlock-trywrite", "tries to write-lock")             \
  X(RwUnlock,       "rwlock-unlock",   "unlocks")                         \
  X(RwDestroy,      "rwlock-destroy",  "destroys")                        \
  X(SemOpen,        "sem-open",        "opens a named semaphore")         \
  X(SemWait,        "sem-wait",        "takes one from")                  \
  X(SemTryWait,     "sem-trywait",     "tries to take one from")          \
  X(SemPost,        "sem-post",        "posts to")                        \
  X(SemValue,       "sem-value",       "asks for the value of")           \
  X(SemDestroy,     "sem-destroy",     "destroys")                        \
  X(BarrierWait,    "barrier-wait",    "arrives at")                      \
  X(BarrierBlocked, "barrier-blocked", "is waiting at")                   \
  X(BarrierWoken,   "barrier-woken",   "leaves")                          \
  X(BarrierDestroy, "barrier-destroy", "destroys")                        \
  X(Blocked,        "blocked",         "is waiting for")                  \
  X(Retry,          "retry",           "wakes up and turns to")           \
  X(MutexTimedLock, "mutex-timedlock", "locks, or times out on,")         \
  X(RwTimedRead,    "rwlock-timedread", "read-locks, or times out on,")   \
  X(RwTimedWrite,   "rwlock-timedwrite", "write-locks, or times out on,") \
  X(SemTimedWait,   "sem-timedwait",   "takes one from, or times out on,") \
  X(CondTimedWait,  "cond-timedwait",  "waits for a time on")             \
  X(FutexWait,      "futex-wait",      "waits if unchanged on the futex") \
  X(FutexTimedWait, "futex-timedwait", "waits for a time if unchanged on the futex") \
  X(FutexBlocked,   "futex-blocked",   "is waiting on the futex")         \
  X(FutexWoken,     "futex-woken",     "is woken on the futex")           \
  X(FutexWake,      "futex-wake",      "wakes waiters of the futex")      \
  X(TimeOut,        "timeout",         "times out on")                    \
  X(ThreadTryJoin,  "thread-tryjoin",  "tries to join")                   \
  X(ThreadCancel,   "thread-cancel",   "asks to cancel")                  \
  X(CancelPoint,    "cancel-point",    "looks for requests to cancel")    \
  X(AtomicBegin,    "atomic-begin",    "begins an atomic section")        \
  X(FdRead,         "fd-read",         "reads from descriptor")           \
  X(FdWrite,        "fd-write",        "writes to descriptor")            \
  X(FdClose,        "fd-close",        "closes descriptor")               \
  X(FdWait,         "fd-wait",         "waits for a descriptor")
// clang-format on

enum class Op : uint8_t {
#define X(enumerator, name, verb) enumerator,
  HEDDLE_OPERATIONS(X)
#undef X
};

std::string_view name(Op op);  // "mutex-lock"
std::string_view verb(Op op);  // "locks"
std::optional<Op> op_from_name(std::string_view name);

// The values of C11's memory_order, as the compiler passes them.
enum class MemoryOrder : uint8_t { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst, None = 255 };

// The next visible thing a thread will do (or, in a recorded step, what it did).
struct Action {
  Op op = Op::ThreadStart;
  MemoryOrder order = MemoryOrder::None;
  uint32_t size = 0;              // bytes, for memory accesses; the number of a descriptor
  ThreadId thread = kMainThread;  // who
  Address object = kNoAddress;    // on what; for create and join the index of the other thread
  Address second = kNoAddress;    // the mutex of a condition wait, the bits of a futex call
  Address pc = kNoAddress;        // call site in the program

  // Same operation by the same thread on the same object: what a replay compares.
  bool same_as(const Action& o) const {
    return op == o.op && thread == o.thread && object == o.object && size == o.size;
  }
};

// Steps that may let waiting threads go on by turning their next action into another one.
constexpr bool may_wake(Op op) {
  switch (op) {
    case Op::CondSignal:
    case Op::CondBroadcast:
    case Op::RwUnlock:
    case Op::SemPost:
    case Op::BarrierWait:
    case Op::FutexWake:
    case Op::ThreadCancel:
    case Op::FdRead:
    case Op::FdWrite:
    case Op::FdClose:
      return true;
    default:
      return false;
  }
}

// What a waiting thread does when another has let it go on: it happens after that one's step.
constexpr bool is_woken(Op op) {
  return op == Op::CondRelock || op == Op::BarrierWoken || op == Op::FutexWoken || op == Op::Retry;
}

// In how many ways the operation can be taken depends on what others did before.
constexpr bool choices_vary(Op op) {
  return op == Op::CondSignal || op == Op::FutexWake;
}

// How many ways there are to choose k of n things; saturated, which leaves some of them out.
constexpr uint32_t ways_to_choose(uint32_t n, uint32_t k) {
  constexpr uint64_t kMost = 1'000'000;
  uint64_t ways = 1;
  for (uint32_t i = 1; i <= k && ways < kMost; ++i) ways = ways * (n - k + i) / i;
  return static_cast<uint32_t>(ways < kMost ? ways : kMost);
}

// Whether the wake (FutexWake) is for the waiter (FutexBlocked): same word, and a bit in common.
constexpr bool wakes(const Action& wake, const Action& waiter) {
  constexpr uint64_t kAnyBits = 0xffffffff;
  if (waiter.op != Op::FutexBlocked || waiter.object != wake.object) return false;
  const uint64_t asked = wake.second == kNoAddress ? kAnyBits : value(wake.second);
  const uint64_t given = waiter.second == kNoAddress ? kAnyBits : value(waiter.second);
  return (asked & given) != 0;
}

// Possible only because nothing else was: such a step happens after all steps before it.
constexpr bool is_last_resort(Op op) {
  return op == Op::TimeOut;
}

// A thread that has just yielded or slept gave up the processor: switching away from it is not a
// preemption.
constexpr bool gives_up_processor(Op op) {
  return op == Op::Yield || op == Op::Sleep;
}

}  // namespace heddle
