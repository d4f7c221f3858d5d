// The compiler's door, part one: plain memory accesses (-fsanitize=thread).
//
// The calls come right before the access. They are scheduling points only with --visible=all; with
// race detection the access is compared with earlier ones. Both only while another thread exists.
// Memory errors are looked for at all times. Each compiler has some calls that the other lacks;
// this is the whole interface of both.
#include <cstddef>

#include "runtime/checkers/atomic_places.h"
#include "runtime/checkers/evidence.h"
#include "runtime/checkers/memory_checks.h"
#include "runtime/checkers/promoted.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"

namespace heddle {
namespace {

constexpr AccessKind kind_of(Op op) {
  return op == Op::Read ? AccessKind::Read : AccessKind::Write;
}

Action step_of(Op op, uint64_t at, size_t bytes, Address pc) {
  return {.op = op,
          .size = static_cast<uint32_t>(bytes > 0xffffffff ? 0xffffffff : bytes),
          .object = Address{at},
          .pc = pc};
}

// See plain_writes.h. Accesses to the stack of another thread are always brought here.
void note_for_loops(Op op, uint64_t at, size_t bytes, Scheduling scheduling) {
  const ThreadId self = current_thread().id;
  const bool own_stack = at - g_switches.own_stack < kStackSlotBytes;
  const bool write = op == Op::Write;
  if (scheduling == Scheduling::Always) {
    const bool shared = bytes > 8 || g_shared_places.touch(at, self);
    if (write && shared) return g_switches.own_writes->note_shared(at, bytes);
  } else if (own_stack) {
    if (!g_shared_places.is_shared(at, self)) return;
  } else if (on_some_stack(at)) {
    g_shared_places.touch(at, self);
  }
  if (write) g_switches.own_writes->note(at, bytes);
}

// Atomic sections exclude each other, so that their accesses race with those outside alone; who
// finds what another section has written comes after it. Sections with nothing in common are in no
// order.
void access_in_section(Op op, uint64_t at, uint32_t bytes, Address pc) {
  if (op == Op::Read)
    g_races.atomic_load(Address{at}, bytes, MemoryOrder::SeqCst, pc);
  else
    g_races.atomic_store(Address{at}, bytes, MemoryOrder::SeqCst, pc);
}

}  // namespace

void any_access(Op op, uint64_t at, size_t bytes, Address pc, Scheduling scheduling) {
  const uint8_t why = g_switches.accesses;
  if ((why & kAccessesNotable) != 0 && g_switches.on_fiber && !g_switches.in_runtime) {
    if (g_switches.every_access || (g_switches.promotes && is_promoted(at, bytes)) ||
        (g_switches.sees_atomics && g_atomic_places.touches(at, bytes)))
      scheduling = Scheduling::Always;
    else if (g_switches.in_section && scheduling == Scheduling::Perhaps)
      g_runtime.executor.note_in_section(step_of(op, at, bytes, pc));
    if (g_switches.gathers && scheduling == Scheduling::Perhaps)
      evidence().access(op, at, bytes, pc);
  }
  if (scheduling == Scheduling::Always) {
    visible(step_of(op, at, bytes, pc));
    if (g_switches.gathers) evidence().access(op, at, bytes, pc);
  }
  if ((why & kAccessesCount) != 0) note_for_loops(op, at, bytes, scheduling);
  if ((why & kAccessesMemory) != 0 && worth_a_look(at)) look_closely(op, at, bytes, pc);
  if ((why & kAccessesRaces) == 0) return;
  if (g_switches.in_section && bytes < 0xffffffff)
    return access_in_section(op, at, static_cast<uint32_t>(bytes), pc);
  if (bytes > 8 || !g_races.is_known(at, static_cast<uint32_t>(bytes), kind_of(op)))
    g_races.access(at, bytes, kind_of(op), pc);
}

[[gnu::noinline]] void careful_access(Op op, uint64_t at, size_t bytes, Address pc) {
  any_access(op, at, bytes, pc, Scheduling::Perhaps);
}

namespace {

// Up to eight bytes. Each way out to a function is the last thing done, so nothing is saved on the
// stack for it. Size and operation are template arguments because gcc otherwise makes one function
// for all of them, which asks again what is known here.
template <Op op, uint32_t bytes>
[[gnu::always_inline]] inline void quick_access(uint64_t at, Address pc) {
  const uint8_t why = g_switches.accesses;
  if (__builtin_expect(why == 0, 1)) return;
  if (__builtin_expect((why & kAccessesNotable) != 0, 0)) return careful_access(op, at, bytes, pc);
  if ((why & kAccessesMemory) != 0 && __builtin_expect(suspicious_access(at, bytes), 0))
    return careful_access(op, at, bytes, pc);
  if ((why & kAccessesCount) != 0) {
    if (__builtin_expect(on_some_stack(at), 0)) {
      if (op == Op::Write || at - g_switches.own_stack >= kStackSlotBytes)
        note_for_loops(op, at, bytes, Scheduling::Perhaps);
    } else if (op == Op::Write) {
      g_switches.own_writes->note(at, bytes);
    }
  }
  if ((why & kAccessesRaces) == 0 || g_races.is_known(at, bytes, kind_of(op))) return;
  g_races.access(at, bytes, kind_of(op), pc);
}

template <Op op, uint32_t bytes>
[[gnu::always_inline]] inline void access(const volatile void* address, Address pc) {
  const uint64_t at = value(address_of(address));
  if constexpr (bytes <= 8)
    quick_access<op, bytes>(at, pc);
  else if (g_switches.accesses != 0)
    careful_access(op, at, bytes, pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define READ_AND_WRITE(suffix, bytes)                                     \
  HEDDLE_EXPORT void __tsan_read##suffix(void* address) {                 \
    access<Op::Read, bytes>(address, HEDDLE_CALLER);                      \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix(void* address) {                \
    access<Op::Write, bytes>(address, HEDDLE_CALLER);                     \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_read##suffix##_pc(void* address, void* pc) {  \
    access<Op::Read, bytes>(address, address_of(pc));                     \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix##_pc(void* address, void* pc) { \
    access<Op::Write, bytes>(address, address_of(pc));                    \
  }

#define ALIGNED_AND_NOT(bytes)                                           \
  READ_AND_WRITE(bytes, bytes)                                           \
  HEDDLE_EXPORT void __tsan_unaligned_read##bytes(const void* address) { \
    access<Op::Read, bytes>(address, HEDDLE_CALLER);                     \
  }                                                                      \
  HEDDLE_EXPORT void __tsan_unaligned_write##bytes(void* address) {      \
    access<Op::Write, bytes>(address, HEDDLE_CALLER);                    \
  }                                                                      \
  HEDDLE_EXPORT void __tsan_read_write##bytes(void* address) {           \
    access<Op::Read, bytes>(address, HEDDLE_CALLER);                     \
    access<Op::Write, bytes>(address, HEDDLE_CALLER);                    \
  }                                                                      \
  HEDDLE_EXPORT void __tsan_unaligned_read_write##bytes(void* address) { \
    access<Op::Read, bytes>(address, HEDDLE_CALLER);                     \
    access<Op::Write, bytes>(address, HEDDLE_CALLER);                    \
  }

