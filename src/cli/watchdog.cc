#include "cli/watchdog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace heddle {

// Before the runtime has spoken it is the program's constructors that run.
bool Watchdog::is_quiet(const ChannelHeader& header) const {
  const bool in_program = header.in_program == 1 || header.state == RunState::Starting;
  return in_program && header.progress.heartbeat == heartbeat_ &&
         header.progress.executions == executions_;
}

void Watchdog::listen(const ChannelHeader& header, double now, const Activity& activity) {
  listening_ = true;
  heartbeat_ = header.progress.heartbeat;
  executions_ = header.progress.executions;
  processor_at_ = processor_seen_ = activity.processor_seconds;
  looked_at_ = now;
  slept_ = 0;
}

WatchdogAdvice Watchdog::look(const ChannelHeader& header, double now,
                              const std::function<Activity()>& activity) {
  if (patience_ <= 0) return WatchdogAdvice::Fine;
  if (!listening_ || !is_quiet(header)) {
    listening_ = header.in_program == 1 || header.state == RunState::Starting;
    abandoned_ = false;
    if (listening_) listen(header, now, activity());
    return WatchdogAdvice::Fine;
  }
  const Activity seen = activity();
  const bool sleeps =
      seen.state == Activity::State::Sleeps && seen.processor_seconds == processor_seen_;
  if (sleeps) slept_ += now - looked_at_;
  if (seen.state == Activity::State::Runs) slept_ = 0;
  looked_at_ = now;
  processor_seen_ = seen.processor_seconds;
  const bool busy = seen.processor_seconds - processor_at_ >= patience_;
  if (!busy && slept_ < patience_) return WatchdogAdvice::Fine;
  listen(header, now, seen);
  if (abandoned_ || header.state == RunState::Starting) return WatchdogAdvice::Kill;
  abandoned_ = true;
  return busy ? WatchdogAdvice::AbandonBusy : WatchdogAdvice::AbandonAsleep;
}

namespace {

// What follows the name in /proc/PID/stat; "" if there is no such process. The name may contain
// anything: its last parenthesis ends it.
std::string status_behind_name(const std::string& path) {
  FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return "";
  char line[1024] = "";
  const bool got = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  const char* behind = got ? std::strrchr(line, ')') : nullptr;
  return behind != nullptr ? behind : "";
}

// 0 if nobody knows.
pid_t parent_of(pid_t pid) {
  char state = 0;
  pid_t ppid = 0;
  const std::string text = status_behind_name(fmt::format("/proc/{}/stat", pid));
  return std::sscanf(text.c_str(), ") %c %d", &state, &ppid) == 2 ? ppid : 0;
}

Activity::State state_of(char letter) {
  // One that has ended (Z) while the process goes on without it never comes back.
  if (letter == 'S' || letter == 'D' || letter == 'Z') return Activity::State::Sleeps;
  return letter == 'T' || letter == 't' ? Activity::State::Stopped : Activity::State::Runs;
}

}  // namespace

Activity activity_of(pid_t process) {
  const std::string text =
      status_behind_name(fmt::format("/proc/{}/task/{}/stat", process, process));
  char state = 'R';
  unsigned long user = 0, system = 0;
  const int found = std::sscanf(
      text.c_str(), ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system);
  if (found != 3) return {};
  return {state_of(state),
          static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

bool is_descendant_of(pid_t pid, pid_t ancestor) {
  while (pid > 1 && pid != ancestor) pid = parent_of(pid);
  return pid == ancestor;
}

}  // namespace heddle
