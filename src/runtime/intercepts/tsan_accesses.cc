// The compiler's door, part one: plain memory accesses (-fsanitize=thread).
//
// The calls come right before the access. They are scheduling points only with --visible=all; with
// race detection the access is compared with earlier ones. Both only while another thread exists.
// Memory errors are looked for at all times. Each compiler has some calls that the other lacks;
// this is the whole interface of both.
#include <cstddef>
#include <cstring>

#include "runtime/evidence.h"
#include "runtime/memory_checks.h"
#include "runtime/promoted.h"
#include "runtime/races.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

// A scheduling point, or part of the evidence for a report.
[[gnu::noinline]] void notable_access(Op op, const volatile void* address, size_t bytes,
                                      Address pc) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;
  if (g_switches.every_access ||
      (g_switches.promotes && is_promoted(value(address_of(address)), bytes)))
    visible({.op = op,
             .size = static_cast<uint32_t>(bytes > 0xffffffff ? 0xffffffff : bytes),
             .object = address_of(address),
             .pc = pc});
  if (g_switches.gathers) evidence().access(op, value(address_of(address)), bytes, pc);
}

inline void access(Op op, const volatile void* address, size_t bytes, Address pc) {
  if (__builtin_expect(!g_switches.watch, 1)) return;
  if (__builtin_expect(g_switches.every_access || g_switches.gathers || g_switches.promotes, 0))
    notable_access(op, address, bytes, pc);
  uint64_t at = value(address_of(address));
  if (op == Op::Write && at - g_switches.own_stack >= kStackSlotBytes) g_runtime.executor.changed();
  bool whole = __builtin_constant_p(bytes) && bytes <= 8;
  if (g_switches.memory && whole)
    check_access(op, at, static_cast<uint32_t>(bytes), pc);
  else if (g_switches.memory && worth_a_look(at))
    look_closely(op, at, bytes, pc);
  if (!g_switches.races) return;
  if (whole && op == Op::Read)
    g_races.read(at, static_cast<uint32_t>(bytes), pc);
  else if (whole)
    g_races.write(at, static_cast<uint32_t>(bytes), pc);
  else
    g_races.access(at, bytes, op == Op::Read ? AccessKind::Read : AccessKind::Write, pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define READ_AND_WRITE(suffix, bytes)                                     \
  HEDDLE_EXPORT void __tsan_read##suffix(void* address) {                 \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                      \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix(void* address) {                \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                     \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_read##suffix##_pc(void* address, void* pc) {  \
    access(Op::Read, address, bytes, address_of(pc));                     \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix##_pc(void* address, void* pc) { \
    access(Op::Write, address, bytes, address_of(pc));                    \
  }

#define ALIGNED_AND_NOT(bytes)                                               \
  READ_AND_WRITE(bytes, bytes)                                               \
  HEDDLE_EXPORT void __tsan_unaligned_read##bytes(const void* address) {     \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                         \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_write##bytes(void* address) {          \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                        \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_read##bytes(void* address) {            \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                         \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_write##bytes(void* address) {           \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                        \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_read##bytes(void* address) {  \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                         \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_write##bytes(void* address) { \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                        \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_read_write##bytes(void* address) {               \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                         \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                        \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_read_write##bytes(void* address) {     \
    access(Op::Read, address, bytes, HEDDLE_CALLER);                         \
    access(Op::Write, address, bytes, HEDDLE_CALLER);                        \
  }

ALIGNED_AND_NOT(1)
ALIGNED_AND_NOT(2)
ALIGNED_AND_NOT(4)
ALIGNED_AND_NOT(8)
ALIGNED_AND_NOT(16)

HEDDLE_EXPORT void __tsan_read_range(void* address, size_t bytes) {
  access(Op::Read, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, size_t bytes) {
  access(Op::Write, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, size_t bytes, void* pc) {
  access(Op::Read, address, bytes, address_of(pc));
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, size_t bytes, void* pc) {
  access(Op::Write, address, bytes, address_of(pc));
}

HEDDLE_EXPORT void __tsan_vptr_read(void** address) {
  access(Op::Read, address, sizeof(void*), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) access(Op::Write, address, sizeof(void*), HEDDLE_CALLER);
}

// Block copies and fills: newer compilers call the first name; where instrumented code is left with
// a plain call, the linker, told to wrap it (`heddle cc`, heddle_add_test), brings it to the
// second.
#define BLOCK_OPERATIONS(prefix)                                                  \
  HEDDLE_EXPORT void* prefix##memcpy(void* to, const void* from, size_t bytes) {  \
    access(Op::Read, from, bytes, HEDDLE_CALLER);                                 \
    access(Op::Write, to, bytes, HEDDLE_CALLER);                                  \
    return memcpy(to, from, bytes);                                               \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memmove(void* to, const void* from, size_t bytes) { \
    access(Op::Read, from, bytes, HEDDLE_CALLER);                                 \
    access(Op::Write, to, bytes, HEDDLE_CALLER);                                  \
    return memmove(to, from, bytes);                                              \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memset(void* to, int value, size_t bytes) {         \
    access(Op::Write, to, bytes, HEDDLE_CALLER);                                  \
    return memset(to, value, bytes);                                              \
  }

BLOCK_OPERATIONS(__tsan_)
BLOCK_OPERATIONS(__wrap_)

// Call sites come from return addresses and debug information; the functions' ends and beginnings
// need no care.
HEDDLE_EXPORT void __tsan_init() {
  g_switches.instrumented = true;
}
HEDDLE_EXPORT void __tsan_func_entry(void*) {}
HEDDLE_EXPORT void __tsan_func_exit() {}
