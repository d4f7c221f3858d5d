#include "states/version_table.h"

#include <utility>

#include "states/extended_action.h"

namespace heddle {
namespace {

constexpr uint64_t kMixed = uint64_t{1} << 63;

// Memory is looked up by the eight bytes, other things by themselves; the kinds never meet.
uint64_t key_of(ResourceKind kind, uint64_t place) {
  return static_cast<uint64_t>(kind) << 62 | (kind == ResourceKind::Memory ? place >> 3 : place);
}

}  // namespace

VersionTable::VersionTable() : cells_(64) {}

void VersionTable::clear() {
  ++epoch_;
  used_ = 0;
}

uint64_t VersionTable::version(const Access& access) const {
  if (access.kind == ResourceKind::Everything) return 0;
  if (access.kind == ResourceKind::Memory) return version_of_range(access);
  const Cell* found = find(key_of(access.kind, access.begin));
  return found == nullptr ? 0 : found->changes[0];
}

uint64_t VersionTable::version_of_range(const Access& access) const {
  uint64_t hash = kMixed, last = 0;
  bool uniform = true;
  const Cell* current = nullptr;
  for (uint64_t byte = access.begin; byte < access.end; ++byte) {
    if (byte == access.begin || byte % kBytes == 0) current = find(key_of(access.kind, byte));
    const uint64_t changes = current == nullptr ? 0 : current->changes[byte % kBytes];
    if (byte != access.begin && changes != last) uniform = false;
    if (byte == access.begin || changes != last) hash = mix(mix(hash, byte), changes);
    last = changes;
  }
  return uniform ? last : hash | kMixed;
}

void VersionTable::change(const Access& access) {
  if (access.kind == ResourceKind::Everything) return;
  if (access.kind != ResourceKind::Memory) {
    ++cell(key_of(access.kind, access.begin)).changes[0];
    return;
  }
  for (uint64_t byte = access.begin; byte < access.end;) {
    Cell& current = cell(key_of(access.kind, byte));
    do ++current.changes[byte % kBytes];
    while (++byte < access.end && byte % kBytes != 0);
  }
}

size_t VersionTable::slot(uint64_t key) const {
  const size_t mask = cells_.size() - 1;
  size_t at = mix(key) & mask;
  while (cells_[at].epoch == epoch_ && cells_[at].key != key) at = (at + 1) & mask;
  return at;
}

const VersionTable::Cell* VersionTable::find(uint64_t key) const {
  const Cell& found = cells_[slot(key)];
  return found.epoch == epoch_ ? &found : nullptr;
}

VersionTable::Cell& VersionTable::cell(uint64_t key) {
  if (2 * (used_ + 1) > cells_.size()) grow();
  Cell& found = cells_[slot(key)];
  if (found.epoch != epoch_) {
    found = {key, epoch_, {}};
    ++used_;
  }
  return found;
}

void VersionTable::grow() {
  std::vector<Cell> old(cells_.size() * 2);
  std::swap(old, cells_);
  for (const Cell& moved : old)
    if (moved.epoch == epoch_) cells_[slot(moved.key)] = moved;
}

}  // namespace heddle
