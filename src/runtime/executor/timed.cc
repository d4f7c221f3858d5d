#include "runtime/executor/timed.h"

#include <cerrno>

namespace heddle {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

bool valid(const timespec* time) {
  return time->tv_nsec >= 0 && time->tv_nsec < kSecond;
}

// Saturated, since "wait for ever" is often written as the largest number.
int64_t nanoseconds(const timespec* time) {
  constexpr int64_t kMost = INT64_MAX / 4 / kSecond;
  if (time->tv_sec > kMost) return kMost * kSecond;
  if (time->tv_sec < -kMost) return -kMost * kSecond;
  return time->tv_sec * kSecond + time->tv_nsec;
}

}  // namespace

Deadline Deadline::absolute(clockid_t clock, const timespec* time) {
  int64_t start = 0;
  if (!valid(time) || !VirtualClock::start_of(clock, start)) return {kNever, EINVAL};
  return {nanoseconds(time) - start, 0};
}

Deadline Deadline::relative(const timespec* duration) {
  if (!valid(duration) || duration->tv_sec < 0) return {kNever, EINVAL};
  return {current_thread().time + nanoseconds(duration), 0};
}

TimedWait::TimedWait(const Deadline& deadline) : thread_(current_thread()) {
  thread_.deadline = deadline.at;
}

bool TimedWait::may_be_early() const {
  const RunOptions& options = g_runtime.header->options;
  if (options.timeouts == Timeouts::Explore && thread_.early_timeouts < options.early_timeouts)
    return true;
  g_runtime.header->timeouts_held_back = 1;
  return false;
}

void TimedWait::time_out() {
  const bool last = g_runtime.executor.take_last_resort();
  if (!expired() && !last) ++thread_.early_timeouts;
  g_runtime.executor.clock().advance_to(thread_, thread_.deadline);
}

}  // namespace heddle
