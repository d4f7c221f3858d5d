// What libc++ does inside its library with atomics that we do not see: waiting on atomics and
// waking (atomic::wait, semaphores, latches, and barriers through them), counting arrivals at a
// barrier, and the counts of weak pointers.
//
// A wait on an atomic is a futex wait on its bytes, whatever their number. Code compiled by
// "heddle c++" comes here at once (include/heddle/libcxx.h); other code polls for a while, asks the
// monitor what the atomic looks like, looks once more, and waits if it still looks like that.
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/futex.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"

namespace heddle {
namespace {

bool is_atomic(Op op) {
  return op == Op::AtomicLoad || op == Op::AtomicCas || op == Op::AtomicRmw;
}

// Without a command line in charge the other threads are real, and nobody tells us of changes.
int poll_again(long long* nanoseconds) {
  constexpr long kPause = 50'000;
  if (nanoseconds != nullptr && *nanoseconds <= 0) return 0;
  const timespec pause{.tv_sec = 0, .tv_nsec = kPause};
  raw::call(SYS_nanosleep, reinterpret_cast<uint64_t>(&pause), 0);
  if (nanoseconds != nullptr) *nanoseconds -= kPause;
  return 1;
}

int wait_for_change(Address object, uint32_t bytes, long long* nanoseconds, Address pc) {
  if (nanoseconds == nullptr) {
    wait_while_unchanged(object, bytes, nullptr, pc);
    return 1;
  }
  if (*nanoseconds <= 0) return 0;
  const int64_t before = current_thread().time;
  const Deadline deadline{.at = before + *nanoseconds};
  const long outcome = wait_while_unchanged(object, bytes, &deadline, pc);
  *nanoseconds -= current_thread().time - before;
  return outcome == -ETIMEDOUT ? 0 : 1;
}

// An atomic whose size we are not told: from its first byte to the end of its eight.
uint32_t bytes_of_atomic(const volatile void* atomic) {
  return 8 - static_cast<uint32_t>(value(address_of(atomic)) % 8);
}

int look_of(const volatile void* atomic) {
  uint64_t bytes = 0;
  memcpy(&bytes, const_cast<const void*>(atomic), bytes_of_atomic(atomic));
  return static_cast<int>((bytes * 0x9e3779b97f4a7c15) >> 32);
}

int monitor(const volatile void* atomic, Address pc) {
  visible({.op = Op::AtomicLoad,
           .order = MemoryOrder::SeqCst,
           .size = bytes_of_atomic(atomic),
           .object = address_of(atomic),
           .pc = pc});
  return look_of(atomic);
}

void wait_unless_changed(const volatile void* atomic, int seen, Address pc) {
  visible({.op = Op::AtomicLoad,
           .order = MemoryOrder::SeqCst,
           .size = bytes_of_atomic(atomic),
           .object = address_of(atomic),
           .pc = pc});
  if (look_of(atomic) == seen)
    wait_while_unchanged(address_of(atomic), bytes_of_atomic(atomic), nullptr, pc);
}

// What libc++ keeps behind a barrier: which of the threads that arrive is the last of its phase.
// The address of the number is that of a member of the barrier, which changes between phases only.
struct Arrivals {
  const ptrdiff_t* expected;
  ptrdiff_t arrived;
};

// A count that the library changes with an atomic operation of its own, right after this.
void touch_count(const volatile void* count, Address pc) {
  const Address object = address_of(count);
  visible({.op = Op::AtomicRmw,
           .order = MemoryOrder::AcqRel,
           .size = sizeof(long),
           .object = object,
           .pc = pc});
  g_runtime.executor.changed();
  if (g_switches.races) g_races.atomic_update(object, sizeof(long), MemoryOrder::AcqRel, pc);
}

// As libc++ lays it out.
struct WeakCount {
  const void* functions;
  long shared;
  long weak;
};

template <typename Function>
Function real_function(const char* name) {
  return reinterpret_cast<Function>(real::resolve(name));
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int heddle_wait_while_unchanged(const volatile void* atomic, unsigned long bytes,
                                              long long* nanoseconds) {
  if (!controlled() || !g_switches.on_fiber) return poll_again(nanoseconds);
  auto size = static_cast<uint32_t>(bytes);
  Address object = address_of(atomic);
  // Alone, a thread takes no steps; but then it waits for ever, on whatever it may be.
  if (atomic == nullptr) {
    const Action& last = current_thread().pending;
    const bool known = is_atomic(last.op);
    object = known ? last.object : address_of(&bytes);
    size = known ? last.size : 1;
  }
  return wait_for_change(object, size, nanoseconds, HEDDLE_CALLER);
}

#define WAITS_ON(atomic)                                                                         \
  HEDDLE_EXPORT int monitor_##atomic(const volatile void* a) asm(                                \
      "_ZNSt3__123__libcpp_atomic_monitorEPVK" HEDDLE_##atomic);                                 \
  int monitor_##atomic(const volatile void* a) {                                                 \
    if (controlled() && g_switches.on_fiber) return monitor(a, HEDDLE_CALLER);                   \
    static auto real_monitor = real_function<int (*)(const volatile void*)>(                     \
        "_ZNSt3__123__libcpp_atomic_monitorEPVK" HEDDLE_##atomic);                               \
    return real_monitor(a);                                                                      \
  }                                                                                              \
  HEDDLE_EXPORT void wait_##atomic(const volatile void* a, int seen) asm(                        \
      "_ZNSt3__120__libcpp_atomic_waitEPVK" HEDDLE_##atomic "i");                                \
  void wait_##atomic(const volatile void* a, int seen) {                                         \
    if (controlled() && g_switches.on_fiber) return wait_unless_changed(a, seen, HEDDLE_CALLER); \
    static auto real_wait = real_function<void (*)(const volatile void*, int)>(                  \
        "_ZNSt3__120__libcpp_atomic_waitEPVK" HEDDLE_##atomic "i");                              \
    return real_wait(a, seen);                                                                   \
  }                                                                                              \
  WAKES(atomic, one, 1)                                                                          \
  WAKES(atomic, all, INT32_MAX)

#define WAKES(atomic, name, most)                                            \
  HEDDLE_EXPORT void notify_##name##_##atomic(const volatile void* a) asm(   \
      "_ZNSt3__123__cxx_atomic_notify_" #name "EPVK" HEDDLE_##atomic);       \
  void notify_##name##_##atomic(const volatile void* a) {                    \
    if (controlled() && g_switches.on_fiber) {                               \
      wake_waiters(address_of(a), most, HEDDLE_CALLER);                      \
      return;                                                                \
    }                                                                        \
    static auto real_notify = real_function<void (*)(const volatile void*)>( \
        "_ZNSt3__123__cxx_atomic_notify_" #name "EPVK" HEDDLE_##atomic);     \
    return real_notify(a);                                                   \
  }

#define HEDDLE_any "v"
#define HEDDLE_word "NS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE"
WAITS_ON(any)
WAITS_ON(word)

HEDDLE_EXPORT Arrivals* construct_barrier(const ptrdiff_t& expected) asm(
    "_ZNSt3__134__construct_barrier_algorithm_baseERl");
Arrivals* construct_barrier(const ptrdiff_t& expected) {
  auto* arrivals = static_cast<Arrivals*>(malloc(sizeof(Arrivals)));
  *arrivals = {&expected, 0};
  return arrivals;
}

HEDDLE_EXPORT bool arrive_at_barrier(Arrivals* arrivals, unsigned char phase) asm(
    "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh");
bool arrive_at_barrier(Arrivals* arrivals, unsigned char) {
  ptrdiff_t* const count = &arrivals->arrived;
  if (controlled() && g_switches.on_fiber) touch_count(count, HEDDLE_CALLER);
  const ptrdiff_t now = __atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL);
  if (now < *arrivals->expected) return false;
  __atomic_store_n(count, 0, __ATOMIC_RELAXED);
  return true;
}

HEDDLE_EXPORT void destroy_barrier(Arrivals* arrivals) asm(
    "_ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE");
void destroy_barrier(Arrivals* arrivals) {
  free(arrivals);
}

HEDDLE_EXPORT void release_weak(WeakCount* count) asm(
    "_ZNSt3__119__shared_weak_count14__release_weakEv");
void release_weak(WeakCount* count) {
  static auto real_release =
      real_function<void (*)(WeakCount*)>("_ZNSt3__119__shared_weak_count14__release_weakEv");
  if (controlled() && g_switches.on_fiber) touch_count(&count->weak, HEDDLE_CALLER);
  real_release(count);
}

HEDDLE_EXPORT WeakCount* lock_weak(WeakCount* count) asm("_ZNSt3__119__shared_weak_count4lockEv");
WeakCount* lock_weak(WeakCount* count) {
  static auto real_lock =
      real_function<WeakCount* (*)(WeakCount*)>("_ZNSt3__119__shared_weak_count4lockEv");
  if (controlled() && g_switches.on_fiber) touch_count(&count->shared, HEDDLE_CALLER);
  return real_lock(count);
}
