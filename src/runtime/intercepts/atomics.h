// What an atomic operation of the program comes to, whoever tells of it: the compiler
// (tsan_atomics.cc) or a call of libatomic (libatomic.cc).
#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/checkers/atomic_places.h"
#include "runtime/checkers/evidence.h"
#include "runtime/checkers/memory_checks.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"

namespace heddle {

using U8 = uint8_t;
using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using U128 = unsigned __int128;

inline void atomic_access(Op op, const volatile void* address, size_t bytes, int order,
                          Address pc) {
  if (g_switches.in_runtime) return;
  visible({.op = op,
           .order = static_cast<MemoryOrder>(order & 0xff),  // the rest are hints of the compiler
           .size = static_cast<uint32_t>(bytes),
           .object = address_of(address),
           .pc = pc});
  if (g_switches.sees_atomics && op != Op::AtomicLoad && explored() &&
      !g_atomic_places.note(value(address_of(address)), bytes))
    unsupported("--equivalence=reads-from where so much memory is written atomically", pc);
  if (!g_switches.memory) return;
  if (const uint64_t at = value(address_of(address)); bytes <= 8)
    check_access(op, at, static_cast<uint32_t>(bytes), pc);
  else if (worth_a_look(at))
    look_closely(op, at, bytes, pc);
}

// Whether a compare-and-swap would succeed is looked at while it is pending; of a larger one, by
// its first bytes.
inline void expect(const volatile void* address, const void* value, size_t bytes) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;
  if (!g_switches.concurrent && !g_switches.looks_last) return;
  static_cast<void>(*static_cast<const volatile char*>(address));  // a bad one fails here
  constexpr size_t room = sizeof current_thread().expected;
  memcpy(current_thread().expected, value, bytes < room ? bytes : room);
}

inline MemoryOrder order_of(int order) {
  return static_cast<MemoryOrder>(order & 0xff);
}

// What the operation, which is carried out already, means for races.
inline void compare(Op op, const volatile void* address, size_t bytes, int order, Address pc) {
  if (__builtin_expect(!g_switches.races, 1)) return;
  if (g_switches.gathers) evidence().access(op, value(address_of(address)), bytes, pc);
  auto size = static_cast<uint32_t>(bytes);
  switch (op) {
    case Op::AtomicLoad:
      return g_races.atomic_load(address_of(address), size, order_of(order), pc);
    case Op::AtomicStore:
      return g_races.atomic_store(address_of(address), size, order_of(order), pc);
    default:
      return g_races.atomic_update(address_of(address), size, order_of(order), pc);
  }
}

// A compare-and-swap that failed was a load.
inline void compare_swap(bool swapped, const volatile void* address, size_t bytes, int order,
                         int failure_order, Address pc) {
  if (swapped)
    compare(Op::AtomicCas, address, bytes, order, pc);
  else
    compare(Op::AtomicLoad, address, bytes, failure_order, pc);
}

// The operations themselves. Real threads (a program that runs without our control) need them to
// be atomic, too.
template <typename T>
struct Cell {
  static T load(const volatile T* a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }
  static void store(volatile T* a, T v) { __atomic_store_n(a, v, __ATOMIC_SEQ_CST); }
  static bool swap_if(volatile T* a, T* expected, T desired) {
    return __atomic_compare_exchange_n(a, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
};

// 128 bits without libatomic: everything through cmpxchg16b.
template <>
struct Cell<U128> {
  static bool swap_if(volatile U128* a, U128* expected, U128 desired) {
    U64 low = static_cast<U64>(*expected), high = static_cast<U64>(*expected >> 64);
    bool done;
    asm volatile("lock cmpxchg16b %1"
                 : "=@ccz"(done), "+m"(*a), "+a"(low), "+d"(high)
                 : "b"(static_cast<U64>(desired)), "c"(static_cast<U64>(desired >> 64))
                 : "memory");
    *expected = (static_cast<U128>(high) << 64) | low;
    return done;
  }
  static U128 load(const volatile U128* a) {
    U128 seen = 0;
    swap_if(const_cast<volatile U128*>(a), &seen, 0);
    return seen;
  }
  static void store(volatile U128* a, U128 v) {
    U128 seen = load(a);
    while (!swap_if(a, &seen, v)) continue;
  }
};

// Who puts back what is there has only looked (explore/spin_monitor.h).
template <typename T>
void note_change(T before, T after) {
  if (before != after) g_runtime.executor.changed();
}

template <typename T, typename Function>
T update(volatile T* address, Function function) {
  T seen = Cell<T>::load(address);
  while (!Cell<T>::swap_if(address, &seen, function(seen))) continue;
  note_change(seen, function(seen));
  return seen;
}

template <typename T>
bool swap_if(volatile T* address, T* expected, T desired) {
  bool swapped = Cell<T>::swap_if(address, expected, desired);
  if (swapped) note_change(*expected, desired);
  return swapped;
}

// The value that is expected is read, and overwritten where it was another. Most lie on the
// thread's own stack, known to nobody else: what compilers do to such variables they do not tell
// either.
inline void access_expected(Op op, const void* expected, size_t bytes, Address pc) {
  if (value(address_of(expected)) - g_switches.own_stack < kStackSlotBytes || !explored()) return;
  access_range(op, expected, bytes, pc);
}

template <typename T>
bool swap_if_expected(volatile T* object, T* expected, T desired, int order, int failure_order,
                      Address pc) {
  access_expected(Op::Read, expected, sizeof(T), pc);
  T wanted = *expected;
  expect(object, &wanted, sizeof(T));
  atomic_access(Op::AtomicCas, object, sizeof(T), order, pc);
  const bool swapped = swap_if<T>(object, &wanted, desired);
  compare_swap(swapped, object, sizeof(T), order, failure_order, pc);
  if (swapped) return true;
  access_expected(Op::Write, expected, sizeof(T), pc);
  *expected = wanted;
  return false;
}

}  // namespace heddle
