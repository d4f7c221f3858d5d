// Rewinds the program's memory at a cost that follows what an execution changed.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/guest/reserved.h"

namespace heddle {

class PageTracker {
 public:
  void initialise();

  // From now on the present content of the pages is what restore() brings back. `always_hot`
  // pages are never write-protected (small areas the kernel may write into by itself).
  void track(uint64_t begin, uint64_t end, bool always_hot);

  // Opens tracked pages for good.
  void pin(uint64_t begin, uint64_t end);

  // A write fault at `address`: true if it was ours and the access may be repeated.
  bool handle_write_fault(uint64_t address);

  // Makes a range writable before the kernel writes into it on the program's behalf.
  void prepare_write(uint64_t begin, uint64_t bytes);

  void restore();
  bool tracks(uint64_t begin, uint64_t end) const {
    for (const Region& region : regions_)
      if (begin < region.end && region.begin < end) return true;
    return false;
  }

  // Pages that are copied back at each restore; for tests and benchmarks.
  uint64_t hot_pages() const { return hot_.size(); }
  // All that may have been written to since the initial state.
  template <typename Visit>
  void for_each_hot_page(Visit visit) const {
    for (const HotPage& hot : hot_) visit(hot.page);
  }

 private:
  struct Region {
    uint64_t begin;
    uint64_t end;
    uint64_t* hot;  // one bit per page
    bool is_hot(uint64_t page) const {
      uint64_t i = (page - begin) / 4096;
      return (hot[i / 64] >> (i % 64)) & 1;
    }
    void flip(uint64_t page) {
      uint64_t i = (page - begin) / 4096;
      hot[i / 64] ^= 1ull << (i % 64);
    }
  };
  struct HotPage {
    uint64_t page;
    unsigned char* saved;
    uint32_t unchanged;  // restores in a row that found nothing to do
    uint32_t patience;   // how many of those before the page is protected again
  };

  class Lock;
  Region* region_of(uint64_t address);
  void heat(Region& region, uint64_t page, uint32_t patience);
  void cool(size_t position);
  unsigned char* take_slot();

  ReservedVector<Region> regions_;
  ReservedVector<HotPage> hot_;
  ReservedVector<unsigned char*> free_slots_;
  unsigned char* slots_ = nullptr;
  uint64_t slots_used_ = 0;
  std::atomic_flag busy_;
};

}  // namespace heddle
