#include "runtime/checkers/atomic_places.h"

namespace heddle {

constinit AtomicPlaces g_atomic_places;

namespace {

// The bytes of the word that lie in [at, end).
uint8_t bytes_within(uint64_t word, uint64_t at, uint64_t end) {
  const uint64_t first = at > word * 8 ? at - word * 8 : 0;
  const uint64_t last = end < word * 8 + 8 ? end - word * 8 : 8;
  return static_cast<uint8_t>((0xffU << first) & (0xffU >> (8 - last)));
}

}  // namespace

// Where the word is, or where there is room for it.
size_t AtomicPlaces::slot_of(uint64_t word) const {
  size_t slot = (word * 0x9e3779b97f4a7c15) >> 48;
  while (entries_[slot].execution == execution_ && entries_[slot].word != word)
    slot = (slot + 1) % kSlots;
  return slot;
}

bool AtomicPlaces::note(uint64_t at, uint64_t bytes) {
  for (uint64_t word = at / 8; word * 8 < at + bytes; ++word) {
    Entry& entry = entries_[slot_of(word)];
    if (entry.execution != execution_) {
      if (used_ == kMost) return false;
      ++used_;
      entry = {word, execution_, 0};
    }
    entry.bytes |= bytes_within(word, at, at + bytes);
  }
  return true;
}

bool AtomicPlaces::touches(uint64_t at, uint64_t bytes) const {
  if (used_ == 0) return false;
  for (uint64_t word = at / 8; word * 8 < at + bytes; ++word) {
    const Entry& entry = entries_[slot_of(word)];
    if (entry.execution == execution_ && (entry.bytes & bytes_within(word, at, at + bytes)) != 0)
      return true;
  }
  return false;
}

}  // namespace heddle
