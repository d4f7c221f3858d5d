// The accesses of a granule that one write and one read of the same bytes do not describe: several
// readers at once, parts of the granule, atomics. Each entry says of its bytes: this access was the
// last of its kind that no later one stands for.
#pragma once

#include <cstdint>

#include "races/clock_store.h"
#include "races/epoch.h"

namespace heddle {

enum class AccessKind : uint8_t { Read, Write, AtomicRead, AtomicWrite };

constexpr bool writes(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::AtomicWrite;
}
constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::AtomicRead || kind == AccessKind::AtomicWrite;
}
// Two unordered accesses of the same bytes are a race.
constexpr bool conflict(AccessKind a, AccessKind b) {
  return (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b));
}
// Whatever conflicts with `b` conflicts with `a`, too.
constexpr bool stands_for(AccessKind a, AccessKind b) {
  return a == b || a == AccessKind::Write || b == AccessKind::AtomicRead;
}
static_assert(stands_for(AccessKind::Read, AccessKind::AtomicRead));
static_assert(!stands_for(AccessKind::Read, AccessKind::AtomicWrite));
static_assert(!stands_for(AccessKind::AtomicWrite, AccessKind::Read));

struct PastAccess {
  Epoch epoch = 0;  // no bytes: the entry is free
  Address pc = kNoAddress;
  AccessKind kind = AccessKind::Read;
};

struct AccessList {
  PastAccess* entries;
  uint32_t size;
  uint32_t capacity;
  AccessList* next_spare;

  static AccessList* make(ExecutionPool& pool) {
    constexpr uint32_t kFirst = 4;
    auto* list = pool.take<AccessList>(1);
    auto* entries = pool.take<PastAccess>(kFirst);
    if (list == nullptr || entries == nullptr) return nullptr;
    *list = {entries, 0, kFirst, nullptr};
    return list;
  }

  void add(const PastAccess& access, ExecutionPool& pool) {
    for (uint32_t i = 0; i < size; ++i) {
      if (entries[i].kind != access.kind || !same_epoch(entries[i].epoch, access.epoch)) continue;
      entries[i].epoch |= access.epoch;
      return;
    }
    for (uint32_t i = 0; i < size; ++i) {
      if (bytes_of(entries[i].epoch) != 0) continue;
      entries[i] = access;
      return;
    }
    if (size == capacity && !grow(pool)) return;
    entries[size++] = access;
  }

 private:
  bool grow(ExecutionPool& pool) {
    auto* more = pool.take<PastAccess>(capacity * 2);
    if (more == nullptr) return false;
    std::copy(entries, entries + size, more);
    entries = more;
    capacity *= 2;
    return true;
  }
};

}  // namespace heddle
