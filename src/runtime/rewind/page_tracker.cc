// The problem. Between two executions every writable byte of the program must get its old value
// back. Copying all of it costs what the program owns; forking costs 200 µs; letting the kernel do
// it (private file mappings dropped with madvise) costs a system call and a page fault for every
// page that was written, each time.
//
// The idea. Tracked pages are write-protected. The first write to one faults, we keep a copy of
// the page and open it; from then on it is *hot*: it stays writable and restore() copies back what
// differs. Programs write the same few pages in every execution, so in the steady state there is
// no fault and no system call, only a comparison of a handful of pages. A page that stayed
// unchanged for many restores cools down: it is protected again and costs nothing until it is next
// written.
//
// Neighbours of a hot page are opened together once there are very many hot pages, because each
// change of protection splits a kernel mapping and their number is limited.
#include "runtime/rewind/page_tracker.h"

#include <algorithm>
#include <cstring>

#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

constexpr uint64_t kMaxRegions = 8192;
constexpr uint64_t kMaxHotPages = 4ull << 20;  // 16 GiB
constexpr uint32_t kFirstPatience = 200;
constexpr uint32_t kEndless = 0xffffffff;
constexpr uint64_t kBlock = 1024;

uint64_t pages_to_open(uint64_t hot) {
  return hot < 2048 ? 1 : hot < 32768 ? 16 : 256;
}

// Copies back the blocks of a page that differ; false if none did.
bool copy_back(unsigned char* page, const unsigned char* saved) {
  bool changed = false;
  for (uint64_t at = 0; at < kPageBytes; at += kBlock) {
    if (memcmp(page + at, saved + at, kBlock) == 0) continue;
    memcpy(page + at, saved + at, kBlock);
    changed = true;
  }
  return changed;
}

}  // namespace

void PageTracker::initialise() {
  regions_.reserve(kMaxRegions);
  hot_.reserve(kMaxHotPages);
  free_slots_.reserve(kMaxHotPages);
  slots_ = static_cast<unsigned char*>(reserve_private(kMaxHotPages * kPageBytes));
}

PageTracker::Region* PageTracker::region_of(uint64_t address) {
  for (Region& region : regions_)
    if (address >= region.begin && address < region.end) return &region;
  return nullptr;
}

unsigned char* PageTracker::take_slot() {
  if (!free_slots_.empty()) {
    unsigned char* slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  HEDDLE_CHECK(slots_used_ < kMaxHotPages);
  return slots_ + kPageBytes * slots_used_++;
}

void PageTracker::heat(Region& region, uint64_t page, uint32_t patience) {
  region.flip(page);
  unsigned char* slot = take_slot();
  memcpy(slot, reinterpret_cast<const void*>(page), kPageBytes);
  hot_.push_back({page, slot, 0, patience});
}

void PageTracker::track(uint64_t begin, uint64_t end, bool always_hot) {
  uint64_t words = (end - begin) / kPageBytes / 64 + 1;
  regions_.push_back({begin, end, static_cast<uint64_t*>(reserve_private(words * 8))});
  if (!always_hot) {
    HEDDLE_CHECK(raw::protect(begin, end - begin, PROT_READ) == 0);
    return;
  }
  for (uint64_t page = begin; page < end; page += kPageBytes) heat(regions_.back(), page, kEndless);
}

void PageTracker::pin(uint64_t begin, uint64_t end) {
  Region* region = region_of(begin);
  HEDDLE_CHECK(region != nullptr && end <= region->end);
  for (uint64_t page = begin; page < end; page += kPageBytes)
    if (!region->is_hot(page)) heat(*region, page, kEndless);
  HEDDLE_CHECK(raw::protect(begin, end - begin, PROT_READ | PROT_WRITE) == 0);
}

// Two kernel threads can fault at once only while a parked thread starts.
class PageTracker::Lock {
 public:
  explicit Lock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) continue;
  }
  ~Lock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

bool PageTracker::handle_write_fault(uint64_t address) {
  Lock lock(busy_);
  Region* region = region_of(address);
  if (region == nullptr || region->is_hot(page_down(address))) return false;  // a genuine fault
  uint64_t count = pages_to_open(hot_.size());
  uint64_t first = std::max(page_down(address) & ~(count * kPageBytes - 1), region->begin);
  uint64_t last = std::min(first + count * kPageBytes, region->end);
  for (uint64_t page = first; page < last; page += kPageBytes)
    if (!region->is_hot(page)) heat(*region, page, kFirstPatience);
  return raw::protect(first, last - first, PROT_READ | PROT_WRITE) == 0;
}

void PageTracker::prepare_write(uint64_t begin, uint64_t bytes) {
  if (bytes == 0 || bytes > (1ull << 40)) return;
  for (uint64_t page = page_down(begin); page < begin + bytes; page += kPageBytes)
    handle_write_fault(page);
}

void PageTracker::cool(size_t position) {
  HotPage& hot = hot_[position];
  region_of(hot.page)->flip(hot.page);
  raw::protect(hot.page, kPageBytes, PROT_READ);
  free_slots_.push_back(hot.saved);
  hot = hot_.back();
  hot_.pop_back();
}

void PageTracker::restore() {
  for (size_t i = 0; i < hot_.size();) {
    HotPage& hot = hot_[i];
    if (copy_back(reinterpret_cast<unsigned char*>(hot.page), hot.saved)) {
      hot.unchanged = 0;
    } else if (++hot.unchanged > hot.patience && hot.patience != kEndless) {
      cool(i);
      continue;
    }
    ++i;
  }
}

}  // namespace heddle
