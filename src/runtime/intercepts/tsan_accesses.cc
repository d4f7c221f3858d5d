// The compiler's door, part one: plain memory accesses (-fsanitize=thread).
//
// The calls come right before the access. They are scheduling points only with --visible=all and
// only while another thread exists; otherwise they cost a test and a return. Each compiler has
// some calls that the other lacks; this is the whole interface of both.
#include <cstddef>
#include <cstring>

#include "runtime/runtime.h"

namespace heddle {
namespace {

[[gnu::noinline]] void access(Op op, const volatile void* address, size_t bytes, Address pc) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;
  visible({.op = op,
           .size = static_cast<uint32_t>(bytes > 0xffffffff ? 0xffffffff : bytes),
           .object = address_of(address),
           .pc = pc});
}

inline void maybe_access(Op op, const volatile void* address, size_t bytes, Address pc) {
  if (__builtin_expect(g_switches.every_access, 0)) access(op, address, bytes, pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define READ_AND_WRITE(suffix, bytes)                                     \
  HEDDLE_EXPORT void __tsan_read##suffix(void* address) {                 \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix(void* address) {                \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);               \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_read##suffix##_pc(void* address, void* pc) {  \
    maybe_access(Op::Read, address, bytes, address_of(pc));               \
  }                                                                       \
  HEDDLE_EXPORT void __tsan_write##suffix##_pc(void* address, void* pc) { \
    maybe_access(Op::Write, address, bytes, address_of(pc));              \
  }

#define ALIGNED_AND_NOT(bytes)                                               \
  READ_AND_WRITE(bytes, bytes)                                               \
  HEDDLE_EXPORT void __tsan_unaligned_read##bytes(const void* address) {     \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_write##bytes(void* address) {          \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);                  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_read##bytes(void* address) {            \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_write##bytes(void* address) {           \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);                  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_read##bytes(void* address) {  \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_write##bytes(void* address) { \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);                  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_read_write##bytes(void* address) {               \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                   \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);                  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_read_write##bytes(void* address) {     \
    maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);                   \
    maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);                  \
  }

ALIGNED_AND_NOT(1)
ALIGNED_AND_NOT(2)
ALIGNED_AND_NOT(4)
ALIGNED_AND_NOT(8)
ALIGNED_AND_NOT(16)

HEDDLE_EXPORT void __tsan_read_range(void* address, size_t bytes) {
  maybe_access(Op::Read, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, size_t bytes) {
  maybe_access(Op::Write, address, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, size_t bytes, void* pc) {
  maybe_access(Op::Read, address, bytes, address_of(pc));
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, size_t bytes, void* pc) {
  maybe_access(Op::Write, address, bytes, address_of(pc));
}

HEDDLE_EXPORT void __tsan_vptr_read(void** address) {
  maybe_access(Op::Read, address, sizeof(void*), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) maybe_access(Op::Write, address, sizeof(void*), HEDDLE_CALLER);
}

// Block copies and fills: newer compilers call the first name; where instrumented code is left with
// a plain call, the linker, told to wrap it (`heddle cc`, heddle_add_test), brings it to the
// second.
#define BLOCK_OPERATIONS(prefix)                                                  \
  HEDDLE_EXPORT void* prefix##memcpy(void* to, const void* from, size_t bytes) {  \
    maybe_access(Op::Read, from, bytes, HEDDLE_CALLER);                           \
    maybe_access(Op::Write, to, bytes, HEDDLE_CALLER);                            \
    return memcpy(to, from, bytes);                                               \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memmove(void* to, const void* from, size_t bytes) { \
    maybe_access(Op::Read, from, bytes, HEDDLE_CALLER);                           \
    maybe_access(Op::Write, to, bytes, HEDDLE_CALLER);                            \
    return memmove(to, from, bytes);                                              \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memset(void* to, int value, size_t bytes) {         \
    maybe_access(Op::Write, to, bytes, HEDDLE_CALLER);                            \
    return memset(to, value, bytes);                                              \
  }

BLOCK_OPERATIONS(__tsan_)
BLOCK_OPERATIONS(__wrap_)

// Call sites come from return addresses and debug information; these need to do nothing.
HEDDLE_EXPORT void __tsan_init() {}
HEDDLE_EXPORT void __tsan_func_entry(void*) {}
HEDDLE_EXPORT void __tsan_func_exit() {}
HEDDLE_EXPORT void __tsan_ignore_thread_begin() {}
HEDDLE_EXPORT void __tsan_ignore_thread_end() {}
