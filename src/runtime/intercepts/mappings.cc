// Changes to mappings. New ones are unmapped after the execution (inherited_mappings.h); those from
// before main stay as they are, and a program that wants to change them is told so by name.
#include <sys/mman.h>

#include <cstdarg>

#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(mmap)
HEDDLE_REAL(mmap64)
HEDDLE_REAL(munmap)
HEDDLE_REAL(mprotect)
HEDDLE_REAL(mremap)
}  // namespace heddle::real

namespace heddle {
namespace {

AddressRange pages_of(const void* address, size_t bytes) {
  const uint64_t begin = page_down(raw::bits(address));
  return {begin, page_up(raw::bits(address) + bytes)};
}

bool in_window(AddressRange range) {
  return range.begin >= kWindowBegin && range.end <= kWindowEnd;
}

void refuse_old(const char* what, AddressRange range, Address pc) {
  if (!explored()) return;
  kernel_state().mappings_touched();
  if (g_runtime.rewinds_in_place && kernel_state().inherited_mappings().meets(range))
    unsupported(what, pc);
}

void check_fixed(void* address, size_t bytes, int flags, Address pc) {
  if (!explored()) return;
  kernel_state().mappings_touched();
  if ((flags & MAP_FIXED) != 0)
    refuse_old("mmap over memory from before main", pages_of(address, bytes), pc);
}

// What threads did to memory that was here before has to do with nothing from now on.
void* new_memory(void* address, size_t bytes) {
  if (address == MAP_FAILED || !g_switches.on_fiber || !g_switches.detects_races) return address;
  const AddressRange range = pages_of(address, bytes);
  g_races.memory_is_new(range.begin, range.end);
  return address;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor,
                         off_t offset) noexcept {
  check_fixed(address, bytes, flags, HEDDLE_CALLER);
  return new_memory(real::mmap()(address, bytes, protection, flags, descriptor, offset), bytes);
}
HEDDLE_EXPORT void* mmap64(void* address, size_t bytes, int protection, int flags, int descriptor,
                           off64_t offset) noexcept {
  check_fixed(address, bytes, flags, HEDDLE_CALLER);
  return new_memory(real::mmap64()(address, bytes, protection, flags, descriptor, offset), bytes);
}

HEDDLE_EXPORT int munmap(void* address, size_t bytes) noexcept {
  refuse_old("munmap of memory from before main", pages_of(address, bytes), HEDDLE_CALLER);
  return real::munmap()(address, bytes);
}

HEDDLE_EXPORT void* mremap(void* address, size_t before, size_t bytes, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* to = va_arg(list, void*);
  va_end(list);
  refuse_old("mremap of memory from before main", pages_of(address, before), HEDDLE_CALLER);
  void* now = real::mremap()(address, before, bytes, flags, to);
  if (now != address) return new_memory(now, bytes);  // moved by one thread, and told to others
  if (bytes > before) new_memory(static_cast<char*>(now) + before, bytes - before);
  return now;
}

// Heap blocks and stacks get their protection back; pages whose writes we watch must stay as we
// have them.
HEDDLE_EXPORT int mprotect(void* address, size_t bytes, int protection) noexcept {
  if (!explored() || !g_runtime.rewinds_in_place)
    return real::mprotect()(address, bytes, protection);
  const AddressRange range = pages_of(address, bytes);
  if (!in_window(range) || g_runtime.pages.tracks(range.begin, range.end)) {
    refuse_old("mprotect of memory from before main", range, HEDDLE_CALLER);
  } else {
    kernel_state().mappings_touched();
    kernel_state().inherited_mappings().note_protection(range);
  }
  return real::mprotect()(address, bytes, protection);
}
