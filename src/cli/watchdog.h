// Notices that the program runs without any visible action: first the execution is to be given
// up, and if that does not help the process is to be killed.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "channel/channel.h"

namespace heddle {

enum class WatchdogAdvice : uint8_t { Fine, Abandon, Kill };

class Watchdog {
 public:
  explicit Watchdog(double patience) : patience_(patience) {}  // seconds; 0: never

  void restart() { heard_at_ = 0; }
  WatchdogAdvice look(const ChannelHeader& header, double now);

 private:
  double patience_;
  double heard_at_ = 0;
  uint64_t heartbeat_ = 0;
  uint64_t executions_ = 0;
  bool abandoned_ = false;
};

// Whether `pid` is `ancestor` or was started by it or by a process that was.
bool is_descendant_of(pid_t pid, pid_t ancestor);

}  // namespace heddle
