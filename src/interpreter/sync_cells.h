// What the bytes of a cell mean, where it is an object of synchronisation.
//
//   mutex, spin lock   who holds it (from 1 on; 0: nobody; marks below); if the program has mutexes
//                      of several kinds, then how often, and which kind it is
//   condition          the threads that wait, as bits; a mark if conditions can be destroyed
//   reader-writer lock who writes; for each thread how often it reads
//   semaphore          its count, two bytes
//   barrier            for how many threads it is; those that wait, as bits
//   once               OnceState
#pragma once

#include <cstdint>
#include <cstring>

#include "graph/builder.h"
#include "graph/graph.h"

namespace heddle {

constexpr uint8_t kUninitialised = 254, kDestroyed = 255;  // in place of a holder, and as marks
constexpr uint32_t kMostSemaphore = 65534, kNoSemaphore = 65535;
enum class OnceState : uint8_t { New, Running, Done };
constexpr uint32_t kMutexDepth = 1, kMutexKind = 2, kReadHolds = 1;  // offsets
constexpr uint8_t kMostHolds = 250;  // of one thread, where they are counted

constexpr bool is_mutex(graph::CellKind kind) {
  return kind >= graph::CellKind::Mutex && kind <= graph::CellKind::SpinLock;
}

// Waiting in the middle of the action, which others end.
constexpr bool can_wait_inside(graph::ActionKind kind) {
  switch (kind) {
    case graph::ActionKind::CondWait:
    case graph::ActionKind::BarrierWait:
    case graph::ActionKind::RwRead:
    case graph::ActionKind::RwWrite:
    case graph::ActionKind::SemWait:
      return true;
    default:
      return false;
  }
}

// One that can be made at any time, in one way: nothing has to be looked at.
constexpr bool is_always_possible(graph::ActionKind kind) {
  switch (kind) {
    case graph::ActionKind::MutexLock:
    case graph::ActionKind::CondSignal:
    case graph::ActionKind::RwRead:
    case graph::ActionKind::RwWrite:
    case graph::ActionKind::SemWait:
    case graph::ActionKind::OnceBegin:
    case graph::ActionKind::Join:
    case graph::ActionKind::Choose:
      return false;
    default:
      return true;
  }
}

struct SyncSizes {
  uint32_t slots = 1;
  uint32_t mask_bytes = 1;
  bool mutex_kinds = false;
  bool cond_status = false;
};

inline uint32_t sync_bytes(graph::CellKind kind, uint32_t bits, const SyncSizes& sizes) {
  switch (kind) {
    case graph::CellKind::Integer:
      return graph::bytes_of(bits);
    case graph::CellKind::Mutex:
    case graph::CellKind::RecursiveMutex:
    case graph::CellKind::ErrorCheckMutex:
      return sizes.mutex_kinds ? 3 : 1;
    case graph::CellKind::SpinLock:
    case graph::CellKind::Once:
      return 1;
    case graph::CellKind::Condition:
      return sizes.mask_bytes + (sizes.cond_status ? 1 : 0);
    case graph::CellKind::RwLock:
      return 1 + sizes.slots;
    case graph::CellKind::Semaphore:
      return 2;
    case graph::CellKind::Barrier:
      return 1 + sizes.mask_bytes;
  }
  return 0;
}

inline uint64_t load_bytes(const uint8_t* from, uint32_t bytes) {
  switch (bytes) {
    case 1:
      return *from;
    case 2: {
      uint16_t value;
      memcpy(&value, from, 2);
      return value;
    }
    case 4: {
      uint32_t value;
      memcpy(&value, from, 4);
      return value;
    }
    default: {
      uint64_t value;
      memcpy(&value, from, 8);
      return value;
    }
  }
}
inline void store_bytes(uint8_t* to, uint32_t bytes, uint64_t value) {
  memcpy(to, &value, bytes);  // the low bytes come first
}

// As the cell is when it comes to life.
inline void fill_cell(uint8_t* to, uint32_t bytes, const graph::Cell& cell, bool mutex_kinds,
                      bool cond_status) {
  switch (cell.kind) {
    case graph::CellKind::Integer:
      if (cell.initialised) store_bytes(to, bytes, cell.initial);
      return;
    case graph::CellKind::Mutex:
    case graph::CellKind::RecursiveMutex:
    case graph::CellKind::ErrorCheckMutex:
      if (mutex_kinds) to[kMutexKind] = static_cast<uint8_t>(cell.kind);
      [[fallthrough]];
    case graph::CellKind::SpinLock:
    case graph::CellKind::RwLock:
    case graph::CellKind::Once:
      if (!cell.initialised) *to = kUninitialised;
      return;
    case graph::CellKind::Condition:
      if (cond_status && !cell.initialised) to[bytes - 1] = kUninitialised;
      return;
    case graph::CellKind::Semaphore:
      store_bytes(to, 2, cell.initialised ? cell.initial : kNoSemaphore);
      return;
    case graph::CellKind::Barrier:
      *to = cell.initialised ? static_cast<uint8_t>(cell.initial) : 0;
      return;
  }
}

}  // namespace heddle
