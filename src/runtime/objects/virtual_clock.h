// Time in the tested program. None passes by itself: a thread's clock advances when it sleeps, when
// one of its waits times out, and a little each time it is read, so that loops which wait for time
// to pass come to their end.
//
// Each thread has a clock of its own, which is put forward to the other's whenever it synchronises
// with another thread: what happens later by happens-before is never earlier by the clock (Lamport,
// "Time, clocks, and the ordering of events in a distributed system", 1978). One clock for all
// would say different things after steps that have nothing to do with each other change places, and
// then reading it would have to be a step that depends on every sleep. Executions start at the same
// time of the same day, and so do replays.
#pragma once

#include <time.h>

#include <cstdint>

#include "model/action.h"
#include "runtime/guest/reserved.h"

namespace heddle {

struct ProgramThread;

class VirtualClock {
 public:
  void initialise();
  void reset();

  // What the clock shows to a thread, in nanoseconds since the start; reading takes time.
  int64_t read(ProgramThread& thread);
  void sleep(ProgramThread& thread, int64_t duration);
  void advance_to(ProgramThread& thread, int64_t time);

  // To be told of every step when it is taken.
  void pass(ProgramThread& thread) {
    if (active_) synchronise(thread);
  }
  bool active() const { return active_; }

  // Where a system clock stood at the start; false for clocks we do not know.
  static bool start_of(clockid_t clock, int64_t& start);

 private:
  struct Cell {
    uint64_t key;
    uint32_t epoch;
    int64_t time;
  };
  void synchronise(ProgramThread& thread);
  void meet(ProgramThread& thread, uint64_t key, bool changes);

  ReservedVector<Cell> cells_;  // open addressing: when each thing was last changed
  uint32_t epoch_ = 1;
  uint32_t used_ = 0;
  int64_t latest_ = 0;
  bool active_ = false;  // some clock has moved
};

}  // namespace heddle
