// Unaligned accesses of code that asks for them by the sanitizers' common interface.
#include <cstdint>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"

using namespace heddle;

#define UNALIGNED(bits)                                                                       \
  HEDDLE_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void* address) {        \
    uint##bits##_t value;                                                                     \
    access_range(Op::Read, address, sizeof value, HEDDLE_CALLER);                             \
    __builtin_memcpy(&value, address, sizeof value);                                          \
    return value;                                                                             \
  }                                                                                           \
  HEDDLE_EXPORT void __sanitizer_unaligned_store##bits(void* address, uint##bits##_t value) { \
    access_range(Op::Write, address, sizeof value, HEDDLE_CALLER);                            \
    __builtin_memcpy(address, &value, sizeof value);                                          \
  }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)
