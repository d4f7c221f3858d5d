#include "circuit/lock_patterns.h"

#include <algorithm>

namespace heddle::circuit {
namespace {

using explicit_states::Footprint;
using explicit_states::Footprints;

constexpr size_t kMostSets = 6;  // of an antichain; beyond that locks do not count
constexpr size_t kMostLocks = 64;
constexpr uint32_t kNoLock = graph::PointsTo::kNoCell;
constexpr uint32_t kAnySlot = 0xffffffff;

// Whether it has become another.
bool add_set(LockSets& sets, uint64_t set) {
  for (const uint64_t known : sets)
    if ((known & ~set) == 0) return false;
  std::erase_if(sets, [set](uint64_t known) { return (set & ~known) == 0; });
  sets.push_back(set);
  std::ranges::sort(sets);
  if (sets.size() > kMostSets) sets = {0};
  return true;
}

void add(LaterTouches& to, const Footprint& from, uint64_t locks) {
  const auto each = [&](const graph::BitSet& resources, TouchKind kind) {
    resources.for_each([&](uint32_t r) { add_set(to[{r, kind}], locks); });
  };
  each(from.reads, TouchKind::Reads);
  each(from.writes, TouchKind::Writes);
  each(from.resets, TouchKind::Resets);
}

void add(LaterTouches& to, const LaterTouches& from, uint64_t locks) {
  for (const auto& [touch, sets] : from)
    for (const uint64_t set : sets) add_set(to[touch], set | locks);
}

}  // namespace

LockPatterns::LockPatterns(const StateSpace& space, const Footprints& footprints, bool with_locks)
    : footprints_(footprints) {
  const std::vector<StateLayout::CellLayout>& cells = space.layout().cells;
  for (uint32_t cell = 0; cell < cells.size() && with_locks && locks_.size() < kMostLocks; ++cell)
    if (cells[cell].holds_thread) locks_.push_back(cell);
  for (const graph::Routine& routine : space.program().routines)
    before_.emplace_back(routine.blocks.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t r = 0; r < before_.size(); ++r)
      for (size_t b = before_[r].size(); b > 0; --b) {
        LaterTouches now = compute(r, static_cast<uint32_t>(b - 1), false);
        if (now == before_[r][b - 1]) continue;
        before_[r][b - 1] = std::move(now);
        grown = true;
      }
  }
}

uint64_t LockPatterns::bit_of(uint32_t lock) const {
  const auto found = std::ranges::lower_bound(locks_, lock);
  if (found == locks_.end() || *found != lock) return 0;
  return uint64_t{1} << (found - locks_.begin());
}

// Sets grow together with what is known of later blocks: start from what this one had.
LaterTouches LockPatterns::compute(uint32_t routine, uint32_t block, bool inside) const {
  const Footprints::BlockFacts& facts = footprints_.facts(routine, block);
  LaterTouches result = inside ? LaterTouches{} : before_[routine][block];
  const uint64_t lock = facts.takes == kNoLock ? 0 : bit_of(facts.takes);
  const bool waits_first = !facts.relocks || inside;
  add(result, facts.action, waits_first ? lock : 0);
  Footprint rest = facts.statements;
  footprints_.add_allocations(rest, kAnySlot, facts);
  add(result, rest, lock);
  for (const uint32_t next : facts.next) add(result, before_[routine][next], lock);
  if (facts.starts != Footprints::kNoRoutine) add(result, before_[facts.starts][0], lock);
  return result;
}

LaterTouches LockPatterns::later(uint32_t routine, uint32_t block, bool inside) const {
  return inside ? compute(routine, block, true) : before_[routine][block];
}

}  // namespace heddle::circuit
