// Segregated free lists over a bump pointer. Single-threaded by construction: only one kernel
// thread of one process works on a search at any time. Four size classes per power of two keep
// waste below a quarter; blocks are never split or joined, so a search in a steady state reuses
// the same blocks over and over.
#include "runtime/guest/arena.h"

#include <bit>
#include <new>

#include "base/check.h"
#include "channel/channel.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/libc_heap.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/size_class.h"

namespace heddle {
namespace {

constexpr size_t kClasses = 192;

struct FreeBlock {
  FreeBlock* next;
};

// Sixteen bytes before each block keep its class, and the alignment of what follows.
struct alignas(16) BlockHeader {
  uint64_t size_class;
};

struct ArenaState {
  uint64_t bump;
  FreeBlock* free[kClasses];
};

bool g_mapped = false;

ArenaState& state() {
  return *reinterpret_cast<ArenaState*>(kArenaBase);
}

}  // namespace

bool map_arena(int channel_descriptor) {
  g_mapped = raw::map_fixed(kArenaBase, kArenaBytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE, channel_descriptor, kArenaOffset);
  if (g_mapped && state().bump == 0) state().bump = kArenaBase + page_up(sizeof(ArenaState));
  return g_mapped;
}

bool in_arena(const void* block) {
  uint64_t at = raw::bits(block);
  return at >= kArenaBase && at < kArenaBase + kArenaBytes;
}

void* arena_allocate(size_t bytes) {
  if (!g_mapped) return __libc_malloc(bytes);
  size_t size_class = size_class_of(bytes);
  HEDDLE_CHECK(size_class < kClasses);
  FreeBlock*& head = state().free[size_class];
  if (head != nullptr) {
    void* block = head;
    head = head->next;
    return block;
  }
  uint64_t at = state().bump;
  state().bump += sizeof(BlockHeader) + size_of_class(size_class);
  HEDDLE_CHECK(state().bump <= kArenaBase + kArenaBytes);
  auto* header = reinterpret_cast<BlockHeader*>(at);
  header->size_class = size_class;
  return header + 1;
}

void arena_free(void* block) {
  if (block == nullptr) return;
  if (!in_arena(block)) return __libc_free(block);
  auto* header = static_cast<BlockHeader*>(block) - 1;
  FreeBlock*& head = state().free[header->size_class];
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = head;
  head = freed;
}

uint64_t arena_used() {
  return g_mapped ? state().bump - kArenaBase : 0;
}

size_t arena_usable_size(const void* block) {
  return size_of_class((static_cast<const BlockHeader*>(block) - 1)->size_class);
}

}  // namespace heddle

// The linker sends every call inside libheddle here (--wrap): the operators by their own names are
// the program's (intercepts/operator_new.cc).
extern "C" {
void* __wrap__Znwm(size_t bytes) {
  return heddle::arena_allocate(bytes);
}
void* __wrap__Znam(size_t bytes) {
  return heddle::arena_allocate(bytes);
}
void __wrap__ZdlPv(void* block) {
  heddle::arena_free(block);
}
void __wrap__ZdaPv(void* block) {
  heddle::arena_free(block);
}
void __wrap__ZdlPvm(void* block, size_t) {
  heddle::arena_free(block);
}
void __wrap__ZdaPvm(void* block, size_t) {
  heddle::arena_free(block);
}
void* __wrap__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t&) {
  return heddle::arena_allocate(bytes);
}
void __wrap__ZdlPvRKSt9nothrow_t(void* block, const std::nothrow_t&) {
  heddle::arena_free(block);
}
}
