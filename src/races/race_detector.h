// Finds pairs of conflicting accesses that nothing orders, in the execution under way.
#pragma once

#include <cstdint>
#include <span>

#include "model/action.h"
#include "races/access_list.h"
#include "races/clock_store.h"
#include "races/epoch.h"
#include "races/shadow_memory.h"
#include "races/sync_table.h"

namespace heddle {

struct RaceAccess {
  ThreadId thread = kNoThread;
  AccessKind kind = AccessKind::Read;
  Address pc = kNoAddress;
  Address begin = kNoAddress;  // as far as it lies in one granule of eight bytes
  uint32_t size = 0;
};

struct Race {
  RaceAccess earlier;
  RaceAccess later;      // by the running thread, about to be made
  uint64_t granule = 0;  // where both meet: of these eight bytes …
  uint8_t bytes = 0;     // … the ones with their bit set
};

class RaceSink {
 public:
  virtual ~RaceSink() = default;
  virtual void race_found(const Race& race) = 0;
};

class RaceDetector {
 public:
  void initialise(ReserveMemory reserve, RaceSink* sink);

  // Forgets the last execution; the main thread runs.
  void begin_execution();
  void switch_to(ThreadId thread) {
    self_ = thread;
    row_ = row(thread);
    epoch_ = make_epoch(thread, row_[index(thread)]);
  }

  // By the running thread.
  void thread_created(ThreadId child);
  void thread_joined(ThreadId ended);
  void acquire(Address object);
  void release(Address object);
  // For reader-writer locks: readers release_shared what only acquire_all learns of.
  void release_shared(Address object);
  void acquire_all(Address object);
  void forget(Address object);
  void fence(MemoryOrder order);

  // Just before the access is made. The order of a failed compare-and-swap is the one for failures.
  void atomic_load(Address object, uint32_t size, MemoryOrder order, Address pc);
  void atomic_store(Address object, uint32_t size, MemoryOrder order, Address pc);
  void atomic_update(Address object, uint32_t size, MemoryOrder order, Address pc);

  // Whether the running thread has accessed these bytes like this since it last released: then
  // access() would do nothing. `size` is at most 8; false when in doubt.
  bool is_known(uint64_t address, uint32_t size, AccessKind kind) const {
    if (!possible(address)) return false;
    const Epoch mine = epoch_ | (((1ull << size) - 1) << (address & 7));
    const ShadowCell& cell = shadow_.peek(address);
    return covers(cell.write, mine) || (kind == AccessKind::Read && covers(cell.read, mine));
  }
  // Just before the access is made, whatever its size and alignment.
  void access(uint64_t address, uint64_t size, AccessKind kind, Address pc);

  // The kernel has mapped memory there: what was accessed at these addresses before was other
  // memory.
  void memory_is_new(uint64_t begin, uint64_t end) { shadow_.clear(begin, end); }

  // There was no room for all of this execution: races may have been missed. Where that goes for
  // synchronisation or annotations, none is reported any more, lest there be false ones.
  bool out_of_room() const { return must_not_report() || shadow_.full(); }

  // Annotations. Ignoring nests.
  void ignore(AccessKind kind, bool begin);
  void ignore_synchronisation(
      bool begin);  // what the running thread passes on or learns does not count
  void benign(Address begin, uint64_t size);

 private:
  static constexpr size_t kMostBenign = 256;
  // Not a power of two: the beginnings of rows would compete for the same lines of the cache.
  static constexpr uint64_t kRowWords = kMostRaceThreads + 24;

  bool must_not_report() const { return pool_.exhausted() || objects_.full() || too_many_benign_; }
  static bool possible(uint64_t address) { return address >> 47 == 0; }
  uint64_t* row(ThreadId thread) const { return rows_ + index(thread) * kRowWords; }
  std::span<const uint64_t> own_clock() const { return {row_, threads_}; }
  bool fresh(Epoch epoch) const { return epoch > first_; }
  bool ordered(Epoch epoch) const { return clock_of(epoch) <= row_[index(thread_of(epoch))]; }
  void tick();
  void learn(std::span<const uint64_t> clock);

  bool knows(const SyncObject& object) const {
    return object.releaser != kNoThread && row_[index(object.releaser)] >= object.released_at;
  }
  void pass_on(SyncObject& object);

  std::span<const uint64_t> contribution(MemoryOrder order);
  void synchronise_load(const SyncObject* object, MemoryOrder order);
  void head_sequence(SyncObject& object, std::span<const uint64_t> clock);
  void join_sequence(SyncObject& object, std::span<const uint64_t> clock);
  void add_head(SyncObject& object, ThreadId thread, std::span<const uint64_t> clock);

  void access_granule(uint64_t granule, uint8_t bytes, AccessKind kind, Address pc);
  bool read_cell(ShadowMemory::Entry at, uint64_t granule, uint8_t bytes, Address pc);
  bool write_cell(ShadowMemory::Entry at, uint64_t granule, uint8_t bytes, Address pc);
  AccessList* list_of(ShadowMemory::Entry at);
  bool make_cell(ShadowMemory::Entry at, AccessList& list);
  void access_list(ShadowMemory::Entry at, AccessList& list, uint64_t granule, uint8_t bytes,
                   AccessKind kind, Address pc);
  void check(Epoch past, AccessKind past_kind, Address past_pc, uint64_t granule, uint8_t bytes,
             AccessKind kind, Address pc);
  bool is_benign(uint64_t begin, uint64_t end) const;

  // What the fast path reads.
  ShadowMemory shadow_;
  Epoch epoch_ = 0;

  struct Fences {
    uint64_t execution = 0;
    uint32_t ignored_reads = 0;
    uint32_t ignored_writes = 0;
    uint32_t ignored_synchronisation = 0;
    StoredClock released;  // by the last release fence
    StoredClock seen;      // by relaxed loads, for the next acquire fence
  };
  Fences& fences();
  bool ignores_synchronisation() const {
    const Fences& mine = fences_[index(self_)];
    return mine.execution == base_ + 1 && mine.ignored_synchronisation != 0;
  }

  uint64_t* row_ = nullptr;      // the running thread's clock
  uint64_t* rows_ = nullptr;     // one clock per thread
  uint64_t* learned_ = nullptr;  // and when, by its own clock, a thread last learned of others
  ThreadId self_ = kMainThread;
  uint32_t threads_ = 1;  // numbers below this have been given away in this execution
  uint64_t clock_ = 0;    // the last one given away, in whatever execution
  uint64_t base_ = 0;     // the last one of the executions before this
  Epoch first_ = 0;       // nothing up to this belongs to this execution
  ExecutionPool pool_;
  AccessList* spare_lists_ = nullptr;
  SyncTable objects_;
  Fences* fences_ = nullptr;
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  Range benign_[kMostBenign] = {};
  size_t benign_count_ = 0;
  bool too_many_benign_ = false;
  RaceSink* sink_ = nullptr;
};

}  // namespace heddle
