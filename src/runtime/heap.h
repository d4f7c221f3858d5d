// The program's heap: deterministic, per thread, rewound by forgetting.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/layout.h"
#include "runtime/page_tracker.h"
#include "runtime/reserved.h"

namespace heddle {

enum class FreeResult : uint8_t { Freed, AlreadyFree, NotABlock };

struct HeapBlock {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  ThreadId owner = kNoThread;
};

class Heap {
 public:
  void initialise();

  void* allocate(ThreadId thread, size_t bytes, size_t alignment = 16);
  void* allocate_zeroed(ThreadId thread, size_t bytes);
  FreeResult release(ThreadId thread, void* block);
  bool is_live(const void* block) const;
  size_t capacity_of(const void* block) const;
  size_t size_of(const void* block) const;
  void set_size(void* block, size_t bytes);

  static bool contains(const void* address) {
    uint64_t at = reinterpret_cast<uint64_t>(address);
    return at >= kHeapBase && at < kHeapBase + kMaxThreads * kHeapSlotBytes;
  }
  // The live block an address lies in; begin is 0 if there is none.
  HeapBlock find_block(uint64_t address) const;

  // Blocks allocated from now on share no page with earlier ones.
  void round_up_baseline();
  // What has been allocated so far (before main) becomes the state that reset() returns to.
  void take_baseline(PageTracker& pages);
  void reset();

 private:
  static constexpr size_t kClasses = 120;
  // Blocks from this class size on are whole pages from an area of their own, which a reset gives
  // back to the kernel: it is neither read nor written for that.
  static constexpr size_t kLargeBytes = 64 << 10;

  struct BlockMeta;
  struct ThreadHeap {
    uint64_t bump;
    uint64_t large_bump;
    uint64_t free[kClasses];
    bool mapped;
    bool used;
  };

  BlockMeta* meta(const void* block) const;
  ThreadHeap& heap_of(ThreadId thread);
  void* carve(ThreadHeap& heap, size_t size_class, size_t alignment);
  void* carve_large(ThreadHeap& heap, size_t size_class, size_t alignment);
  bool valid(const void* block) const;
  void map_slot(uint32_t slot);

  ReservedVector<ThreadHeap> heaps_;
  ReservedVector<uint32_t> used_;
  ThreadHeap baseline_{};
  uint32_t epoch_ = 1;
};

}  // namespace heddle
