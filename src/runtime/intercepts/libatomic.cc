// libatomic: atomic operations that compilers do not expand in place. These are operations on
// objects of 16 bytes, and on structures of any size (std::atomic of a class, _Atomic of a struct),
// which the library carries out under locks of its own or by instructions that nobody would see.
// Here each is one step, as those of other sizes are; what the program gives or is given beside the
// object is an access of its own.
//
// The functions get their names by label, because the compiler knows too much about the names.
#include <cstddef>

#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/atomics.h"

namespace heddle {
namespace {

// A program that runs without our control has real threads, and means the library.
template <typename Function>
Function* library(const char* name) {
  return reinterpret_cast<Function*>(real::resolve(name));
}

void tell(Op op, const volatile void* object, size_t bytes, int order, Address pc) {
  atomic_access(op, object, bytes, order, pc);
  compare(op, object, bytes, order, pc);
}

void put(void* object, const void* value, size_t bytes) {
  if (memcmp(object, value, bytes) != 0) g_runtime.executor.changed();
  memcpy(object, value, bytes);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define NAMED(name) asm("__atomic_" name)

// Objects of any size. What was read lies on the thread's stack until it is where it belongs, since
// that access may be a step.

HEDDLE_EXPORT void heddle_atomic_load(size_t bytes, void* object, void* to, int order)
    NAMED("load");
void heddle_atomic_load(size_t bytes, void* object, void* to, int order) {
  if (!explored())
    return library<decltype(heddle_atomic_load)>("__atomic_load")(bytes, object, to, order);
  const Address pc = HEDDLE_CALLER;
  void* seen = __builtin_alloca(bytes);
  tell(Op::AtomicLoad, object, bytes, order, pc);
  memcpy(seen, object, bytes);
  access_range(Op::Write, to, bytes, pc);
  memcpy(to, seen, bytes);
}

HEDDLE_EXPORT void heddle_atomic_store(size_t bytes, void* object, void* from, int order)
    NAMED("store");
void heddle_atomic_store(size_t bytes, void* object, void* from, int order) {
  if (!explored())
    return library<decltype(heddle_atomic_store)>("__atomic_store")(bytes, object, from, order);
  const Address pc = HEDDLE_CALLER;
  void* value = __builtin_alloca(bytes);
  access_range(Op::Read, from, bytes, pc);
  memcpy(value, from, bytes);
  tell(Op::AtomicStore, object, bytes, order, pc);
  put(object, value, bytes);
}

HEDDLE_EXPORT void heddle_atomic_exchange(size_t bytes, void* object, void* from, void* to,
                                          int order) NAMED("exchange");
void heddle_atomic_exchange(size_t bytes, void* object, void* from, void* to, int order) {
  if (!explored())
    return library<decltype(heddle_atomic_exchange)>("__atomic_exchange")(bytes, object, from, to,
                                                                          order);
  const Address pc = HEDDLE_CALLER;
  void *value = __builtin_alloca(bytes), *seen = __builtin_alloca(bytes);
  access_range(Op::Read, from, bytes, pc);
  memcpy(value, from, bytes);
  tell(Op::AtomicRmw, object, bytes, order, pc);
  memcpy(seen, object, bytes);
  put(object, value, bytes);
  access_range(Op::Write, to, bytes, pc);
  memcpy(to, seen, bytes);
}

HEDDLE_EXPORT bool heddle_atomic_compare_exchange(size_t bytes, void* object, void* expected,
                                                  void* desired, int order, int failure_order)
    NAMED("compare_exchange");
bool heddle_atomic_compare_exchange(size_t bytes, void* object, void* expected, void* desired,
                                    int order, int failure_order) {
  if (!explored())
    return library<decltype(heddle_atomic_compare_exchange)>("__atomic_compare_exchange")(
        bytes, object, expected, desired, order, failure_order);
  const Address pc = HEDDLE_CALLER;
  void *wanted = __builtin_alloca(bytes), *value = __builtin_alloca(bytes);
  access_range(Op::Read, expected, bytes, pc);
  memcpy(wanted, expected, bytes);
  access_range(Op::Read, desired, bytes, pc);
  memcpy(value, desired, bytes);
  expect(object, wanted, bytes);
  atomic_access(Op::AtomicCas, object, bytes, order, pc);
  const bool swapped = memcmp(object, wanted, bytes) == 0;
  compare_swap(swapped, object, bytes, order, failure_order, pc);
  if (swapped) {
    put(object, value, bytes);
    return true;
  }
  memcpy(wanted, object, bytes);
  access_range(Op::Write, expected, bytes, pc);
  memcpy(expected, wanted, bytes);
  return false;
}

// Those of a certain size.

#define UPDATE(bytes, T, name, result, expression)                                       \
  HEDDLE_EXPORT T heddle_atomic_##name##_##bytes(volatile T* object, T value, int order) \
      NAMED(#name "_" #bytes);                                                           \
  T heddle_atomic_##name##_##bytes(volatile T* object, T value, int order) {             \
    tell(Op::AtomicRmw, object, sizeof(T), order, HEDDLE_CALLER);                        \
    const auto change = [value](T old) { return static_cast<T>(expression); };           \
    const T before = update<T>(object, change), after = change(before);                  \
    static_cast<void>(after);                                                            \
    return result;                                                                       \
  }

#define UPDATES(bytes, T, name, expression)          \
  UPDATE(bytes, T, fetch_##name, before, expression) \
  UPDATE(bytes, T, name##_fetch, after, expression)

#define SIZED(bytes, T)                                                                         \
  HEDDLE_EXPORT T heddle_atomic_load_##bytes(const volatile T* object, int order)               \
      NAMED("load_" #bytes);                                                                    \
  T heddle_atomic_load_##bytes(const volatile T* object, int order) {                           \
    tell(Op::AtomicLoad, object, sizeof(T), order, HEDDLE_CALLER);                              \
    return Cell<T>::load(object);                                                               \
  }                                                                                             \
  HEDDLE_EXPORT void heddle_atomic_store_##bytes(volatile T* object, T value, int order)        \
      NAMED("store_" #bytes);                                                                   \
  void heddle_atomic_store_##bytes(volatile T* object, T value, int order) {                    \
    tell(Op::AtomicStore, object, sizeof(T), order, HEDDLE_CALLER);                             \
    note_change(Cell<T>::load(object), value);                                                  \
    Cell<T>::store(object, value);                                                              \
  }                                                                                             \
  HEDDLE_EXPORT bool heddle_atomic_compare_exchange_##bytes(                                    \
      volatile T* object, T* expected, T desired, int order, int failure_order)                 \
      NAMED("compare_exchange_" #bytes);                                                        \
  bool heddle_atomic_compare_exchange_##bytes(volatile T* object, T* expected, T desired,       \
                                              int order, int failure_order) {                   \
    return swap_if_expected<T>(object, expected, desired, order, failure_order, HEDDLE_CALLER); \
  }                                                                                             \
  UPDATE(bytes, T, exchange, before, (static_cast<void>(old), value))                           \
  UPDATES(bytes, T, add, old + value)                                                           \
  UPDATES(bytes, T, sub, old - value)                                                           \
  UPDATES(bytes, T, and, old& value)                                                            \
  UPDATES(bytes, T, or, old | value)                                                            \
  UPDATES(bytes, T, xor, old ^ value)                                                           \
  UPDATES(bytes, T, nand, ~(old & value))

SIZED(1, U8)
SIZED(2, U16)
SIZED(4, U32)
SIZED(8, U64)
SIZED(16, U128)
