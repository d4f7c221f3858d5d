// The program's heap: deterministic, per thread, rewound by forgetting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/reserved.h"
#include "runtime/rewind/page_tracker.h"

namespace heddle {

enum class FreeResult : uint8_t { Freed, AlreadyFree, NotABlock };

// How a block was asked for, and so must be released.
enum class BlockKind : uint8_t { Malloc, New, NewArray };

struct HeapBlock {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  ThreadId owner = kNoThread;
  bool freed = false;
};

class Heap {
 public:
  // With `checks`, blocks have red zones, and freed ones are not used again for a while.
  void initialise(bool checks);
  bool checks() const { return checks_; }

  // Whether all bytes may be accessed.
  bool may_access(uint64_t address, uint64_t bytes) const;

  void* allocate(ThreadId thread, size_t bytes, size_t alignment = 16);
  void* allocate_zeroed(ThreadId thread, size_t bytes);
  FreeResult release(ThreadId thread, void* block);
  bool is_live(const void* block) const;
  size_t capacity_of(const void* block) const;
  size_t size_of(const void* block) const;
  // Of a block just allocated; Malloc unless set.
  void set_kind(void* block, BlockKind kind);
  BlockKind kind_of(const void* block) const;
  void set_size(void* block, size_t bytes);
  // The block is never lost.
  void keep(void* block);

  static bool contains(const void* address) {
    uint64_t at = reinterpret_cast<uint64_t>(address);
    return at >= kHeapBase && at < kHeapBase + kMaxThreads * kHeapSlotBytes;
  }
  // The block an address lies in or directly behind; begin is 0 if there is none.
  HeapBlock find_block(uint64_t address) const;

  // Finding what nothing refers to: mark from all roots, then ask. Marks last until the reset.
  void mark_from(uint64_t begin, uint64_t end);
  void mark_from_baseline();
  struct Leak {
    HeapBlock first;
    uint64_t blocks = 0;
    uint64_t bytes = 0;
  };
  Leak unmarked() const;
  bool has_blocks() const { return blocks_ != 0; }  // allocated since main began and not freed

  // All memory that was given out since the baseline, freed or not.
  template <typename Visit>
  void for_each_range(Visit visit) const {
    for (uint32_t slot : used_) {
      const ThreadHeap& heap = heaps_[slot];
      const uint64_t base = kHeapBase + slot * kHeapSlotBytes;
      const uint64_t small = slot == 0 ? baseline_.bump : 0;
      const uint64_t large = slot == 0 ? baseline_.large_bump : 0;
      visit(std::max(small, base + 16), heap.bump);
      visit(std::max(large, base + kSmallBytes), heap.large_bump);
    }
  }

  // Blocks allocated from now on share no page with earlier ones.
  void round_up_baseline();
  // What has been allocated so far (before main) becomes the state that reset() returns to. Without
  // `pages` there will be no reset.
  void take_baseline(PageTracker* pages);
  void reset();

 private:
  static constexpr size_t kClasses = 120;
  static constexpr uint64_t kSmallBytes = 2ull << 30;  // lower half of a slot: small blocks
  // Blocks from this class size on are whole pages from an area of their own, which a reset gives
  // back to the kernel: it is neither read nor written for that.
  static constexpr size_t kLargeBytes = 64 << 10;

  struct BlockMeta;
  struct ThreadHeap {
    uint64_t bump;
    uint64_t large_bump;
    uint64_t free[kClasses];
    uint64_t oldest;  // of the blocks that are not to be used again yet, and …
    uint64_t newest;
    uint64_t held_back;  // … their bytes
    bool mapped;
    bool used;
  };

  BlockMeta* meta(const void* block) const;
  ThreadHeap& heap_of(ThreadId thread);
  void* carve(ThreadHeap& heap, size_t size_class, size_t alignment);
  void* carve_large(ThreadHeap& heap, size_t size_class, size_t alignment);
  bool valid(const void* block) const;
  size_t class_for(size_t bytes) const;
  void reuse(ThreadHeap& heap, uint64_t block);
  void hold_back(ThreadHeap& heap, uint64_t block);
  void open(uint64_t block, uint64_t bytes);
  void close(uint64_t block, uint64_t bytes);
  bool may_access_large(uint64_t address, uint64_t bytes) const;
  uint64_t end_of_large(uint64_t address) const;
  void map_slot(uint32_t slot);

  ReservedVector<ThreadHeap> heaps_;
  ReservedVector<uint32_t> used_;
  ThreadHeap baseline_{};
  uint32_t epoch_ = 1;
  uint64_t blocks_ = 0;
  ReservedVector<uint64_t> to_visit_;
  bool checks_ = false;
};

}  // namespace heddle
