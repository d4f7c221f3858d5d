// The problem. Heap addresses are observable (they are the identity of mutexes and variables), so
// they must not depend on the order of independent steps; a reset must be quick whatever was
// allocated; and a freed or corrupted block must not take the allocator down with it.
//
// The idea. Each thread allocates from a slot of its own by bumping a pointer, and frees into free
// lists of its own *even when the block came from another thread*: what malloc returns then
// depends on the history of the calling thread alone. Metadata lies in a parallel area (block
// address + a constant), out of reach of small overruns. A reset only sets the bump pointers back:
// metadata carries the number of the execution that wrote it, so what earlier executions left is
// recognised as stale. Fresh blocks are zeroed when carved, so that no execution sees what another
// one left; large ones come zeroed from the kernel, to which the reset returned them.
#include "runtime/heap.h"

#include <algorithm>
#include <cstring>

#include "runtime/raw.h"
#include "runtime/size_class.h"

namespace heddle {
namespace {

constexpr uint64_t kSmallBytes = 2ull << 30;  // lower half of a slot: small blocks
constexpr uint64_t kAddressMask = 0xffff'ffff'ffff;
constexpr uint32_t kBaselineEpoch = 1;

enum State : uint64_t { kNone = 0, kLive = 1, kFree = 2 };

uint64_t slot_base(uint32_t slot) {
  return kHeapBase + slot * kHeapSlotBytes;
}

}  // namespace

struct Heap::BlockMeta {
  uint64_t packed;  // next free block (48 bits), size class (8), state (8)
  uint32_t bytes;   // as asked for
  uint32_t epoch;   // execution that carved the block

