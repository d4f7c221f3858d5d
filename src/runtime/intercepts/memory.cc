// malloc and its relatives.
//
// Three kinds of blocks meet in free(): the program's (heap.h), our own (arena.h), and glibc's,
// from before we took over; addresses tell them apart.
#include "runtime/intercepts/memory.h"

#include <malloc.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/arena.h"
#include "runtime/guest/hexadecimal.h"
#include "runtime/guest/libc_heap.h"
#include "runtime/guest/own_image.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

bool g_checks_kinds = false;

// Blocks that cannot come from any allocator: on a stack, or in our part of the address space.
bool cannot_be_libc_block(void* block) {
  uint64_t at = raw::bits(block);
  if (at >= kWindowBegin && at < kWindowEnd) return true;
  return at % 16 != 0;
}

[[noreturn]] void bad_free(FindingKind kind, const char* what, void* block, Address pc) {
  RuntimeScope scope;
  HeapBlock known = g_runtime.heap.find_block(raw::bits(block));
  Failure failure;
  failure.kind = kind;
  failure.message = std::string(what) + " " + hexadecimal(raw::bits(block));
  if (known.begin != 0 && known.begin != raw::bits(block))
    failure.message += ", " + std::to_string(raw::bits(block) - known.begin) +
                       " bytes into a heap block of " + std::to_string(known.bytes) + " bytes";
  failure.thread = current_thread().id;
  failure.pc = pc;
  if (known.begin != 0) {
    failure.object = Address{known.begin};
    failure.size = static_cast<uint32_t>(known.bytes);
  }
  if (g_switches.gathers) evidence().bad_free(raw::bits(block), pc);
  fail(std::move(failure));
}

// To free a block is to write to it, for whoever still uses it. Of large ones the beginning will
// do.
void before_release(void* block, Address pc) {
  constexpr size_t kCompared = 1024;
  if (!g_runtime.heap.is_live(block)) return;
  size_t bytes = g_runtime.heap.size_of(block);
  if (g_switches.gathers) {
    evidence().access(Op::Write, raw::bits(block), bytes, pc);
    evidence().freed(raw::bits(block), bytes);
  }
  if (g_switches.races)
    g_races.access(raw::bits(block), bytes < kCompared ? bytes : kCompared, AccessKind::Write, pc);
}

struct KindWords {
  const char* allocated;
  const char* released;
};

KindWords words_for(BlockKind kind) {
  switch (kind) {
    case BlockKind::New:
      return {"new", "delete"};
    case BlockKind::NewArray:
      return {"new[]", "delete[]"};
    default:
      return {"malloc", "free"};
  }
}

void check_kind(void* block, Address pc, BlockKind kind) {
  Heap& heap = g_runtime.heap;
  if (!g_checks_kinds || !g_switches.on_fiber || !heap.is_live(block)) return;
  BlockKind real = heap.kind_of(block);
  if (real == kind) return;
  RuntimeScope scope;
  Failure failure;
  failure.kind = FindingKind::MismatchedFree;
  failure.message = "a heap block of " + std::to_string(heap.size_of(block)) +
                    " bytes allocated by " + words_for(real).allocated + " is released by " +
                    words_for(kind).released + " instead of " + words_for(real).released;
  failure.thread = current_thread().id;
  failure.pc = pc;
  failure.object = address_of(block);
  failure.size = static_cast<uint32_t>(heap.size_of(block));
  if (g_switches.gathers) evidence().bad_free(raw::bits(block), pc);
  fail(std::move(failure));
}

void* aligned(size_t alignment, size_t bytes) {
  switch (server()) {
    case Server::Libc:
      return __libc_memalign(alignment, bytes);
    case Server::Arena: {
      auto at = raw::bits(arena_allocate(bytes + alignment));  // never freed: glibc's TLS blocks
      return reinterpret_cast<void*>((at + alignment - 1) & ~(alignment - 1));
    }
    case Server::Heap:
      return allocate(bytes, alignment < 16 ? 16 : alignment, BlockKind::Malloc);
  }
  __builtin_unreachable();
}

bool power_of_two(size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

size_t usable_size(void* block) {
  if (in_arena(block)) return arena_usable_size(block);
  return g_runtime.heap.checks() ? g_runtime.heap.size_of(block)
                                 : g_runtime.heap.capacity_of(block);
}

}  // namespace

Server server() {
  if (!g_switches.controlled) return Server::Libc;
  if (!g_switches.in_runtime) return Server::Heap;
  // What glibc allocates on our behalf must outlive a rewind; in a forked child it must not stay.
  return g_runtime.rewinds_in_place ? Server::Arena : Server::Libc;
}

void check_block_kinds() {
  g_checks_kinds = g_runtime.header->options.memory_errors && !program_replaces_operators();
}

// A free is no step. Where executions are left out that differ in the order of independent steps
// only, the race detector is who sees that memory is used before the free here, and after it
// elsewhere.
void note_unordered_free() {
  const RunOptions& options = g_runtime.header->options;
  if (options.races == Races::Off && options.memory_errors && options.sees_done_once)
    g_runtime.header->frees_unordered = 1;
}

