// Giving up the processor. No real time passes under Heddle: a sleep is a scheduling point at
// which switching to another thread is not a preemption.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::real {
HEDDLE_REAL(sched_yield)
HEDDLE_REAL(usleep)
HEDDLE_REAL(sleep)
HEDDLE_REAL(nanosleep)
HEDDLE_REAL(clock_nanosleep)
}  // namespace heddle::real

using namespace heddle;

HEDDLE_EXPORT int sched_yield() {
  if (!controlled()) return real::sched_yield()();
  visible({.op = Op::Yield, .pc = HEDDLE_CALLER});
  return 0;
}

// The header makes its own pthread_yield another name of sched_yield; older binaries call it.
HEDDLE_EXPORT int old_pthread_yield() asm("pthread_yield");
int old_pthread_yield() {
  if (!controlled()) return real::sched_yield()();
  visible({.op = Op::Yield, .pc = HEDDLE_CALLER});
  return 0;
}

HEDDLE_EXPORT int usleep(useconds_t duration) {
  if (!controlled()) return real::usleep()(duration);
  visible({.op = Op::Sleep, .pc = HEDDLE_CALLER});
  return 0;
}

HEDDLE_EXPORT unsigned sleep(unsigned duration) {
  if (!controlled()) return real::sleep()(duration);
  visible({.op = Op::Sleep, .pc = HEDDLE_CALLER});
  return 0;
}

HEDDLE_EXPORT int nanosleep(const struct timespec* duration, struct timespec* rest) {
  if (!controlled()) return real::nanosleep()(duration, rest);
  visible({.op = Op::Sleep, .pc = HEDDLE_CALLER});
  if (rest != nullptr) *rest = {};
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration,
                                  struct timespec* rest) {
  if (!controlled()) return real::clock_nanosleep()(clock, flags, duration, rest);
  visible({.op = Op::Sleep, .pc = HEDDLE_CALLER});
  if (rest != nullptr) *rest = {};
  return 0;
}
