// Giving up the processor. No real time passes under Heddle: a sleep is a scheduling point at
// which switching to another thread is not a preemption; the thread's virtual clock advances.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/guest/real.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/intercepts/pthread_calls.h"

namespace heddle::real {
HEDDLE_REAL(sched_yield)
HEDDLE_REAL(usleep)
HEDDLE_REAL(sleep)
HEDDLE_REAL(nanosleep)
HEDDLE_REAL(clock_nanosleep)
}  // namespace heddle::real

namespace heddle {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

}  // namespace

void sleep_for(int64_t duration, Address pc) {
  if (g_switches.on_fiber) cancellation_point();
  visible({.op = Op::Sleep, .pc = pc});
  if (g_switches.on_fiber) cancellation_point();
  if (g_switches.on_fiber) g_runtime.executor.clock().sleep(current_thread(), duration);
}

}  // namespace heddle

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
  sleep_for(int64_t{duration} * 1'000, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT unsigned sleep(unsigned duration) {
  if (!controlled()) return real::sleep()(duration);
  sleep_for(int64_t{duration} * kSecond, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int nanosleep(const struct timespec* duration, struct timespec* rest) {
  if (!controlled()) return real::nanosleep()(duration, rest);
  reads(duration, HEDDLE_CALLER);
  if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec >= kSecond) {
    errno = EINVAL;
    return -1;
  }
  sleep_for(duration->tv_sec * kSecond + duration->tv_nsec, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration,
                                  struct timespec* rest) {
  if (!controlled() || !g_switches.on_fiber)
    return real::clock_nanosleep()(clock, flags, duration, rest);
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const Deadline until = absolute ? deadline_at(clock, duration, HEDDLE_CALLER)
                                  : deadline_after(duration, HEDDLE_CALLER);
  if (until.error != 0) return until.error;
  sleep_for(until.at - current_thread().time, HEDDLE_CALLER);
  return 0;
}
