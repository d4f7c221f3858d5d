// Notices that the program does not come to its next visible action: first the execution is to be
// given up, and if that does not help the process is to be killed. A thread that runs is given
// processor time, so that a busy machine does not look like a busy loop; one that sleeps in the
// kernel is given time by the clock.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "channel/channel.h"

namespace heddle {

enum class WatchdogAdvice : uint8_t { Fine, AbandonBusy, AbandonAsleep, Kill };

// What the thread that runs the program is doing.
struct Activity {
  enum class State : uint8_t { Runs, Sleeps, Stopped } state = State::Runs;
  double processor_seconds = 0;
};

class Watchdog {
 public:
  explicit Watchdog(double patience) : patience_(patience) {}  // seconds; 0: never

  void restart() { listening_ = false; }
  // `activity` is asked only where nothing was heard since the last look.
  WatchdogAdvice look(const ChannelHeader& header, double now,
                      const std::function<Activity()>& activity);

 private:
  void listen(const ChannelHeader& header, double now, const Activity& activity);
  bool is_quiet(const ChannelHeader& header) const;

  double patience_;
  bool listening_ = false;
  double processor_at_ = 0;  // seconds the program had used when it was last heard of
  double slept_ = 0;         // seconds since then, without using the processor
  double looked_at_ = 0;
  double processor_seen_ = 0;
  uint64_t heartbeat_ = 0;
  uint64_t executions_ = 0;
  bool abandoned_ = false;
};

// Of the first thread of the process, in which all threads of the program run.
Activity activity_of(pid_t process);

// Whether `pid` is `ancestor` or was started by it or by a process that was.
bool is_descendant_of(pid_t pid, pid_t ancestor);

}  // namespace heddle
