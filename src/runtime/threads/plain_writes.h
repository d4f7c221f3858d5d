// What threads write by plain accesses, as far as loops are concerned (explore/spin_monitor.h).
//
// Problem. A loop that waits may write all the same: what it has read into a cache, a count of its
// rounds, the expected value of a compare-and-swap. If every write were a change that others may
// notice, such a loop would never be seen to wait. The call that tells of a write comes before it,
// so that nobody knows then whether the value is another one.
//
// Idea. Nobody can notice a plain write before its thread has released something, or else there is
// a data race, which is reported as such. Of the operations that release, all are changes by
// themselves but unlocking. So the addresses are kept, and when the thread unlocks it
// has changed something if one of them holds another value than at its last unlock. Besides, the
// values belong to the thread's local state: a loop that counts in memory does not come back to the
// same state, no more than one that counts in a register.
//
// Where plain accesses are steps of their own, a write of another value is a change at once, unless
// no other thread has accessed the place in this execution: who waits for a change of it has. The
// same decides which variables on a thread's own stack matter at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/guest/layout.h"

namespace heddle {

// The plain writes of one thread. Many addresses are not kept: then its local state is not known,
// and its next unlock counts as a change.
class PlainWrites {
 public:
  void clear();

  // It is about to write.
  void note(uint64_t at, size_t bytes) {
    const Entry& entry = entries_[slot_of(at)];
    if (entry.at == at && entry.bytes >= bytes) return;
    if (!overflowed_) keep(at, bytes);
  }
  // Likewise, and others may notice at once.
  void note_shared(uint64_t at, size_t bytes);
  // Whether that write, which is done by now, has changed anything; true once only.
  bool take_shared_change();

  // It unlocks: whether others may find another value than after its last unlock.
  bool publish();
  // It has changed something anyway: what could not be kept so far makes no difference from now on.
  void begin_anew();

  // Of all that was written, but for the thread's own stack; 0 if that is not known.
  uint64_t hash(uint64_t own_stack) const;

 private:
  static constexpr size_t kSlots = 32, kMost = 20;
  struct Entry {
    uint64_t at = 0;
    uint64_t value = 0;  // at the last unlock, or before the first write
    uint32_t bytes = 0;
  };
  static size_t slot_of(uint64_t at) { return (at >> 2 ^ at >> 9) % kSlots; }
  void keep(uint64_t at, size_t bytes);
  void forget();

  std::array<Entry, kSlots> entries_{};
  uint32_t count_ = 0;
  bool overflowed_ = false;
  bool unpublished_ = false;  // something that is not kept
  uint64_t shared_at_ = 0, shared_before_ = 0;
  size_t shared_bytes_ = 0;
};

// Which places more than one thread has accessed in this execution, as far as anybody asked.
class SharedPlaces {
 public:
  void begin_execution() {
    ++execution_;
    used_ = 0;
  }
  // The thread accesses the place; whether another one has before.
  bool touch(uint64_t at, ThreadId thread);
  bool is_shared(uint64_t at, ThreadId thread) const;

 private:
  static constexpr size_t kSlots = 1024, kMost = 768;
  static constexpr uint32_t kSeveral = 0xffffffff;
  struct Entry {
    uint64_t granule = 0;
    uint64_t execution = 0;
    uint32_t thread = 0;
  };
  const Entry* find(uint64_t granule) const;

  std::array<Entry, kSlots> entries_{};
  uint64_t execution_ = 1;
  size_t used_ = 0;
};

extern SharedPlaces g_shared_places;

// Whether the address lies on the stack of some thread.
inline bool on_some_stack(uint64_t at) {
  return at - kStackBase < kMaxThreads * kStackSlotBytes;
}

}  // namespace heddle
