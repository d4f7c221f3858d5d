#include "strategies/action_table.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr uint64_t kUnitBytes = 8;

size_t hash_of_unit(ResourceKind kind, uint64_t unit) {
  const uint64_t h = (unit ^ static_cast<uint64_t>(kind) << 61) * 0x9e3779b97f4a7c15;
  return static_cast<size_t>(h ^ h >> 32);
}

struct RoleOfOp {
  LockRole role;
  Address lock;
};

RoleOfOp role_of(const Action& action) {
  switch (operation(action.op).lock) {
    case LockEffect::Acquire:
    case LockEffect::BeginInit:
      return {LockRole::Acquire, action.object};
    case LockEffect::TryAcquire:
      return {LockRole::TryAcquire, action.object};
    case LockEffect::Release:
    case LockEffect::EndInit:
      return {LockRole::Release, action.object};
    case LockEffect::ReleaseSecond:
      return {LockRole::Release, action.second};
    case LockEffect::AcquireRead:  // readers exclude only writers: a lock of another kind
    case LockEffect::AcquireWrite:
    case LockEffect::ReleaseRw:
    case LockEffect::Destroy:
    case LockEffect::None:
      break;
  }
  return {LockRole::None, kNoAddress};
}

}  // namespace

ActionTable::ActionTable() : index_(64, kEmpty), object_index_(64) {}

ActionId ActionTable::add(const Action& action) {
  const auto id = static_cast<uint32_t>(known_.size());
  KnownAction known;
  known.action = action;
  known.action.pc = kNoAddress;
  const RoleOfOp role = role_of(action);
  known.role = role.role;
  if (role.role != LockRole::None) known.lock = object_number(ResourceKind::Sync, value(role.lock));
  add_footsteps(known);
  known_.push_back(known);
  if (known_.size() * 4 > index_.size()) {
    grow_index();
  } else {
    size_t slot = hash(action) & (index_.size() - 1);
    while (index_[slot] != kEmpty) slot = (slot + 1) & (index_.size() - 1);
    index_[slot] = id;
  }
  if (id < kPairs) add_pairs(id);
  return ActionId{id};
}

void ActionTable::add_footsteps(KnownAction& known) {
  known.first_footstep = static_cast<uint32_t>(footsteps_.size());
  for (const Access& access : accesses_of(known.action)) {
    if (access.kind == ResourceKind::Everything) continue;
    const uint64_t bytes = access.kind == ResourceKind::Memory ? kUnitBytes : 1;
    for (uint64_t unit = access.begin / bytes; unit <= (access.end - 1) / bytes; ++unit)
      footsteps_.push_back({object_number(access.kind, unit), access});
  }
  known.footsteps = static_cast<uint32_t>(footsteps_.size()) - known.first_footstep;
}

void ActionTable::grow_index() {
  index_.assign(index_.size() * 2, kEmpty);
  for (uint32_t id = 0; id < known_.size(); ++id) {
    size_t slot = hash(known_[id].action) & (index_.size() - 1);
    while (index_[slot] != kEmpty) slot = (slot + 1) & (index_.size() - 1);
    index_[slot] = id;
  }
}

void ActionTable::add_pairs(uint32_t id) {
  if (id >= row_words_ * 64) {
    const uint32_t words = std::max(1u, row_words_ * 2);
    std::vector<uint64_t> wider(size_t{words} * words * 64);
    for (uint32_t row = 0; row < id; ++row)
      std::copy_n(pairs_.begin() + row * row_words_, row_words_, wider.begin() + row * words);
    pairs_ = std::move(wider);
    row_words_ = words;
  }
  const auto set = [&](uint32_t a, uint32_t b) {
    pairs_[size_t{a} * row_words_ + b / 64] |= uint64_t{1} << (b % 64);
  };
  for (uint32_t other = 0; other <= id; ++other) {
    if (!heddle::dependent(known_[id].action, known_[other].action)) continue;
    set(id, other);
    set(other, id);
  }
}

ObjectNumber ActionTable::object_number(ResourceKind kind, uint64_t unit) {
  const auto find = [&](ResourceKind wanted_kind, uint64_t wanted) -> ObjectKey& {
    size_t slot = hash_of_unit(wanted_kind, wanted) & (object_index_.size() - 1);
    while (object_index_[slot].number != kNoObject &&
           (object_index_[slot].kind != wanted_kind || object_index_[slot].unit != wanted))
      slot = (slot + 1) & (object_index_.size() - 1);
    return object_index_[slot];
  };
  ObjectKey& key = find(kind, unit);
  if (key.number != kNoObject) return key.number;
  key = {kind, unit, objects_++};
  const ObjectNumber number = key.number;
  if (objects_ * 2 > object_index_.size()) {
    std::vector<ObjectKey> old(object_index_.size() * 2);
    old.swap(object_index_);
    for (const ObjectKey& moved : old)
      if (moved.number != kNoObject) find(moved.kind, moved.unit) = moved;
  }
  return number;
}

}  // namespace heddle
