// Synchronisation objects by address: mutexes, conditions, atomics, whatever passes on what a
// thread has done. They are never removed, since an execution that does not use one leaves it
// stale.
#pragma once

#include <cstdint>

#include "races/clock_store.h"

namespace heddle {

// A release sequence and who heads it (C++11 1.10 [intro.multithread]): a store of another thread
// ends it, updates prolong it, and an update that releases heads one of its own.
struct ReleaseHead {
  ReleaseHead* next = nullptr;
  ThreadId thread = kNoThread;
  StoredClock clock;
};

struct SyncObject {
  uint64_t key = 0;
  uint64_t execution = 0;  // that the rest belongs to
  StoredClock released;    // what an acquire learns
  // Who released it last, and when by its own clock, if that is all that `released` says.
  ThreadId releaser = kNoThread;
  uint64_t released_at = 0;
  ThreadId head = kNoThread;
  ReleaseHead* heads = nullptr;  // if there are several; `released` is what they have together
};

class SyncTable {
 public:
  enum class Part : uint8_t { Whole, Shared };

  void initialise(ReserveMemory reserve) {
    objects_ = static_cast<SyncObject*>(reserve(kCapacity * sizeof(SyncObject)));
  }
  void begin_execution(uint64_t execution) {
    execution_ = execution;
    full_ = false;
    if (used_ < kCapacity / 2) return;
    for (uint64_t i = 0; i < kCapacity; ++i) objects_[i] = {};
    used_ = 0;
  }

  // Some object of this execution has found no place.
  bool full() const { return full_; }

  // What is known of the object in this execution; null if nothing.
  SyncObject* find(Address object, Part part = Part::Whole) {
    SyncObject& found = slot(key_of(object, part));
    return found.key != 0 && found.execution == execution_ ? &found : nullptr;
  }
  // The same, made if need be; null when the table is full.
  SyncObject* make(Address object, Part part = Part::Whole) {
    uint64_t key = key_of(object, part);
    SyncObject& found = slot(key);
    if (found.key == 0) {
      full_ = full_ || used_ + 1 >= kCapacity;
      if (full_) return nullptr;
      ++used_;
      found.key = key;
    }
    if (found.execution != execution_) {
      found.execution = execution_;
      found.released.forget();
      found.releaser = kNoThread;
      found.head = kNoThread;
      found.heads = nullptr;
    }
    return &found;
  }

 private:
  static constexpr uint64_t kCapacity = 1 << 20;

  static uint64_t key_of(Address object, Part part) {
    return value(object) * 2 + static_cast<uint64_t>(part) + 1;
  }
  SyncObject& slot(uint64_t key) {
    uint64_t i = (key * 0x9e3779b97f4a7c15) >> 44;  // 20 bits
    while (objects_[i].key != 0 && objects_[i].key != key) i = (i + 1) % kCapacity;
    return objects_[i];
  }

  SyncObject* objects_ = nullptr;
  uint64_t used_ = 0;
  bool full_ = false;
  uint64_t execution_ = 0;
};

}  // namespace heddle
