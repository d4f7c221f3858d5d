// Signals that met nobody, and whether who waits now has learned what they were about.
//
// A thread that waits for a condition when the program ends may simply have nothing to do: workers
// of a pool end so. Its wake-up was lost if a signal of that condition found no waiter and the
// thread, when it began to wait, had seen nothing of what the signaller wrote before: then it waits
// for something that has already happened. Seen by happens-before, as far as two threads tell each
// other directly: the waiter has used something (a lock, an atomic object, a semaphore) after the
// signaller changed it. That includes the mutex of the wait. Whoever holds it has come after every
// critical section of the signaller, so if the signaller used that mutex, the waiter has had the
// occasion to look.
//
// So each thread remembers its last steps, and a lonely signal those of its signaller. Nothing is
// passed on from thread to thread; what was learned through a third one only counts as not seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/threads/recent_steps.h"

namespace heddle {

struct ProgramThread;

class LonelySignals {
 public:
  void initialise();
  void reset() { count_ = 0; }

  void add(Address condition, const ProgramThread& signaller, uint64_t when);
  // `waiter` is blocked on a condition. Has it missed a signal?
  bool missed_by(const ProgramThread& waiter, const ProgramThread* threads) const;

 private:
  struct Signal {
    Address condition;
    ThreadId signaller;
    uint64_t when;
    RecentSteps before;
  };
  static constexpr size_t kMost = 64;

  Signal* signals_ = nullptr;
  size_t count_ = 0;
};

}  // namespace heddle
