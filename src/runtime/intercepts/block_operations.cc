// The compiler's door, part three: copies and fills of whole blocks.
//
// Newer compilers call __tsan_memcpy; otherwise instrumented code is left with plain calls, which
// come here like those of any other code. That gcc does not expand them in place is up to the flags
// of cli/toolchain.cc and to heddle/builtins.h.
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/formats.h"

namespace heddle {
namespace {

// A copy of more is several reads and writes: what was read lies on the thread's stack meanwhile,
// since a thread may be abandoned at any step and nothing else is cleaned up after it.
constexpr size_t kMostAtOnce = 64 << 10;

bool may_be_steps(Address pc, const void* at) {
  return (g_switches.accesses & kAccessesNotable) != 0 && explored() &&
         !is_own_business(pc, value(address_of(at)));
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

// As many bytes as a comparison looks at.
size_t until_difference(const char* a, const char* b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (a[i] != b[i]) return i + 1;
  return bytes;
}

// The one block is read, and then the other: what was read first is what counts.
[[gnu::noinline]] int compare_piece(const char* a, const char* b, size_t bytes, Address pc) {
  char* kept = static_cast<char*>(__builtin_alloca(bytes));
  careful_access(Op::Read, value(address_of(a)), bytes, pc);
  memcpy(kept, a, bytes);
  careful_access(Op::Read, value(address_of(b)), bytes, pc);
  return memcmp(kept, b, bytes);
}

}  // namespace

int compare_blocks(const void* first, const void* second, size_t bytes, Address pc) {
  const auto *a = static_cast<const char*>(first), *b = static_cast<const char*>(second);
  if (!may_be_steps(pc, first)) {
    if (g_switches.accesses != 0 && explored()) {
      const size_t seen = until_difference(a, b, bytes);
      access_range(Op::Read, a, seen, pc);
      access_range(Op::Read, b, seen, pc);
    }
    return memcmp(a, b, bytes);
  }
  for (size_t done = 0; done < bytes; done += kMostAtOnce) {
    const size_t piece = bytes - done < kMostAtOnce ? bytes - done : kMostAtOnce;
    if (const int differs = compare_piece(a + done, b + done, piece, pc); differs != 0)
      return differs;
  }
  return 0;
}

// strncpy: the rest is zero. Returns how much is not.
size_t copy_and_fill(char* to, const char* from, size_t n, Address pc) {
  const size_t text = length(from, n);
  copy_block(to, from, text < n ? text + 1 : n, pc);
  if (text + 1 < n) fill_block(to + text + 1, 0, n - text - 1, pc);
  return text;
}

void append(char* to, const char* from, size_t n, Address pc) {
  const size_t before = length(to), more = length(from, n);
  if (explored()) access_range(Op::Read, to, before + 1, pc);
  copy_block(to + before, from, more < n ? more + 1 : more, pc);
  if (more == n) fill_block(to + before + more, 0, 1, pc);
}

// What _FORTIFY_SOURCE knows about the room is not kept: the program is ended by libc.
void must_fit(size_t n, size_t room) {
  if (n > room) reinterpret_cast<void (*)()>(real::resolve("__chk_fail"))();
}

void copy_block(void* to, const void* from, size_t bytes, Address pc) {
  if (may_be_steps(pc, to))
    return copy_in_steps(static_cast<char*>(to), static_cast<const char*>(from), bytes, pc);
  if (explored()) {
    access_range(Op::Read, from, bytes, pc);
    access_range(Op::Write, to, bytes, pc);
  }
  memmove(to, from, bytes);
}

void fill_block(void* to, int value, size_t bytes, Address pc) {
  if (explored()) access_range(Op::Write, to, bytes, pc);
  memset(to, value, bytes);
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  copy_block(to, from, bytes, HEDDLE_CALLER);
  return to;
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  copy_block(to, from, bytes, HEDDLE_CALLER);
  return to;
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int value, size_t bytes) {
  fill_block(to, value, bytes, HEDDLE_CALLER);
  return to;
}
