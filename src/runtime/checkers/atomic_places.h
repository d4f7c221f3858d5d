// Memory that was written atomically in this execution.
//
// With --equivalence=reads-from and --visible=sync, what atomic reads see tells executions apart.
// So must plain reads of the same memory (say, of an atomic's value after the threads have been
// joined), and plain writes to it: they are steps from its first atomic write on. Without a data
// race that write comes before or after the access in every execution that is equivalent, so a
// thread's steps are the same in all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {

class AtomicPlaces {
 public:
  void begin_execution() {
    ++execution_;
    used_ = 0;
  }
  // False if there is no room for it.
  bool note(uint64_t at, uint64_t bytes);
  // Whether one of the bytes was noted.
  bool touches(uint64_t at, uint64_t bytes) const;

 private:
  static constexpr size_t kSlots = 1 << 16, kMost = kSlots / 4 * 3;
  struct Entry {
    uint64_t word = 0;
    uint64_t execution = 0;
    uint8_t bytes = 0;  // a bit for each
  };
  size_t slot_of(uint64_t word) const;

  std::array<Entry, kSlots> entries_{};
  uint64_t execution_ = 1;
  size_t used_ = 0;
};

extern constinit AtomicPlaces g_atomic_places;

}  // namespace heddle
