#include "strategies/action_table.h"

#include <algorithm>

#include "model/waiting.h"

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
      return {LockRole::Acquire, action.object};
    case LockEffect::BeginInit:
      return {action.second == kIsDone ? LockRole::Pass : LockRole::Acquire, action.object};
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
      return {awaits_state(action.op) ? LockRole::Await : LockRole::Share, action.object};
    case LockEffect::Destroy:
    case LockEffect::None:
      break;
  }
  if (awaits_state(action.op)) return {LockRole::Await, action.object};
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
  known.everything = meets_everything(action);
  known.exits = action.op == Op::ProcessExit;
  const Accesses accesses = accesses_of(action);
  add_footsteps(known, {accesses.begin(), accesses.size()});
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

ActionId ActionTable::number_of_section(ActionId untaken, std::span<const Action> inside) {
  KnownAction known = known_[index(untaken)];
  known.untaken = untaken;
  known.everything = inside.empty();
  known.first_lock_step = static_cast<uint32_t>(lock_steps_.size());
  std::vector<Access> accesses;
  for (const Action& done : inside) {
    Action action = done;
    // Which is the last to arrive at a barrier is decided by all: see optimal_dpor.cc.
    if (action.op == Op::BarrierWait) action.second = kNoAddress;
    known.everything |= action.op == Op::ProcessExit || action.op == Op::ThreadCancel;
    known.exits |= action.op == Op::ProcessExit;
    for (const Access& access : accesses_of(action)) accesses.push_back(access);
    const RoleOfOp role = role_of(action);
    if (role.role == LockRole::None) continue;
    const ObjectNumber lock = object_number(ResourceKind::Sync, value(role.lock));
    lock_steps_.push_back({role.role, lock, action.op});
  }
  known.lock_steps = static_cast<uint32_t>(lock_steps_.size()) - known.first_lock_step;
  std::sort(accesses.begin(), accesses.end());
  accesses.erase(std::unique(accesses.begin(), accesses.end()), accesses.end());
  add_footsteps(known, accesses);
  for (uint32_t other : sections_) {
    if (!same_section(known_[other], known)) continue;
    footsteps_.resize(known.first_footstep);
    lock_steps_.resize(known.first_lock_step);
    return ActionId{other};
  }
  const auto id = static_cast<uint32_t>(known_.size());
  known_.push_back(known);
  sections_.push_back(id);
  if (id < kPairs) add_pairs(id);
  return ActionId{id};
}

bool ActionTable::same_section(const KnownAction& a, const KnownAction& b) const {
  if (a.untaken != b.untaken || a.everything != b.everything || a.exits != b.exits) return false;
  const auto equal = [](const auto& all, uint32_t first, uint32_t size, uint32_t other_first,
                        uint32_t other_size) {
    return std::equal(all.begin() + first, all.begin() + first + size, all.begin() + other_first,
                      all.begin() + other_first + other_size);
  };
  return equal(lock_steps_, a.first_lock_step, a.lock_steps, b.first_lock_step, b.lock_steps) &&
         equal(footsteps_, a.first_footstep, a.footsteps, b.first_footstep, b.footsteps);
}

bool ActionTable::compare(const KnownAction& a, const KnownAction& b) const {
  if (!a.taken() && !b.taken()) return heddle::dependent(a.action, b.action);
  if (a.action.thread == b.action.thread || a.everything || b.everything) return true;
  const auto all = std::span(footsteps_);
  for (const Footstep& x : all.subspan(a.first_footstep, a.footsteps))
    for (const Footstep& y : all.subspan(b.first_footstep, b.footsteps))
      if (x.object == y.object && conflict(x.access, y.access)) return true;
  return false;
}

void ActionTable::add_footsteps(KnownAction& known, std::span<const Access> accesses) {
  known.first_footstep = static_cast<uint32_t>(footsteps_.size());
  for (const Access& access : accesses) {
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
    if (known_[id].taken()) continue;
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
    if (!compare(known_[id], known_[other])) continue;
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
