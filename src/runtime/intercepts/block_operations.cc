// The compiler's door, part three: copies and fills of whole blocks.
//
// Newer compilers call __tsan_memcpy; where instrumented code is left with a plain call, the
// linker, told to wrap it (`heddle cc`, heddle_add_test), brings it to __wrap_memcpy. That gcc does
// not expand them in place is up to the flags of cli/toolchain.cc and to heddle/builtins.h.
#include <cstring>

#include "runtime/intercepts/accesses.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

// A copy of more is several reads and writes: what was read lies on the thread's stack meanwhile,
// since a thread may be abandoned at any step and nothing else is cleaned up after it.
constexpr size_t kMostAtOnce = 64 << 10;

bool may_be_steps() {
  return (g_switches.accesses & kAccessesNotable) != 0 && explored();
}

[[gnu::noinline]] void copy_piece(char* to, const char* from, size_t bytes, Address pc) {
  char* kept = static_cast<char*>(__builtin_alloca(bytes));
  careful_access(Op::Read, value(address_of(from)), bytes, pc);
  memcpy(kept, from, bytes);
  careful_access(Op::Write, value(address_of(to)), bytes, pc);
  memcpy(to, kept, bytes);
}

// From the end where the blocks overlap that way, as memmove must.
void copy_in_steps(char* to, const char* from, size_t bytes, Address pc) {
  const bool backwards = to > from && to < from + bytes;
  for (size_t done = 0; done < bytes;) {
    const size_t piece = bytes - done < kMostAtOnce ? bytes - done : kMostAtOnce;
    const size_t at = backwards ? bytes - done - piece : done;
    copy_piece(to + at, from + at, piece, pc);
    done += piece;
  }
}

}  // namespace

void copy_block(void* to, const void* from, size_t bytes, Address pc) {
  if (may_be_steps())
    return copy_in_steps(static_cast<char*>(to), static_cast<const char*>(from), bytes, pc);
  access_range(Op::Read, from, bytes, pc);
  access_range(Op::Write, to, bytes, pc);
  memmove(to, from, bytes);
}

void fill_block(void* to, int value, size_t bytes, Address pc) {
  access_range(Op::Write, to, bytes, pc);
  memset(to, value, bytes);
}

}  // namespace heddle

using namespace heddle;

#define BLOCK_OPERATIONS(prefix)                                                  \
  HEDDLE_EXPORT void* prefix##memcpy(void* to, const void* from, size_t bytes) {  \
    copy_block(to, from, bytes, HEDDLE_CALLER);                                   \
    return to;                                                                    \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memmove(void* to, const void* from, size_t bytes) { \
    copy_block(to, from, bytes, HEDDLE_CALLER);                                   \
    return to;                                                                    \
  }                                                                               \
  HEDDLE_EXPORT void* prefix##memset(void* to, int value, size_t bytes) {         \
    fill_block(to, value, bytes, HEDDLE_CALLER);                                  \
    return to;                                                                    \
  }

BLOCK_OPERATIONS(__tsan_)
BLOCK_OPERATIONS(__wrap_)