  State state() const { return static_cast<State>(packed >> 56); }
  size_t size_class() const { return (packed >> 48) & 0xff; }
  uint64_t next() const { return packed & kAddressMask; }
  void set(State state, size_t size_class, uint64_t next) {
    packed = (static_cast<uint64_t>(state) << 56) | (size_class << 48) | next;
  }
};

void Heap::initialise() {
  heaps_.reserve(kMaxThreads);
  heaps_.resize(kMaxThreads);
  used_.reserve(kMaxThreads);
}

Heap::BlockMeta* Heap::meta(const void* block) const {
  return reinterpret_cast<BlockMeta*>(raw::bits(block) + kHeapMetaDistance);
}

void Heap::map_slot(uint32_t slot) {
  HEDDLE_CHECK(raw::map_fixed(slot_base(slot), kHeapSlotBytes));
  HEDDLE_CHECK(raw::map_fixed(slot_base(slot) + kHeapMetaDistance, kHeapSlotBytes));
  heaps_[slot].mapped = true;
}

Heap::ThreadHeap& Heap::heap_of(ThreadId thread) {
  uint32_t slot = index(thread);
  ThreadHeap& heap = heaps_[slot];
  if (heap.used) return heap;
  if (!heap.mapped) map_slot(slot);
  heap.used = true;
  heap.bump = slot_base(slot) + 16;
  heap.large_bump = slot_base(slot) + kSmallBytes;
  memset(heap.free, 0, sizeof heap.free);
  used_.push_back(slot);
  return heap;
}

void* Heap::carve_large(ThreadHeap& heap, size_t size_class, size_t alignment) {
  alignment = std::max<size_t>(alignment, kPageBytes);
  uint64_t at = (heap.large_bump + alignment - 1) & ~(alignment - 1);
  uint64_t end = at + page_up(size_of_class(size_class));
  if (end > (at & ~(kHeapSlotBytes - 1)) + kHeapSlotBytes) return nullptr;
  heap.large_bump = end;
  return reinterpret_cast<void*>(at);
}

void* Heap::carve(ThreadHeap& heap, size_t size_class, size_t alignment) {
  size_t size = size_of_class(size_class);
  if (size >= kLargeBytes) return carve_large(heap, size_class, alignment);
  uint64_t at = (heap.bump + alignment - 1) & ~(alignment - 1);
  if (at + size > (at & ~(kHeapSlotBytes - 1)) + kSmallBytes) return nullptr;
  heap.bump = at + size;
  memset(reinterpret_cast<void*>(at), 0, size);
  return reinterpret_cast<void*>(at);
}

void* Heap::allocate(ThreadId thread, size_t bytes, size_t alignment) {
  if (bytes >= kHeapSlotBytes - kSmallBytes) return nullptr;
  ThreadHeap& heap = heap_of(thread);
  size_t size_class = size_class_of(bytes);
  void* block;
  if (uint64_t head = heap.free[size_class]; head != 0 && alignment <= 16) {
    block = reinterpret_cast<void*>(head);
    heap.free[size_class] = meta(block)->next();
  } else {
    block = carve(heap, size_class, alignment);
    if (block == nullptr) return nullptr;
    meta(block)->epoch = epoch_;
  }
  meta(block)->set(kLive, size_class, 0);
  meta(block)->bytes = static_cast<uint32_t>(bytes);
  return block;
}

void* Heap::allocate_zeroed(ThreadId thread, size_t bytes) {
  if (bytes >= kHeapSlotBytes - kSmallBytes) return nullptr;
  bool reused = heap_of(thread).free[size_class_of(bytes)] != 0;
  void* block = allocate(thread, bytes);
  if (reused && block != nullptr) memset(block, 0, bytes);
  return block;
}

// Whether `block` is the start of a block carved in this execution or before main.
bool Heap::valid(const void* block) const {
  uint64_t at = raw::bits(block);
  if (!contains(block) || at % 16 != 0) return false;
  uint32_t slot = static_cast<uint32_t>((at - kHeapBase) / kHeapSlotBytes);
  const ThreadHeap& heap = heaps_[slot];
  if (!heap.used) return false;
  bool carved = at >= slot_base(slot) + kSmallBytes ? at < heap.large_bump : at < heap.bump;
  if (!carved) return false;
  const BlockMeta* m = meta(block);
  return m->epoch == epoch_ || m->epoch == kBaselineEpoch;
}

FreeResult Heap::release(ThreadId thread, void* block) {
  if (!valid(block)) return FreeResult::NotABlock;
  BlockMeta* m = meta(block);
  if (m->state() == kFree) return FreeResult::AlreadyFree;
  if (m->state() != kLive) return FreeResult::NotABlock;
  ThreadHeap& heap = heap_of(thread);
  size_t size_class = m->size_class();
  m->set(kFree, size_class, heap.free[size_class]);
  heap.free[size_class] = raw::bits(block);
  return FreeResult::Freed;
}

bool Heap::is_live(const void* block) const {
  return valid(block) && meta(block)->state() == kLive;
}

size_t Heap::capacity_of(const void* block) const {
  return size_of_class(meta(block)->size_class());
}
size_t Heap::size_of(const void* block) const {
  return meta(block)->bytes;
}
void Heap::set_size(void* block, size_t bytes) {
  meta(block)->bytes = static_cast<uint32_t>(bytes);
}

HeapBlock Heap::find_block(uint64_t address) const {
  if (!contains(reinterpret_cast<void*>(address))) return {};
  uint32_t slot = static_cast<uint32_t>((address - kHeapBase) / kHeapSlotBytes);
  for (uint64_t at = address & ~15ull; at > slot_base(slot); at -= 16) {
    auto* block = reinterpret_cast<void*>(at);
    if (!valid(block) || meta(block)->state() == kNone) continue;
    if (address >= at + capacity_of(block)) return {};
    return {at, size_of(block), ThreadId{slot}};
  }
  return {};
}

void Heap::round_up_baseline() {
  ThreadHeap& main = heap_of(kMainThread);
  main.bump = page_up(main.bump);
}

void Heap::take_baseline(PageTracker& pages) {
  ThreadHeap& main = heap_of(kMainThread);
  baseline_ = main;
  uint64_t base = slot_base(0);
  auto track = [&](uint64_t begin, uint64_t end) {
    if (begin == end) return;
    pages.track(begin, end, false);
    pages.track(begin + kHeapMetaDistance, end + kHeapMetaDistance, false);
  };
  track(base, main.bump);
  track(base + kSmallBytes, main.large_bump);
}

void Heap::reset() {
  for (uint32_t slot : used_) {
    ThreadHeap& heap = heaps_[slot];
    uint64_t fresh = slot == 0 ? baseline_.large_bump : slot_base(slot) + kSmallBytes;
    if (heap.large_bump > fresh)
      raw::call(SYS_madvise, fresh, heap.large_bump - fresh, MADV_DONTNEED);
    heap.used = false;
  }
  used_.clear();
  heaps_[0] = baseline_;
  used_.push_back(0);
  if (++epoch_ == 0) epoch_ = kBaselineEpoch + 1;
}

}  // namespace heddle
