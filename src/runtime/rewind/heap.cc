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
//
// Memory errors. Each block ends in a red zone, and a freed block goes to the end of a queue of its
// thread, from where it comes back into use after half a megabyte of others: accesses to both are
// recognised by a map of what may be accessed (heap_shadow.h).
#include "runtime/rewind/heap.h"

#include <algorithm>
#include <cstring>

#include "runtime/guest/raw.h"
#include "runtime/guest/size_class.h"
#include "runtime/rewind/heap_shadow.h"

namespace heddle {
namespace {

constexpr uint64_t kAddressMask = 0xffff'ffff'ffff;
constexpr uint32_t kBaselineEpoch = 1;
constexpr uint64_t kMostToVisit = 1 << 26;
constexpr uint64_t kHeldBackBytes = 512 << 10;

constexpr uint64_t kMark = 1ull << 63;
constexpr uint64_t kKept = 1ull << 62;

enum State : uint64_t { kNone = 0, kLive = 1, kFree = 2 };

uint64_t slot_base(uint32_t slot) {
  return kHeapBase + slot * kHeapSlotBytes;
}

}  // namespace

struct Heap::BlockMeta {
  uint64_t packed;  // next free block (48 bits), size class (8), state (4), kind (2), kept, mark
  uint32_t bytes;   // as asked for
  uint32_t epoch;   // execution that carved the block

