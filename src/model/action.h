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
  X(ProcessExit,    "process-exit",    "exits the program")
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
  uint32_t size = 0;              // bytes, for memory accesses
  ThreadId thread = kMainThread;  // who
  Address object = kNoAddress;    // on what; for create and join the index of the other thread
  Address second = kNoAddress;    // the mutex of a condition wait
  Address pc = kNoAddress;        // call site in the program

  // Same operation by the same thread on the same object: what a replay compares.
  bool same_as(const Action& o) const {
    return op == o.op && thread == o.thread && object == o.object && size == o.size;
  }
};

// A thread that has just yielded or slept gave up the processor: switching away from it is not a
// preemption.
constexpr bool gives_up_processor(Op op) {
  return op == Op::Yield || op == Op::Sleep;
}

}  // namespace heddle