void release(void* block, Address pc, BlockKind kind) {
  if (block == nullptr) return;
  if (in_arena(block)) return arena_free(block);
  if (!Heap::contains(block)) {
    if (g_switches.on_fiber && (cannot_be_libc_block(block) || in_module(raw::bits(block))))
      bad_free(FindingKind::InvalidFree, "free of an address that was not allocated:", block, pc);
    return __libc_free(block);
  }
  if (g_switches.on_fiber) expect_own_thread();
  check_kind(block, pc, kind);
  if (g_switches.on_fiber && (g_switches.races || g_switches.gathers)) before_release(block, pc);
  switch (g_runtime.heap.release(running_thread(), block)) {
    case FreeResult::Freed:
      if (g_switches.on_fiber) g_runtime.executor.toggled(block, SpinMonitor::Hold::Freed);
      if (g_switches.concurrent && !g_switches.in_runtime) note_unordered_free();
      return;
    case FreeResult::AlreadyFree:
      bad_free(FindingKind::DoubleFree, "double free of a heap block at", block, pc);
    case FreeResult::NotABlock:
      bad_free(FindingKind::InvalidFree, "free of an address that was not allocated:", block, pc);
  }
}

// The dynamic linker keeps what it needs for as long as it likes.
void* for_caller(void* block, Address pc) {
  if (block != nullptr && Heap::contains(block) && in_linker(value(pc))) g_runtime.heap.keep(block);
  return block;
}

void* allocate(size_t bytes, size_t alignment, BlockKind kind) {
  if (g_switches.on_fiber) expect_own_thread();
  void* block = g_runtime.heap.allocate(running_thread(), bytes, alignment);
  if (block == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  if (g_switches.on_fiber) g_runtime.executor.toggled(block, SpinMonitor::Hold::Allocated);
  if (kind != BlockKind::Malloc) g_runtime.heap.set_kind(block, kind);
  if (g_switches.gathers && g_switches.on_fiber) evidence().allocated(raw::bits(block), bytes);
  return block;
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void* malloc(size_t bytes) {
  switch (server()) {
    case Server::Libc:
      return __libc_malloc(bytes);
    case Server::Arena:
      return arena_allocate(bytes);
    case Server::Heap:
      return for_caller(allocate(bytes, 16, BlockKind::Malloc), HEDDLE_CALLER);
  }
  __builtin_unreachable();
}

HEDDLE_EXPORT void free(void* block) {
  if (!g_switches.controlled) return __libc_free(block);
  release(block, HEDDLE_CALLER, BlockKind::Malloc);
}

HEDDLE_EXPORT void* calloc(size_t count, size_t each) {
  size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  switch (server()) {
    case Server::Libc:
      return __libc_calloc(count, each);
    case Server::Arena: {
      void* block = arena_allocate(bytes);
      return memset(block, 0, bytes);
    }
    case Server::Heap: {
      void* block = g_runtime.heap.allocate_zeroed(running_thread(), bytes);
      if (block == nullptr) errno = ENOMEM;
      if (g_switches.on_fiber) g_runtime.executor.toggled(block, SpinMonitor::Hold::Allocated);
      if (g_switches.gathers && g_switches.on_fiber) evidence().allocated(raw::bits(block), bytes);
      return for_caller(block, HEDDLE_CALLER);
    }
  }
  __builtin_unreachable();
}

HEDDLE_EXPORT void* realloc(void* block, size_t bytes) {
  if (!g_switches.controlled) return __libc_realloc(block, bytes);
  if (block == nullptr) return for_caller(malloc(bytes), HEDDLE_CALLER);
  bool ours = in_arena(block) || Heap::contains(block);
  if (!ours) return __libc_realloc(block, bytes);
  if (bytes == 0) {
    release(block, HEDDLE_CALLER, BlockKind::Malloc);
    return nullptr;
  }
  if (Heap::contains(block) && !g_runtime.heap.is_live(block))
    bad_free(FindingKind::InvalidFree, "realloc of an address that is not allocated:", block,
             HEDDLE_CALLER);
  if (Heap::contains(block)) check_kind(block, HEDDLE_CALLER, BlockKind::Malloc);
  size_t capacity = Heap::contains(block) ? g_runtime.heap.capacity_of(block) : usable_size(block);
  size_t before = Heap::contains(block) ? g_runtime.heap.size_of(block) : capacity;
  if (bytes <= capacity && bytes >= capacity / 2) {
    if (Heap::contains(block)) g_runtime.heap.set_size(block, bytes);
    return block;
  }
  void* moved = for_caller(malloc(bytes), HEDDLE_CALLER);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, before < bytes ? before : bytes);
  release(block, HEDDLE_CALLER, BlockKind::Malloc);
  return moved;
}

HEDDLE_EXPORT void* reallocarray(void* block, size_t count, size_t each) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, each, &bytes)) return realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t bytes) {
  return for_caller(aligned(alignment, bytes), HEDDLE_CALLER);
}
HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  return for_caller(aligned(alignment, bytes), HEDDLE_CALLER);
}
HEDDLE_EXPORT void* valloc(size_t bytes) {
  return aligned(kPageBytes, bytes);
}
HEDDLE_EXPORT void* pvalloc(size_t bytes) {
  return aligned(kPageBytes, page_up(bytes));
}

HEDDLE_EXPORT int posix_memalign(void** block, size_t alignment, size_t bytes) {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  *block = aligned(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

HEDDLE_EXPORT size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (in_arena(block) || Heap::contains(block)) return usable_size(block);
  // The size glibc keeps in front of its own blocks, without the flag bits and its header.
  return (reinterpret_cast<size_t*>(block)[-1] & ~size_t{7}) - 8;
}
