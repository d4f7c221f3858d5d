#include "runtime/objects/virtual_clock.h"

#include <algorithm>

#include "model/dependence.h"
#include "runtime/threads/program_thread.h"

namespace heddle {
namespace {

constexpr int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kSecond = 1'000'000'000;
// The first looks at the clock are for measuring; who goes on looking waits for something.
constexpr uint32_t kShortReads = 100;
constexpr size_t kCells = 1 << 18;
constexpr int64_t kStartOfRealTime = 1'767'225'600 * kSecond;  // 2026-01-01
constexpr int64_t kStartOfMonotonic = 1'000 * kSecond;

uint64_t key_of(ResourceKind kind, uint64_t place) {
  return static_cast<uint64_t>(kind) << 62 | (kind == ResourceKind::Memory ? place >> 3 : place);
}

size_t slot_of(uint64_t key) {
  return static_cast<size_t>((key * 0x9e3779b97f4a7c15) >> 40) % kCells;
}

}  // namespace

void VirtualClock::initialise() {
  cells_.reserve(kCells);
  cells_.resize(kCells);
}

void VirtualClock::reset() {
  ++epoch_;
  used_ = 0;
  latest_ = 0;
  active_ = false;
}

bool VirtualClock::start_of(clockid_t clock, int64_t& start) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      start = kStartOfRealTime;
      return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      start = kStartOfMonotonic;
      return true;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      start = 0;
      return true;
    default:
      return false;
  }
}

int64_t VirtualClock::read(ProgramThread& thread) {
  sleep(thread, ++thread.clock_reads <= kShortReads ? kMicrosecond : kMillisecond);
  return thread.time;
}

void VirtualClock::sleep(ProgramThread& thread, int64_t duration) {
  constexpr int64_t kCentury = 100ll * 365 * 86'400 * kSecond;
  advance_to(thread, thread.time + std::clamp<int64_t>(duration, 0, kCentury - thread.time));
}

void VirtualClock::advance_to(ProgramThread& thread, int64_t time) {
  if (time <= thread.time) return;
  thread.time = time;
  latest_ = std::max(latest_, time);
  active_ = true;
}

void VirtualClock::synchronise(ProgramThread& thread) {
  const Action& action = thread.pending;
  if (is_last_resort(action.op)) thread.time = latest_;
  for (const Access& access : accesses_of(action))
    meet(thread, key_of(access.kind, access.begin), access.mode == AccessMode::Changes);
  if (action.op == Op::CondRelock)  // it was woken through the condition
    meet(thread, key_of(ResourceKind::Sync, value(action.second)), false);
}

void VirtualClock::meet(ProgramThread& thread, uint64_t key, bool changes) {
  size_t slot = slot_of(key);
  while (cells_[slot].epoch == epoch_ && cells_[slot].key != key) slot = (slot + 1) % kCells;
  Cell& cell = cells_[slot];
  const bool known = cell.epoch == epoch_;
  if (known) thread.time = std::max(thread.time, cell.time);
  if (!changes || (!known && used_ >= kCells / 2)) return;
  used_ += known ? 0 : 1;
  cell = {key, epoch_, thread.time};
}

}  // namespace heddle
