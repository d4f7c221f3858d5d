// Reading clocks: they all show the thread's virtual time (virtual_clock.h). Reading one is no
// step.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include <cerrno>

#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"

namespace heddle::real {
HEDDLE_REAL(clock_gettime)
HEDDLE_REAL(time)
HEDDLE_REAL(clock)
HEDDLE_REAL(timespec_get)
}  // namespace heddle::real

namespace heddle {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// What the clock shows now, in nanoseconds; negative for clocks we do not know.
int64_t now(clockid_t clock) {
  int64_t start = 0;
  if (!VirtualClock::start_of(clock, start)) return -1;
  return start + g_runtime.executor.clock().read(current_thread());
}

timespec as_timespec(int64_t nanoseconds) {
  return {nanoseconds / kSecond, nanoseconds % kSecond};
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* result) {
  if (!explored()) {
    if (!controlled()) return real::clock_gettime()(clock, result);
    const long error =
        raw::call(SYS_clock_gettime, static_cast<uint64_t>(clock), raw::bits(result));
    if (error == 0) return 0;
    errno = static_cast<int>(-error);
    return -1;
  }
  const int64_t time = now(clock);
  if (time < 0) {
    errno = EINVAL;
    return -1;
  }
  access_range(Op::Write, result, sizeof *result, HEDDLE_CALLER);
  *result = as_timespec(time);
  return 0;
}

HEDDLE_EXPORT int gettimeofday(timeval* result, void* zone) {
  if (!explored()) {
    using Function = int (*)(timeval*, void*);
    static auto function = reinterpret_cast<Function>(real::resolve("gettimeofday"));
    return function(result, zone);
  }
  const int64_t time = now(CLOCK_REALTIME);
  access_range(Op::Write, result, sizeof *result, HEDDLE_CALLER);
  *result = {time / kSecond, time % kSecond / 1'000};
  writes(static_cast<struct timezone*>(zone), HEDDLE_CALLER);
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) {
  if (!explored()) return real::time()(result);
  const time_t seconds = now(CLOCK_REALTIME) / kSecond;
  if (result != nullptr) {
    access_range(Op::Write, result, sizeof *result, HEDDLE_CALLER);
    *result = seconds;
  }
  return seconds;
}

HEDDLE_EXPORT clock_t clock() {
  if (!explored()) return real::clock()();
  return now(CLOCK_PROCESS_CPUTIME_ID) / (kSecond / CLOCKS_PER_SEC);
}

HEDDLE_EXPORT int timespec_get(timespec* result, int base) {
  if (!explored() || base != TIME_UTC) return real::timespec_get()(result, base);
  access_range(Op::Write, result, sizeof *result, HEDDLE_CALLER);
  *result = as_timespec(now(CLOCK_REALTIME));
  return base;
}
