#include "runtime/threads/plain_writes.h"

#include <algorithm>

#include "runtime/guest/safe_load.h"

namespace heddle {

SharedPlaces g_shared_places;

namespace {

// What lies higher may have been unmapped when it is looked at again: libraries, mappings.
constexpr uint64_t kHighest = 0x7000'0000'0000;
constexpr uint64_t kGranule = 8;

uint64_t hash_of(uint64_t at, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; bytes > 0; bytes -= std::min(bytes, kGranule), at += kGranule) {
    hash = (hash ^ load_if_there(at, std::min(bytes, kGranule))) * 0x9ddfea08eb382d69;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

void PlainWrites::clear() {
  forget();
  unpublished_ = false;
  shared_bytes_ = 0;
}

void PlainWrites::forget() {
  if (count_ > 0) entries_.fill({});
  count_ = 0;
  overflowed_ = false;
}

void PlainWrites::keep(uint64_t at, size_t bytes) {
  if (bytes > kGranule) {
    for (size_t done = 0; done < bytes && !overflowed_; done += kGranule)
      keep(at + done, std::min(bytes - done, kGranule));
    return;
  }
  size_t slot = slot_of(at);
  while (entries_[slot].at != 0 && entries_[slot].at != at) slot = (slot + 1) % kSlots;
  Entry& entry = entries_[slot];
  if (entry.at == at && entry.bytes >= bytes) return;
  if (entry.at == at || count_ == kMost || at >= kHighest) {
    overflowed_ = unpublished_ = true;
    return;
  }
  entry = {at, load_if_there(at, bytes), static_cast<uint32_t>(bytes)};
  ++count_;
}

void PlainWrites::note_shared(uint64_t at, size_t bytes) {
  constexpr size_t kMostBytes = 4096;
  shared_at_ = at;
  shared_bytes_ = bytes;
  shared_before_ = bytes > kMostBytes ? 0 : hash_of(at, bytes);
}

bool PlainWrites::take_shared_change() {
  if (shared_bytes_ == 0) return false;
  const bool changed = shared_before_ == 0 || hash_of(shared_at_, shared_bytes_) != shared_before_;
  shared_bytes_ = 0;
  return changed;
}

bool PlainWrites::publish() {
  bool changed = unpublished_;
  unpublished_ = false;
  if (overflowed_) {
    forget();
    return true;
  }
  if (count_ == 0) return changed;
  for (Entry& entry : entries_) {
    if (entry.at == 0) continue;
    const uint64_t value = load_if_there(entry.at, entry.bytes);
    changed = changed || value != entry.value;
    entry.value = value;
  }
  return changed;
}

void PlainWrites::begin_anew() {
  if (overflowed_) forget();
}

uint64_t PlainWrites::hash(uint64_t own_stack) const {
  if (overflowed_) return 0;
  uint64_t sum = 1;
  if (count_ == 0) return sum;
  for (const Entry& entry : entries_)
    if (entry.at != 0 && entry.at - own_stack >= kStackSlotBytes)
      sum += (hash_of(entry.at, entry.bytes) ^ entry.at) * 0x9e3779b97f4a7c15;
  return sum == 0 ? 1 : sum;
}

const SharedPlaces::Entry* SharedPlaces::find(uint64_t granule) const {
  size_t slot = (granule * 0x9e3779b97f4a7c15) >> 54;
  while (entries_[slot].execution == execution_ && entries_[slot].granule != granule)
    slot = (slot + 1) % kSlots;
  return &entries_[slot];
}

bool SharedPlaces::touch(uint64_t at, ThreadId thread) {
  auto* entry = const_cast<Entry*>(find(at / kGranule));
  if (entry->execution != execution_) {
    if (used_ == kMost) return true;  // for all that is known
    ++used_;
    *entry = {at / kGranule, execution_, index(thread)};
    return false;
  }
  if (entry->thread != index(thread)) entry->thread = kSeveral;
  return entry->thread == kSeveral;
}

bool SharedPlaces::is_shared(uint64_t at, ThreadId thread) const {
  if (used_ == kMost) return true;
  const Entry* entry = find(at / kGranule);
  return entry->execution == execution_ && entry->thread != index(thread);
}

}  // namespace heddle
