// The compiler's door, part three: accesses to volatile variables.
//
// Older code waits for other threads with them. To the language they are plain accesses, which race
// with others; but unlike those they are what a thread that waits looks at again and again, so they
// are scheduling points always. With --volatile=relaxed they are relaxed atomic operations.
#include "runtime/checkers/memory_checks.h"
#include "runtime/checkers/races.h"
#include "runtime/checkers/volatile_places.h"
#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/threads/plain_writes.h"

namespace heddle {
namespace {

void volatile_access(Op op, const volatile void* address, uint32_t bytes, Address pc) {
  const bool is_step = g_switches.concurrent && g_switches.on_fiber && !g_switches.in_runtime;
  if (!is_step || g_runtime.header->options.volatiles == Volatiles::Plain) {
    if (is_step) note_volatile(pc);
    if (is_step || g_switches.accesses != 0)
      any_access(op, value(address_of(address)), bytes, pc,
                 is_step ? Scheduling::Always : Scheduling::Perhaps);
    return;
  }
  const bool read = op == Op::Read;
  visible({.op = read ? Op::AtomicLoad : Op::AtomicStore,
           .order = MemoryOrder::Relaxed,
           .size = bytes,
           .object = address_of(address),
           .pc = pc});
  if (g_switches.memory) check_access(op, value(address_of(address)), bytes < 8 ? bytes : 8, pc);
  if (!read) g_switches.own_writes->note_shared(value(address_of(address)), bytes);
  if (!g_switches.races) return;
  if (read)
    g_races.atomic_load(address_of(address), bytes, MemoryOrder::Relaxed, pc);
  else
    g_races.atomic_store(address_of(address), bytes, MemoryOrder::Relaxed, pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define VOLATILE(bytes)                                                      \
  HEDDLE_EXPORT void __tsan_volatile_read##bytes(void* address) {            \
    volatile_access(Op::Read, address, bytes, HEDDLE_CALLER);                \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_write##bytes(void* address) {           \
    volatile_access(Op::Write, address, bytes, HEDDLE_CALLER);               \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_read##bytes(void* address) {  \
    volatile_access(Op::Read, address, bytes, HEDDLE_CALLER);                \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_write##bytes(void* address) { \
    volatile_access(Op::Write, address, bytes, HEDDLE_CALLER);               \
  }

VOLATILE(1)
VOLATILE(2)
VOLATILE(4)
VOLATILE(8)
VOLATILE(16)
