#include "cli/supervisor.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "cli/clock.h"
#include "cli/progress_history.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "cli/watchdog.h"

namespace heddle {
namespace {

constexpr int kPollMilliseconds = 50;
constexpr double kGraceSeconds = 3;  // between asking the process to stop and killing it
constexpr uint32_t kMostDeaths = 1000;

class Supervisor {
 public:
  Supervisor(const Target& target, ChannelFile& channel, const SupervisorOptions& options)
      : target_(target),
        channel_(channel),
        options_(options),
        watchdog_(options.watchdog),
        progress_(options.show_progress) {}

  Result<Supervision> run() {
    do {
      header().state = RunState::Starting;
      header().in_program = 0;
      Result<Child> child = launch(target_, channel_);
      if (!child) return child.error();
      watch(*child);
      reap(*child);
    } while (died_and_may_go_on());
    progress_.clear();
    result_.seconds = now_seconds() - began_;
    result_.history = history_.take(header().progress, result_.seconds);
    return result_;
  }

 private:
  ChannelHeader& header() { return channel_.header(); }

  // Returns when the child has exited (or has been killed).
  void watch(Child& child) {
    watchdog_.restart();
    while (!exited(child)) {
      double now = now_seconds();
      if (stop_signal_seen()) ask_to_stop(StopReason::Interrupted, now);
      if (options_.time_limit > 0 && now - began_ > options_.time_limit)
        ask_to_stop(StopReason::TimeLimit, now);
      if (asked_at_ > 0 && now - asked_at_ > kGraceSeconds) kill_all(child);
      look_after(child, now);
      options_.between();
      progress_.show(header(), now - began_);
      history_.note(header().progress, now - began_);
    }
  }

  bool exited(const Child& child) {
    pollfd poll_fd{child.pidfd.get(), POLLIN, 0};
    return poll(&poll_fd, 1, kPollMilliseconds) > 0;
  }

  void ask_to_stop(StopReason reason, double now) {
    if (asked_at_ > 0) return;
    asked_at_ = now;
    result_.interrupted = reason == StopReason::Interrupted;
    header().stop = reason;
  }

  void look_after(const Child& child, double now) {
    switch (watchdog_.look(header(), now)) {
      case WatchdogAdvice::Fine:
        return;
      case WatchdogAdvice::Abandon:
        if (pid_t worker = worker_of(child)) kill(worker, SIGRTMIN + kAbandonSignalOffset);
        return;
      case WatchdogAdvice::Kill:
        if (pid_t worker = worker_of(child)) kill(worker, SIGKILL);
        return;
    }
  }

  // The header is memory shared with a program that may be broken: signal nothing but the child
  // and its children.
  pid_t worker_of(const Child& child) {
    pid_t worker = header().worker;
    return is_descendant_of(worker, child.pid) ? worker : child.pid;
  }

  void kill_all(const Child& child) {
    pid_t worker = worker_of(child);
    kill(child.pid, SIGKILL);
    if (worker != child.pid) kill(worker, SIGKILL);
    killed_ = true;
  }

  void reap(const Child& child) {
    rusage usage{};
    while (wait4(child.pid, &result_.last_status, 0, &usage) < 0 && errno == EINTR) continue;
    result_.cpu_seconds += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  // Judges how the child ended; true when it is to be started again.
  bool died_and_may_go_on() {
    RunState state = header().state;
    if (state == RunState::Done) return finish(Outcome::Finished);
    if (state == RunState::Unsupported || state == RunState::Error) return finish(Outcome::Refused);
    if (killed_) return finish(Outcome::Killed);
    if (state == RunState::Starting && result_.deaths == 0) return finish(Outcome::NeverStarted);

    header().deaths = ++result_.deaths;
    header().death_status = result_.last_status;
    uint64_t done = header().progress.executions + header().progress.milestones;
    fruitless_ = result_.deaths > 1 && done == done_at_death_ ? fruitless_ + 1 : 0;
    done_at_death_ = done;
    if (asked_at_ > 0) return finish(Outcome::Killed);
    if (!options_.restart) return finish(Outcome::Died);
    if (result_.deaths >= kMostDeaths || fruitless_ >= 1) return finish(Outcome::KeptDying);
    return true;
  }

  bool finish(Outcome outcome) {
    result_.outcome = outcome;
    return false;
  }

  const Target& target_;
  ChannelFile& channel_;
  const SupervisorOptions& options_;
  Watchdog watchdog_;
  ProgressLine progress_;
  ProgressHistory history_;
  StopSignals signals_;  // handlers in place while this object lives
  Supervision result_;
  double began_ = now_seconds();
  double asked_at_ = 0;
  bool killed_ = false;
  uint64_t done_at_death_ = 0;  // executions and milestones
  int fruitless_ = 0;           // deaths in a row without anything done in between
};

}  // namespace

Result<Supervision> supervise(const Target& target, ChannelFile& channel,
                              const SupervisorOptions& options) {
  return Supervisor(target, channel, options).run();
}

}  // namespace heddle
