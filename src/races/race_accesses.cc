// Accesses, against what came before them.
//
// For each granule of eight bytes a cell holds the epoch of the last write and of the last read, as
// long as these describe it: always the same bytes, no two reads at once, no atomics. Everything
// else is a list (access_list.h) with one entry per access that may still race; a write that
// nothing in the list outlives makes it a cell again. Both are exact: the first race on each byte
// is reported, at its second access, and no pair that is ordered.
//
// An access that happens before a later one of the same bytes can be dropped for it if whatever
// conflicts with the earlier would conflict with the later, too (FastTrack, section 3): a write
// stands for everything, a read for reads. An atomic write does not stand for a plain access,
// because the next atomic, unordered with both, would conflict with the plain one only.
#include <bit>

#include "races/race_detector.h"

namespace heddle {

void RaceDetector::access(uint64_t address, uint64_t size, AccessKind kind, Address pc) {
  if (const Fences& mine = fences_[index(self_)]; mine.execution == base_ + 1)
    if ((writes(kind) ? mine.ignored_writes : mine.ignored_reads) != 0) return;
  uint64_t end = address + size;
  if (end < address) return;
  while (address < end) {
    uint64_t granule = address & ~7ull;
    uint64_t stop = end < granule + 8 ? end : granule + 8;
    auto bytes = static_cast<uint8_t>(((1u << (stop - address)) - 1) << (address - granule));
    access_granule(granule, bytes, kind, pc);
    address = stop;
  }
}

void RaceDetector::access_granule(uint64_t granule, uint8_t bytes, AccessKind kind, Address pc) {
  ShadowMemory::Entry at = shadow_.at(granule);
  if (at.cell == nullptr) return;
  if (access_cell(at, granule, bytes, kind, pc)) return;
  if (AccessList* list = list_of(at)) access_list(at, *list, granule, bytes, kind, pc);
}

// False when the granule needs a list.
bool RaceDetector::access_cell(ShadowMemory::Entry at, uint64_t granule, uint8_t bytes,
                               AccessKind kind, Address pc) {
  Epoch write = fresh(at.cell->write) ? at.cell->write : 0;
  Epoch read = fresh(at.cell->read) ? at.cell->read : 0;
  if ((write & kEpochIsList) != 0 || is_atomic(kind)) return false;
  if ((write != 0 && bytes_of(write) != bytes) || (read != 0 && bytes_of(read) != bytes))
    return false;
  if (kind == AccessKind::Read && read != 0 && !ordered(read)) return false;
  if (write != 0)
    check(write, AccessKind::Write, Address{at.place->write}, granule, bytes, kind, pc);
  if (kind == AccessKind::Read) {
    at.cell->read = epoch_ | bytes;
    at.place->read = value(pc);
    return true;
  }
  if (read != 0) check(read, AccessKind::Read, Address{at.place->read}, granule, bytes, kind, pc);
  at.cell->write = epoch_ | bytes;
  at.cell->read = 0;
  at.place->write = value(pc);
  return true;
}

AccessList* RaceDetector::list_of(ShadowMemory::Entry at) {
  Epoch write = fresh(at.cell->write) ? at.cell->write : 0;
  Epoch read = fresh(at.cell->read) ? at.cell->read : 0;
  if ((write & kEpochIsList) != 0) return reinterpret_cast<AccessList*>(at.place->write);
  AccessList* list = AccessList::make(pool_);
  if (list == nullptr) return nullptr;
  if (write != 0) list->add({write, Address{at.place->write}, AccessKind::Write}, pool_);
  if (read != 0) list->add({read, Address{at.place->read}, AccessKind::Read}, pool_);
  at.cell->write = (epoch_ & ~Epoch{0xff}) | kEpochIsList;
  at.cell->read = 0;
  at.place->write = reinterpret_cast<uint64_t>(list);
  return list;
}

void RaceDetector::access_list(ShadowMemory::Entry at, AccessList& list, uint64_t granule,
                               uint8_t bytes, AccessKind kind, Address pc) {
  for (uint32_t i = 0; i < list.size; ++i) {
    const PastAccess& past = list.entries[i];
    bool same_epoch = (past.epoch & ~Epoch{0xff}) == epoch_;
    if (same_epoch && (bytes & ~bytes_of(past.epoch)) == 0 && stands_for(past.kind, kind)) return;
  }
  for (uint32_t i = 0; i < list.size; ++i) {
    PastAccess& past = list.entries[i];
    if ((bytes_of(past.epoch) & bytes) == 0) continue;
    bool before = ordered(past.epoch);
    if (!before && conflict(past.kind, kind))
      check(past.epoch, past.kind, past.pc, granule, bytes, kind, pc);
    if ((before && stands_for(kind, past.kind)) || kind == AccessKind::Write)
      past.epoch &= ~Epoch{bytes};
  }
  if (kind == AccessKind::Write && list.empty()) {
    at.cell->write = epoch_ | bytes;
    at.cell->read = 0;
    at.place->write = value(pc);
    return;
  }
  list.add({epoch_ | bytes, pc, kind}, pool_);
}

// Reports the pair unless it is ordered.
void RaceDetector::check(Epoch past, AccessKind past_kind, Address past_pc, uint64_t granule,
                         uint8_t bytes, AccessKind kind, Address pc) {
  if (ordered(past)) return;
  auto accessed = [&](ThreadId thread, AccessKind how, Address where, unsigned which) {
    return RaceAccess{thread, how, where,
                      Address{granule + static_cast<unsigned>(std::countr_zero(which))},
                      static_cast<uint32_t>(std::bit_width(which) - std::countr_zero(which))};
  };
  Race race{accessed(thread_of(past), past_kind, past_pc, bytes_of(past)),
            accessed(self_, kind, pc, bytes), granule,
            static_cast<uint8_t>(bytes_of(past) & bytes)};
  uint64_t begin = value(race.later.begin);
  if (!is_benign(begin, begin + race.later.size)) sink_->race_found(race);
}

}  // namespace heddle
