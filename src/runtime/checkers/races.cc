#include "runtime/checkers/races.h"

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/library_caches.h"
#include "runtime/checkers/volatile_places.h"
#include "runtime/guest/reserved.h"
#include "runtime/objects/descriptor_names.h"

namespace heddle {

constinit RaceDetector g_races;

namespace {

constinit RaceLog g_log;

const char* does(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read:
      return "reads";
    case AccessKind::Write:
      return "writes";
    case AccessKind::AtomicRead:
      return "atomically loads";
    case AccessKind::AtomicWrite:
      return "atomically changes";
  }
  __builtin_unreachable();
}

const char* has_done(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read:
      return "has read";
    case AccessKind::Write:
      return "has written";
    case AccessKind::AtomicRead:
      return "has atomically loaded";
    case AccessKind::AtomicWrite:
      return "has atomically changed";
  }
  __builtin_unreachable();
}

Failure failure_of(const Race& race) {
  const RaceAccess &later = race.later, &earlier = race.earlier;
  const bool by_volatile = is_volatile(later.pc) || is_volatile(earlier.pc);
  char text[300];
  snprintf(text, sizeof text,
           "thread %u %s %u byte%s at 0x%lx that thread %u %s; nothing orders "
           "the two%s",
           index(later.thread), does(later.kind), later.size, later.size == 1 ? "" : "s",
           static_cast<unsigned long>(value(later.begin)), index(earlier.thread),
           has_done(earlier.kind),
           by_volatile ? ", volatile neither (--volatile=relaxed takes it for atomic)" : "");
  if (const int descriptor = descriptor_at(later.begin); descriptor >= 0)
    snprintf(text, sizeof text,
             "thread %u %s descriptor %d that thread %u has %s; nothing orders the two",
             index(later.thread), writes(later.kind) ? "closes" : "uses", descriptor,
             index(earlier.thread), writes(earlier.kind) ? "closed" : "used");
  Failure failure;
  failure.kind = FindingKind::DataRace;
  failure.message = text;
  failure.thread = later.thread;
  failure.pc = later.pc;
  failure.other = earlier.pc;
  failure.object = later.begin;
  failure.size = later.size;
  return failure;
}

bool same_places(const Race& a, const Race& b) {
  return (a.later.pc == b.later.pc && a.earlier.pc == b.earlier.pc) ||
         (a.later.pc == b.earlier.pc && a.earlier.pc == b.later.pc);
}

}  // namespace

RaceLog& race_log() {
  return g_log;
}

void start_race_detection() {
  if (g_runtime.header->options.races == Races::Off || !g_switches.instrumented) return;
  g_races.initialise(reserve_private, &g_log);
  g_switches.detects_races = true;
}

void RaceLog::race_found(const Race& race) {
  if (!g_switches.on_fiber || g_switches.in_runtime || closed_) return;
  if (g_runtime.executor.recording()) {
    RuntimeScope scope;
    evidence().race_found(race, failure_of(race));
    return;
  }
  for (size_t i = 0; i < size_; ++i)
    if (same_places(entries_[i].race, race)) return;
  if (in_library_cache(value(race.later.begin))) return;
  overflowed_ = size_ == kMost;
  if (!overflowed_) entries_[size_++] = {race, g_runtime.executor.steps()};
}

Executor::Noted RaceLog::at(size_t position) const {
  return {failure_of(entries_[position].race), entries_[position].steps};
}

void lock_taken(const volatile void* lock) {
  if (g_switches.on_fiber) g_runtime.executor.toggled(lock, SpinMonitor::Hold::Taken);
  sync_acquire(lock);
  if (g_switches.gathers && g_switches.on_fiber) evidence().lock_taken(address_of(lock));
}

void lock_given_back(const volatile void* lock) {
  if (g_switches.on_fiber) g_runtime.executor.toggled(lock, SpinMonitor::Hold::GivenBack);
  sync_release(lock);
  if (g_switches.gathers && g_switches.on_fiber) evidence().lock_given_back(address_of(lock));
}

}  // namespace heddle
