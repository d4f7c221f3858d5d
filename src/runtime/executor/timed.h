// Waits that end after a time. Whether and when one times out is up to the search (--timeouts):
//
//   early   at any moment, as if the other threads were slow. Each thread may do so so many times
//   in
//           an execution (RunOptions::early_timeouts), or a loop around a timed wait would go on
//           for ever. The wait is then an operation of its own which never blocks (…TimedLock): it
//           gets what it waits for or times out.
//   last    when nothing else is possible: time passes then, until the first deadline.
//           NativeExecutor turns what that thread waits for into Op::TimeOut.
//
// A wait whose deadline has passed already does not wait.
#pragma once

#include "runtime/executor/blocking.h"

namespace heddle {

// A point in time as the program gives it: by some clock, from now or from the clock's start.
struct Deadline {
  int64_t at = kNever;  // on the thread's virtual clock
  int error = 0;        // the time or the clock is not valid

  static Deadline absolute(clockid_t clock, const timespec* time);
  static Deadline relative(const timespec* duration);
};

// While one of these lives, the running thread is in a wait with a deadline.
class TimedWait {
 public:
  explicit TimedWait(const Deadline& deadline);
  ~TimedWait() { thread_.deadline = kNever; }
  TimedWait(const TimedWait&) = delete;
  TimedWait& operator=(const TimedWait&) = delete;

  bool expired() const { return thread_.deadline <= thread_.time; }
  // Whether it may time out although others can go on.
  bool may_be_early() const;
  // It times out now.
  void time_out();

 private:
  ProgramThread& thread_;
};

// As acquire() in blocking.h, but false if it times out. `timed` is the operation that never
// blocks.
template <typename Available>
bool acquire_before(const Deadline& deadline, Action action, Op timed, Available available) {
  TimedWait wait(deadline);
  bool acquired;
  if (wait.expired() || wait.may_be_early()) {
    action.op = timed;
    visible(action);
    acquired = available();
  } else {
    acquired = acquire(action, available);
  }
  if (!acquired) wait.time_out();
  return acquired;
}

}  // namespace heddle
