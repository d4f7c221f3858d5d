// The compiler's door, part two: atomic operations of 8 to 128 bits.
//
// Each is a visible action, with its memory order recorded, and is carried out sequentially
// consistently: the fibers of one kernel thread cannot see anything else. Fences order nothing
// more than that, so they are no scheduling points. For race detection the orders count as written.
#include "runtime/intercepts/atomics.h"

using namespace heddle;

#define RMW(bits, T, name, expression)                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_##name(volatile T* a, T v, int order) { \
    atomic_access(Op::AtomicRmw, a, sizeof(T), order, HEDDLE_CALLER);           \
    compare(Op::AtomicRmw, a, sizeof(T), order, HEDDLE_CALLER);                 \
    return update<T>(a, [v](T old) { return static_cast<T>(expression); });     \
  }

#define COMPARE_EXCHANGE(bits, T, strength)                                                \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_##strength(                     \
      volatile T* a, T* expected, T desired, int order, int failure_order) {               \
    return swap_if_expected<T>(a, expected, desired, order, failure_order, HEDDLE_CALLER); \
  }

#define ATOMICS(bits, T)                                                                           \
  HEDDLE_EXPORT T __tsan_atomic##bits##_load(const volatile T* a, int order) {                     \
    atomic_access(Op::AtomicLoad, a, sizeof(T), order, HEDDLE_CALLER);                             \
    compare(Op::AtomicLoad, a, sizeof(T), order, HEDDLE_CALLER);                                   \
    return Cell<T>::load(a);                                                                       \
  }                                                                                                \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile T* a, T v, int order) {                  \
    atomic_access(Op::AtomicStore, a, sizeof(T), order, HEDDLE_CALLER);                            \
    compare(Op::AtomicStore, a, sizeof(T), order, HEDDLE_CALLER);                                  \
    note_change(Cell<T>::load(a), v);                                                              \
    Cell<T>::store(a, v);                                                                          \
  }                                                                                                \
  RMW(bits, T, exchange, (static_cast<void>(old), v))                                              \
  RMW(bits, T, fetch_add, old + v)                                                                 \
  RMW(bits, T, fetch_sub, old - v)                                                                 \
  RMW(bits, T, fetch_and, old& v)                                                                  \
  RMW(bits, T, fetch_or, old | v)                                                                  \
  RMW(bits, T, fetch_xor, old ^ v)                                                                 \
  RMW(bits, T, fetch_nand, ~(old & v))                                                             \
  COMPARE_EXCHANGE(bits, T, strong)                                                                \
  COMPARE_EXCHANGE(bits, T, weak)                                                                  \
  HEDDLE_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T desired, \
                                                             int order, int failure_order) {       \
    expect(a, &expected, sizeof(T));                                                               \
    atomic_access(Op::AtomicCas, a, sizeof(T), order, HEDDLE_CALLER);                              \
    bool swapped = swap_if<T>(a, &expected, desired);                                              \
    compare_swap(swapped, a, sizeof(T), order, failure_order, HEDDLE_CALLER);                      \
    return expected;                                                                               \
  }

ATOMICS(8, U8)
ATOMICS(16, U16)
ATOMICS(32, U32)
ATOMICS(64, U64)
ATOMICS(128, U128)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (g_switches.races) g_races.fence(order_of(order));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
