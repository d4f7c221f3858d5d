#include "cli/supervisor.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "cli/clock.h"
#include "cli/foreground.h"
#include "cli/memory_use.h"
#include "cli/progress_history.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "cli/watchdog.h"

namespace heddle {
namespace {

constexpr int kPollMilliseconds = 50;
constexpr double kGraceSeconds = 3;  // between asking the process to stop and killing it
constexpr uint32_t kMostDeaths = 1000;
constexpr uint64_t kMemoryToEndIn = 32 << 20;  // bytes, beyond the limit

class Supervisor {
 public:
  Supervisor(const Target& target, ChannelFile& channel, const SupervisorOptions& options)
      : target_(target),
        channel_(channel),
        options_(options),
        watchdog_(options.watchdog),
        progress_(options.show_progress) {}

  Result<Supervision> run() {
    header().timed = options_.time_limit > 0 ? 1 : 0;
    header().memory_limit = options_.memory_limit;
    do {
      header().state = RunState::Starting;
      header().died_in_program = header().in_program.exchange(0);
      Result<Child> child = launch(target_, channel_);
      if (!child) return child.error();
      watch(*child);
      reap(*child);
      kill(-child->pid, SIGKILL);  // whoever it has left behind
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
    Foreground foreground(child.pid);
    while (!exited(child)) {
      double now = now_seconds();
      foreground.look();
      if (foreground.is_hopeless()) give_up(child, "the program");
      if (is_refusal(header().state)) end_refused(child, now);
      if (stop_signal_seen()) ask_to_stop(StopReason::Interrupted, now);
      if (options_.time_limit > 0 && now - began_ > options_.time_limit)
        ask_to_stop(StopReason::TimeLimit, now);
      if (asked_at_ > 0 && now - asked_at_ > kGraceSeconds) kill_all(child);
      look_after(child, now);
      limit_memory(child);
      options_.between();
      progress_.show(header(), now - began_);
      history_.note(header().progress, now - began_);
    }
    lent_terminal_ = foreground.is_lent();
  }

  static bool is_undecided(RunState state) {
    return state == RunState::Unseen || state == RunState::Computes;
  }
  static bool is_refusal(RunState state) {
    return state == RunState::Unsupported || state == RunState::Error || is_undecided(state);
  }

  // Another process than the first one has refused to go on.
  void end_refused(const Child& child, double now) {
    if (refused_at_ == 0) refused_at_ = now;
    if (now - refused_at_ > kGraceSeconds) kill(-child.pid, SIGKILL);
  }

  // Nothing that we could do makes it go on.
  void give_up(const Child& child, const char* why) {
    if (header().state == RunState::Starting) stuck_at_start_ = true;
    std::snprintf(header().message, sizeof header().message, "%s", why);
    header().message_pc = 0;
    kill(-child.pid, SIGKILL);
    given_up_ = true;
  }

  bool exited(const Child& child) {
    pollfd poll_fd{child.pidfd.get(), POLLIN, 0};
    if (child.pidfd.valid()) return poll(&poll_fd, 1, kPollMilliseconds) > 0;
    // Some systems refuse such descriptors.
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0 || poll(nullptr, 0, kPollMilliseconds) > 0;
  }

  void ask_to_stop(StopReason reason, double now) {
    if (asked_at_ > 0) return;
    asked_at_ = now;
    result_.interrupted = reason == StopReason::Interrupted;
    header().stop = reason;
  }

  void look_after(const Child& child, double now) {
    const pid_t worker = worker_of(child);
    switch (watchdog_.look(header(), now, [&] { return activity_of(worker); })) {
      case WatchdogAdvice::Fine:
        return;
      case WatchdogAdvice::AbandonBusy:
        return abandon(worker, Idleness::Runs);
      case WatchdogAdvice::AbandonAsleep:
        return abandon(worker, Idleness::Sleeps);
      case WatchdogAdvice::Kill:
        return give_up(child, "the program");
    }
  }

  // The search ends before its next execution. Should the execution under way take much more, it is
  // not waited for.
  void limit_memory(const Child& child) {
    const uint64_t limit = options_.memory_limit;
    if (limit == 0) return;
    const uint64_t used = memory_use(channel_.fd(), child.pid, limit);
    StopReason none = StopReason::None;
    if (used > limit) header().stop.compare_exchange_strong(none, StopReason::MemoryLimit);
    if (used <= limit + std::max(limit / 8, kMemoryToEndIn)) return;
    kill(-child.pid, SIGKILL);
    out_of_memory_ = true;
  }

  void abandon(pid_t worker, Idleness seen) {
    header().idleness = seen;
    kill(worker, SIGRTMIN + kAbandonSignalOffset);
  }

  // The header is memory shared with a program that may be broken: signal nothing but the child
  // and its children.
  pid_t worker_of(const Child& child) {
    pid_t worker = header().worker;
    return is_descendant_of(worker, child.pid) ? worker : child.pid;
  }

  void kill_all(const Child& child) {
    kill(-child.pid, SIGKILL);
    kill(child.pid, SIGKILL);
    killed_ = true;
  }

  void reap(const Child& child) {
    rusage usage{};
    while (wait4(child.pid, &result_.last_status, 0, &usage) < 0 && errno == EINTR) continue;
    result_.cpu_seconds += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  // Judges how the child ended; true when it is to be started again.
  bool died_and_may_go_on() {
    const RunState state = header().state;
    if (state == RunState::Done) return finish(cut_short_ ? Outcome::CutShort : Outcome::Finished);
    if (given_up_)
      return stuck_at_start_ ? finish(Outcome::NeverStarted) : cut_short(RunState::Unseen);
    if (is_refusal(state)) return cut_short(state);
    if (out_of_memory_) return may_tell_within_memory() || finish(Outcome::Killed);
    if (killed_) return finish(Outcome::Killed);
    if (cut_short_) return finish(Outcome::CutShort);
    if (state == RunState::Deferred) return true;
    if (state == RunState::Starting && result_.deaths == 0) return may_start_again();

    const bool ended_itself = WIFEXITED(result_.last_status) && header().report_only != 0;
    if (!ended_itself) count_death();
    if (lent_terminal_ && was_interrupted()) ask_to_stop(StopReason::Interrupted, now_seconds());
    if (asked_at_ > 0 && !may_tell_findings()) return finish(Outcome::Killed);
    if (!options_.restart) return finish(Outcome::Died);
    if (result_.deaths >= kMostDeaths || fruitless_ >= 1) return finish(Outcome::KeptDying);
    return true;
  }

  void count_death() {
    header().deaths = ++result_.deaths;
    header().death_status = result_.last_death = result_.last_status;
    const uint64_t done = header().progress.executions + header().progress.milestones;
    fruitless_ = result_.deaths > 1 && done == done_at_death_ ? fruitless_ + 1 : 0;
    done_at_death_ = done;
  }

  // Ctrl-C reaches whoever has the terminal.
  bool was_interrupted() const {
    return WIFSIGNALED(result_.last_status) && WTERMSIG(result_.last_status) == SIGINT;
  }

  // Killed before it has spoken: by itself, if that happens twice.
  bool may_start_again() {
    if (!WIFSIGNALED(result_.last_status) || started_again_) return finish(Outcome::NeverStarted);
    return started_again_ = true;
  }

  // Somebody has killed the process while it was about to stop: once more, to tell what it has
  // found.
  bool may_tell_findings() {
    if (header().progress.findings == 0 || !options_.restart) return false;
    if (header().report_only.exchange(1) != 0) return false;
    asked_at_ = now_seconds();
    return true;
  }

  // What was found before an execution took all the memory is told by one more process.
  bool may_tell_within_memory() {
    out_of_memory_ = false;
    header().stop = StopReason::MemoryLimit;
    return header().progress.findings > 0 && options_.restart &&
           header().report_only.exchange(1) == 0;
  }

  // What was found until then is told by one more process.
  bool cut_short(RunState why) {
    if (!cut_short_) {
      result_.reason = why;
      result_.message.assign(header().message, strnlen(header().message, sizeof header().message));
      result_.message_pc = header().message_pc;
    }
    const bool found = header().progress.findings > header().progress.suppressed_findings;
    // One process after the other, as long as each gets further than the one before.
    const uint64_t told = header().progress.milestones;
    const bool stuck = cut_short_ && told == told_at_cut_;
    told_at_cut_ = told;
    if (stuck || !found || !options_.restart)
      return finish(found || is_undecided(why) ? Outcome::CutShort : Outcome::Refused);
    cut_short_ = true;
    given_up_ = false;
    header().report_only = 1;
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
  bool given_up_ = false;
  bool out_of_memory_ = false;  // and killed for it
  bool stuck_at_start_ = false;
  bool cut_short_ = false;
  uint64_t told_at_cut_ = 0;  // milestones
  bool started_again_ = false;
  bool lent_terminal_ = false;
  double refused_at_ = 0;
  uint64_t done_at_death_ = 0;  // executions and milestones
  int fruitless_ = 0;           // deaths in a row without anything done in between
};

}  // namespace

Result<Supervision> supervise(const Target& target, ChannelFile& channel,
                              const SupervisorOptions& options) {
  return Supervisor(target, channel, options).run();
}

}  // namespace heddle
