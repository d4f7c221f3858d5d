// What a thread can do that others can notice: actions, in the vocabulary of operations.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "model/op_set.h"
#include "model/operations.h"

namespace heddle {

constexpr std::string_view name(Op op) {  // "mutex-lock"
  return operation(op).name;
}
constexpr std::string_view verb(Op op) {  // "locks"
  return operation(op).verb;
}
std::optional<Op> op_from_name(std::string_view name);

// The values of C11's memory_order, as the compiler passes them.
enum class MemoryOrder : uint8_t { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst, None = 255 };

// The next visible thing a thread will do (or, in a recorded step, what it did).
struct Action {
  static constexpr uint32_t kUnknownState = 0xfffffffe;

  Op op = Op::ThreadStart;
  MemoryOrder order = MemoryOrder::None;
  uint32_t size = 0;                // bytes, for memory accesses; the number of a descriptor
  ThreadId thread = kMainThread;    // who
  uint32_t before = kUnknownState;  // the state that it finds its object in (model/waiting.h)
  Address object = kNoAddress;      // on what; for create and join the index of the other thread
  Address second = kNoAddress;      // the mutex of a condition wait, the bits of a futex call
  Address pc = kNoAddress;          // call site in the program
  bool in_section = false;          // the step goes on with the rest of an atomic section

  // Same operation by the same thread on the same object: what a replay compares.
  bool same_as(const Action& o) const {
    return op == o.op && thread == o.thread && object == o.object && size == o.size;
  }
};

// Steps that may let waiting threads go on by turning their next action into another one.
constexpr bool may_wake(Op op) {
  constexpr OpSet kSuch = OpSet::with(op_property::Wakes);
  return kSuch.contains(op);
}

// What a waiting thread does when another has let it go on: it happens after that one's step.
constexpr bool is_woken(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& o) { return o.waits == Waits::Woken; });
  return kSuch.contains(op);
}

// As `second` of a compare-and-swap: as things are it would fail, and only look.
inline constexpr Address kWouldFail{2};
// Of a pthread_once or a static's initialisation: as things are that is done, and it only looks.
inline constexpr Address kIsDone{2};
// Of an arrival at a barrier: as things are others are missing besides, and it only waits for them.
inline constexpr Address kEarly{2};
// Of the unlock of a reader-writer lock: the thread reads under it. That is its own doing.
inline constexpr Address kSharedHold{2};

// What others did before decides what the operation is dependent with: it has several forms, told
// apart by `second` (kWouldFail; model/process_end.h). Steps that change the form of an action are
// dependent with it in either form, but for arrivals at a barrier: all but the last are independent
// of each other, although they decide together which is the last.
constexpr bool has_forms(Op op) {
  constexpr OpSet kSuch =
      OpSet::where([](const Operation& o) { return o.has(op_property::Forms); });
  return kSuch.contains(op);
}

// An action of which it is not known what it finds: it is taken to change its object.
constexpr Action regardless_of_outcome(Action action) {
  switch (operation(action.op).accesses) {
    case Footprint::MemoryUpdate:
    case Footprint::FirstOnly:
    case Footprint::Arrival:
    case Footprint::RwRelease:
      action.second = kNoAddress;
      break;
    default:
      break;
  }
  return action;
}

// In how many ways the operation can be taken depends on what others did before.
constexpr bool choices_vary(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& o) { return o.ways == Ways::Vary; });
  return kSuch.contains(op);
}

// Nothing prevents it, and there is one way to take it.
constexpr bool always_possible(Op op) {
  constexpr OpSet kSuch = OpSet::where(
      [](const Operation& o) { return o.waits == Waits::Never && o.ways == Ways::One; });
  return kSuch.contains(op);
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

// The step is all that happens up to the end of an atomic section: what it touches is known only
// when it has been taken (Executor::last_section).
constexpr bool is_section(const Action& action) {
  return action.op == Op::AtomicBegin || action.in_section;
}

// Possible only because nothing else was: such a step happens after all steps before it.
constexpr bool is_last_resort(Op op) {
  constexpr OpSet kSuch =
      OpSet::where([](const Operation& o) { return o.waits == Waits::LastResort; });
  return kSuch.contains(op);
}

// A thread that has just yielded or slept gave up the processor: switching away from it is not a
// preemption.
constexpr bool gives_up_processor(Op op) {
  constexpr OpSet kSuch = OpSet::with(op_property::Yields);
  return kSuch.contains(op);
}

}  // namespace heddle
