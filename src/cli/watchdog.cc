#include "cli/watchdog.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

namespace heddle {

WatchdogAdvice Watchdog::look(const ChannelHeader& header, double now) {
  uint64_t heartbeat = header.progress.heartbeat, executions = header.progress.executions;
  bool quiet = header.in_program == 1 && heartbeat == heartbeat_ && executions == executions_;
  if (patience_ <= 0 || heard_at_ == 0 || !quiet) {
    heard_at_ = now;
    heartbeat_ = heartbeat;
    executions_ = executions;
    abandoned_ = false;
    return WatchdogAdvice::Fine;
  }
  if (now - heard_at_ < patience_) return WatchdogAdvice::Fine;
  heard_at_ = now;
  if (abandoned_) return WatchdogAdvice::Kill;
  abandoned_ = true;
  return WatchdogAdvice::Abandon;
}

namespace {

// 0 if nobody knows.
pid_t parent_of(pid_t pid) {
  FILE* file = std::fopen(fmt::format("/proc/{}/stat", pid).c_str(), "r");
  if (file == nullptr) return 0;
  char line[512] = "";
  bool got = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  // "pid (name) state ppid …": the name may contain anything, its last parenthesis ends it.
  const char* behind = got ? std::strrchr(line, ')') : nullptr;
  char state = 0;
  pid_t ppid = 0;
  return behind != nullptr && std::sscanf(behind, ") %c %d", &state, &ppid) == 2 ? ppid : 0;
}

}  // namespace

bool is_descendant_of(pid_t pid, pid_t ancestor) {
  while (pid > 1 && pid != ancestor) pid = parent_of(pid);
  return pid == ancestor;
}

}  // namespace heddle
