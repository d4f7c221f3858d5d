// Race detection in the tested process: the detector, what it found in this execution, and the
// calls that intercepts make where their objects pass on what a thread has done.
#pragma once

#include "explore/executor.h"
#include "races/race_detector.h"
#include "runtime/core/runtime.h"

namespace heddle {

extern constinit RaceDetector g_races;

// The races of the execution under way, each pair of places once. An execution that is recorded for
// the sake of a race ends at it instead.
class RaceLog final : public RaceSink {
 public:
  constexpr RaceLog() = default;
  void race_found(const Race& race) override;

  void clear() {
    size_ = 0;
    closed_ = overflowed_ = false;
  }
  // A thread has failed: what follows cannot be repeated by its schedule alone.
  void close() { closed_ = true; }
  size_t size() const { return size_; }
  bool overflowed() const { return overflowed_; }
  Executor::Noted at(size_t position) const;

 private:
  static constexpr size_t kMost = 1024;
  struct Entry {
    Race race;
    uint64_t steps = 0;
  };
  Entry entries_[kMost];
  size_t size_ = 0;
  bool closed_ = false;
  bool overflowed_ = false;
};

RaceLog& race_log();

// Once, if the program is compiled for us and races are asked for.
void start_race_detection();

// A thread that comes from `object` knows what those did that went through sync_release before.
inline void sync_acquire(const volatile void* object) {
  if (g_switches.races) g_races.acquire(address_of(object));
}
inline void sync_release(const volatile void* object) {
  if (g_switches.races) g_races.release(address_of(object));
}
// Reader-writer locks: readers acquire and release_shared, writers acquire_all and release.
inline void sync_release_shared(const volatile void* object) {
  if (g_switches.races) g_races.release_shared(address_of(object));
}
inline void sync_acquire_all(const volatile void* object) {
  if (g_switches.races) g_races.acquire_all(address_of(object));
}
// The object is made anew.
inline void sync_forget(const volatile void* object) {
  if (g_switches.races) g_races.forget(address_of(object));
}

// The same for locks, which reports name beside the accesses made under them.
void lock_taken(const volatile void* lock);
void lock_given_back(const volatile void* lock);

}  // namespace heddle