  State state() const { return static_cast<State>((packed >> 56) & 0xf); }
  bool marked() const { return (packed & kMark) != 0; }
  bool kept() const { return (packed & kKept) != 0; }
  size_t size_class() const { return (packed >> 48) & 0xff; }
  uint64_t next() const { return packed & kAddressMask; }
  BlockKind kind() const { return static_cast<BlockKind>((packed >> 60) & 3); }
  void set_kind(BlockKind kind) { packed |= static_cast<uint64_t>(kind) << 60; }
  void set(State state, size_t size_class, uint64_t next) {
    packed = (static_cast<uint64_t>(state) << 56) | (size_class << 48) | next;
  }
};

void Heap::initialise(bool checks) {
  checks_ = checks;
  if (checks) HEDDLE_CHECK(raw::map_fixed(kHeapShadowBase, kHeapBytes / 8));
  heaps_.reserve(kMaxThreads);
  heaps_.resize(kMaxThreads);
  used_.reserve(kMaxThreads);
  to_visit_.reserve(kMostToVisit);
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
  heap.oldest = heap.newest = heap.held_back = 0;
  used_.push_back(slot);
  return heap;
}

void* Heap::carve_large(ThreadHeap& heap, size_t size_class, size_t alignment) {
  alignment = std::max<size_t>(alignment, kPageBytes);
  uint64_t at = (heap.large_bump + alignment - 1) & ~(alignment - 1);
  uint64_t end = at + page_up(size_of_class(size_class)) + (checks_ ? kPageBytes : 0);
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

size_t Heap::class_for(size_t bytes) const {
  return size_class_of(checks_ ? bytes + kRedZoneBytes : bytes);
}

void* Heap::allocate(ThreadId thread, size_t bytes, size_t alignment) {
  if (bytes >= kHeapSlotBytes - kSmallBytes) return nullptr;
  ThreadHeap& heap = heap_of(thread);
  size_t size_class = class_for(bytes);
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
  if (checks_) open(raw::bits(block), bytes);
  if (meta(block)->epoch == epoch_) ++blocks_;
  return block;
}

void* Heap::allocate_zeroed(ThreadId thread, size_t bytes) {
  if (bytes >= kHeapSlotBytes - kSmallBytes) return nullptr;
  bool reused = heap_of(thread).free[class_for(bytes)] != 0;
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
  if (m->epoch == epoch_) --blocks_;
  if (!checks_) {
    reuse(heap, raw::bits(block));
    return FreeResult::Freed;
  }
  close(raw::bits(block), m->bytes);
  hold_back(heap, raw::bits(block));
  return FreeResult::Freed;
}

void Heap::reuse(ThreadHeap& heap, uint64_t block) {
  BlockMeta* m = meta(reinterpret_cast<void*>(block));
  size_t size_class = m->size_class();
  m->set(kFree, size_class, heap.free[size_class]);
  heap.free[size_class] = block;
}

void Heap::hold_back(ThreadHeap& heap, uint64_t block) {
  auto meta_of = [&](uint64_t at) { return meta(reinterpret_cast<void*>(at)); };
  BlockMeta* m = meta_of(block);
  m->set(kFree, m->size_class(), 0);
  if (heap.newest != 0) {
    BlockMeta* before = meta_of(heap.newest);
    before->set(kFree, before->size_class(), block);
  } else {
    heap.oldest = block;
  }
  heap.newest = block;
  heap.held_back += size_of_class(m->size_class());
  while (heap.held_back > kHeldBackBytes) {
    uint64_t first = heap.oldest;
    heap.oldest = meta_of(first)->next();
    if (heap.oldest == 0) heap.newest = 0;
    heap.held_back -= size_of_class(meta_of(first)->size_class());
    reuse(heap, first);
  }
}

bool Heap::is_live(const void* block) const {
  return valid(block) && meta(block)->state() == kLive;
}

size_t Heap::capacity_of(const void* block) const {
  return size_of_class(meta(block)->size_class()) - (checks_ ? kRedZoneBytes : 0);
}
size_t Heap::size_of(const void* block) const {
  return meta(block)->bytes;
}
void Heap::set_kind(void* block, BlockKind kind) {
  meta(block)->set_kind(kind);
}
BlockKind Heap::kind_of(const void* block) const {
  return meta(block)->kind();
}
void Heap::set_size(void* block, size_t bytes) {
  meta(block)->bytes = static_cast<uint32_t>(bytes);
  if (checks_) open(raw::bits(block), bytes);
}

void Heap::open(uint64_t block, uint64_t bytes) {
  uint64_t capacity = size_of_class(meta(reinterpret_cast<void*>(block))->size_class());
  if ((block & kLargeBit) != 0) {
    uint8_t* pages = page_shadow(block);
    uint64_t whole = bytes / kPageBytes, all = page_up(capacity) / kPageBytes + 1;
    memset(pages, kLivePage, whole);
    memset(pages + whole, kRedPage, all - whole);
    if (bytes % kPageBytes != 0) pages[whole] = kLastPage;
    return;
  }
  uint8_t* shadow = heap_shadow(block);
  memset(shadow, kAllBytes, bytes / 8);
  memset(shadow + bytes / 8, kRedZone, capacity / 8 - bytes / 8);
  if (bytes % 8 != 0) shadow[bytes / 8] = static_cast<uint8_t>(bytes % 8);
}

void Heap::close(uint64_t block, uint64_t bytes) {
  if ((block & kLargeBit) != 0)
    memset(page_shadow(block), kFreedPage, page_up(bytes) / kPageBytes);
  else
    memset(heap_shadow(block), kFreedBytes, (bytes + 7) / 8);
}

bool Heap::may_access(uint64_t address, uint64_t bytes) const {
  if (!checks_ || bytes == 0 || address - kHeapBase >= kHeapBytes) return true;
  if (bytes > kHeapSlotBytes) return false;
  if ((address & kLargeBit) != 0) return may_access_large(address, bytes);
  for (uint64_t at = address, end = address + bytes; at < end;) {
    uint64_t stop = std::min(end, (at | 7) + 1);
    uint8_t allowed = *heap_shadow(at);
    if (allowed > kAllBytes || allowed < stop - (at & ~7ull)) return false;
    at = stop;
  }
  return true;
}

bool Heap::may_access_large(uint64_t address, uint64_t bytes) const {
  uint64_t end = address + bytes;
  for (uint64_t page = page_down(address); page < end; page += kPageBytes) {
    uint8_t state = *page_shadow(page);
    if (state == kLivePage) continue;
    if (state != kLastPage) return false;
    if (std::min(end, page + kPageBytes) > end_of_large(page)) return false;
  }
  return true;
}

// Of the block that the page belongs to.
uint64_t Heap::end_of_large(uint64_t page) const {
  HeapBlock block = find_block(page);
  return block.begin + block.bytes;
}

HeapBlock Heap::find_block(uint64_t address) const {
  if (!contains(reinterpret_cast<void*>(address))) return {};
  uint32_t slot = static_cast<uint32_t>((address - kHeapBase) / kHeapSlotBytes);
  bool large = (address & kLargeBit) != 0;
  const ThreadHeap& heap = heaps_[slot];
  if (!heap.used || address >= (large ? heap.large_bump : heap.bump)) return {};
  uint64_t step = large ? kPageBytes : 16;
  uint64_t lowest = slot_base(slot) + (large ? kSmallBytes : 16);
  for (uint64_t at = address & ~(step - 1); at >= lowest; at -= step) {
    auto* block = reinterpret_cast<void*>(at);
    if (!valid(block) || meta(block)->state() == kNone) continue;
    uint64_t capacity = size_of_class(meta(block)->size_class());
    if (large && checks_) capacity = page_up(capacity) + kPageBytes;
    if (address >= at + capacity) return {};
    return {at, size_of(block), ThreadId{slot}, meta(block)->state() == kFree};
  }
  return {};
}

void Heap::mark_from(uint64_t begin, uint64_t end) {
  auto look_through = [&](uint64_t from, uint64_t to) {
    for (uint64_t at = (from + 7) & ~7ull; at + 8 <= to; at += 8) {
      uint64_t word = *reinterpret_cast<const uint64_t*>(at);
      if (word - kHeapBase >= kHeapBytes) continue;
      HeapBlock block = find_block(word);
      if (block.begin == 0 || block.freed) continue;
      BlockMeta* m = meta(reinterpret_cast<void*>(block.begin));
      if (m->marked()) continue;
      m->packed |= kMark;
      if (to_visit_.size() < kMostToVisit) to_visit_.push_back(block.begin);
    }
  };
  look_through(begin, end);
  while (!to_visit_.empty()) {
    uint64_t block = to_visit_.back();
    to_visit_.pop_back();
    look_through(block, block + size_of(reinterpret_cast<void*>(block)));
  }
}

void Heap::mark_from_baseline() {
  mark_from(slot_base(0), baseline_.bump);
  mark_from(slot_base(0) + kSmallBytes, baseline_.large_bump);
}

void Heap::keep(void* block) {
  meta(block)->packed |= kKept;
}

Heap::Leak Heap::unmarked() const {
  Leak leak;
  auto look_at = [&](uint64_t begin, uint64_t end, uint64_t step) {
    for (uint64_t at = begin; at < end;) {
      auto* block = reinterpret_cast<void*>(at);
      const BlockMeta* m = meta(block);
      if (m->epoch != epoch_ || m->state() == kNone) {
        at += step;
        continue;
      }
      if (m->state() == kLive && !m->marked() && !m->kept()) {
        if (leak.blocks++ == 0) leak.first = find_block(at);
        leak.bytes += m->bytes;
      }
      at += (size_of_class(m->size_class()) + step - 1) & ~(step - 1);
    }
  };
  for (uint32_t slot : used_) {
    const ThreadHeap& heap = heaps_[slot];
    uint64_t small = slot == 0 ? baseline_.bump : 0, large = slot == 0 ? baseline_.large_bump : 0;
    look_at(std::max(small, slot_base(slot) + 16), heap.bump, 16);
    look_at(std::max(large, slot_base(slot) + kSmallBytes), heap.large_bump, kPageBytes);
  }
  return leak;
}

void Heap::round_up_baseline() {
  ThreadHeap& main = heap_of(kMainThread);
  // A page of what may be accessed stands for eight pages.
  main.bump = (main.bump + 8 * kPageBytes - 1) & ~(8 * kPageBytes - 1);
}

void Heap::take_baseline(PageTracker* pages) {
  ThreadHeap& main = heap_of(kMainThread);
  baseline_ = main;
  blocks_ = 0;
  ++epoch_;
  if (pages == nullptr) return;
  uint64_t base = slot_base(0);
  auto track = [&](uint64_t begin, uint64_t end) {
    if (begin == end) return;
    pages->track(begin, end, false);
    pages->track(begin + kHeapMetaDistance, end + kHeapMetaDistance, false);
    if (!checks_) return;
    bool large = (begin & kLargeBit) != 0;
    uint64_t first = raw::bits(large ? page_shadow(begin) : heap_shadow(begin));
    uint64_t last = raw::bits(large ? page_shadow(end) : heap_shadow(end));
    pages->track(page_down(first), page_up(last), false);
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
  blocks_ = 0;
  heaps_[0] = baseline_;
  used_.push_back(0);
  if (++epoch_ == 0) epoch_ = kBaselineEpoch + 1;
}

}  // namespace heddle