ALIGNED_AND_NOT(1)
ALIGNED_AND_NOT(2)
ALIGNED_AND_NOT(4)
ALIGNED_AND_NOT(8)
ALIGNED_AND_NOT(16)

HEDDLE_EXPORT void __tsan_read_range(void* address, size_t bytes) {
  access_range(Op::Read, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, size_t bytes) {
  access_range(Op::Write, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, size_t bytes, void* pc) {
  access_range(Op::Read, address, bytes, address_of(pc));
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, size_t bytes, void* pc) {
  access_range(Op::Write, address, bytes, address_of(pc));
}

HEDDLE_EXPORT void __tsan_vptr_read(void** address) {
  access<Op::Read, sizeof(void*)>(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) access<Op::Write, sizeof(void*)>(address, HEDDLE_CALLER);
}

// Call sites come from return addresses and debug information; the functions' beginnings need no
// care, and their ends only where it is asked whose variable a place on the stack was.
HEDDLE_EXPORT void __tsan_init() {
  g_switches.instrumented = true;
}
HEDDLE_EXPORT void __tsan_func_entry(void*) {}
HEDDLE_EXPORT void __tsan_func_exit() {
  if (__builtin_expect(g_switches.gathers, 0) && g_switches.on_fiber && !g_switches.in_runtime)
    evidence().in_function();
}
