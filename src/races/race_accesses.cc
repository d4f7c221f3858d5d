// Accesses, against what came before them.
//
// For each granule of eight bytes a cell holds one write and one read, each with the bytes it was
// of, as long as these describe it. Everything else (several writes or reads that do not stand for
// each other, atomics) is a list (access_list.h) with one entry per access that may still race;
// when it has come down to one write and one read it is a cell again. Both are exact: the first
// race on each byte is reported, at its second access, and no pair that is ordered.
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
  bool is_list = fresh(at.cell->write) && (at.cell->write & kEpochIsList) != 0;
  if (!is_list && kind == AccessKind::Read && read_cell(at, granule, bytes, pc)) return;
  if (!is_list && kind == AccessKind::Write && write_cell(at, granule, bytes, pc)) return;
  if (AccessList* list = list_of(at)) access_list(at, *list, granule, bytes, kind, pc);
}

// False when the granule needs a list; nothing has been changed then.
bool RaceDetector::read_cell(ShadowMemory::Entry at, uint64_t granule, uint8_t bytes, Address pc) {
  Epoch write = fresh(at.cell->write) ? at.cell->write : 0;
  Epoch read = fresh(at.cell->read) ? at.cell->read : 0;
  bool more = same_epoch(read, epoch_);
  bool instead = (bytes_of(read) & ~bytes) == 0 && ordered(read);
  if (!more && !instead) return false;
  if ((bytes_of(write) & bytes) != 0)
    check(write, AccessKind::Write, Address{at.place->write}, granule, bytes, AccessKind::Read, pc);
  at.cell->read = (more ? read : epoch_) | bytes;
  if (!more) at.place->read = value(pc);
  return true;
}

bool RaceDetector::write_cell(ShadowMemory::Entry at, uint64_t granule, uint8_t bytes, Address pc) {
  Epoch write = fresh(at.cell->write) ? at.cell->write : 0;
  Epoch read = fresh(at.cell->read) ? at.cell->read : 0;
  bool more = same_epoch(write, epoch_);
  if (!more && (bytes_of(write) & ~bytes) != 0) return false;
  if ((bytes_of(write) & bytes) != 0)
    check(write, AccessKind::Write, Address{at.place->write}, granule, bytes, AccessKind::Write,
          pc);
  if ((bytes_of(read) & bytes) != 0)
    check(read, AccessKind::Read, Address{at.place->read}, granule, bytes, AccessKind::Write, pc);
  at.cell->write = (more ? write : epoch_) | bytes;
  at.cell->read = (bytes_of(read) & ~bytes) != 0 ? read & ~Epoch{bytes} : 0;
  if (!more) at.place->write = value(pc);
  return true;
}

AccessList* RaceDetector::list_of(ShadowMemory::Entry at) {
  Epoch write = fresh(at.cell->write) ? at.cell->write : 0;
  Epoch read = fresh(at.cell->read) ? at.cell->read : 0;
  if ((write & kEpochIsList) != 0) return reinterpret_cast<AccessList*>(at.place->write);
  AccessList* list = spare_lists_;
  if (list != nullptr)
    spare_lists_ = list->next_spare;
  else if (list = AccessList::make(pool_); list == nullptr)
    return nullptr;
  list->size = 0;
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
    if (covers(past.epoch, epoch_ | bytes) && stands_for(past.kind, kind)) return;
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
  list.add({epoch_ | bytes, pc, kind}, pool_);
  if (!is_atomic(kind) && make_cell(at, list)) {
    list.next_spare = spare_lists_;
    spare_lists_ = &list;
  }
}

// False if there is more than one write and one read.
bool RaceDetector::make_cell(ShadowMemory::Entry at, AccessList& list) {
  PastAccess last[2];  // by kind
  for (uint32_t i = 0; i < list.size; ++i) {
    const PastAccess& past = list.entries[i];
    if (bytes_of(past.epoch) == 0) continue;
    if (is_atomic(past.kind) || last[static_cast<size_t>(past.kind)].epoch != 0) return false;
    last[static_cast<size_t>(past.kind)] = past;
  }
  const PastAccess &read = last[0], &write = last[1];
  *at.cell = {write.epoch, read.epoch};
  *at.place = {value(write.pc), value(read.pc)};
  return true;
}

// Reports the pair unless it is ordered.
void RaceDetector::check(Epoch past, AccessKind past_kind, Address past_pc, uint64_t granule,
                         uint8_t bytes, AccessKind kind, Address pc) {
  if (ordered(past) || must_not_report()) return;
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
