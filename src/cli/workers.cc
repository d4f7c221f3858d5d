#include "cli/workers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/clock.h"
#include "cli/fingerprint.h"
#include "cli/memory_use.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "cli/watchdog.h"
#include "explore/divisible.h"
#include "strategies/division_bytes.h"
#include "strategies/registry.h"
#include "strategies/strategy_table.h"
#include "strategies/work_pool.h"

namespace heddle {
namespace {

constexpr double kAlone = 0.5;       // seconds before the first division
constexpr double kLeastShare = 0.2;  // seconds before a share is divided
constexpr int kPollMilliseconds = 10;
constexpr uint32_t kMostTries = 3;  // to search a share, where the process was killed
constexpr uint32_t kPiecesEach = 4;
constexpr double kSessionShare = 1;  // seconds before a share is divided, with a session
constexpr double kGrace = 3;         // seconds for the last shares of a session that is to stop

// Nothing in the channel is to be trusted more than a program that may be broken is.
bool read_division(const ChannelFile& channel, DivisionMessage& message) {
  const ChannelHeader& header = channel.header();
  if (header.divided != 1 || header.indivisible != 0) return false;
  const uint64_t at = header.division_at, bytes = header.division_bytes;
  if (at > kMailboxBytes || bytes > kMailboxBytes - at) return false;
  const char* mailbox = reinterpret_cast<const char*>(&header) + kHeaderBytes;
  return from_bytes({mailbox + at, bytes}, message);
}

struct Worker {
  Worker(ChannelFile file, Child process, WorkPool::Share work, double patience)
      : channel(std::move(file)),
        child(std::move(process)),
        share(std::move(work)),
        watchdog(patience) {}

  ChannelFile channel;
  Child child;
  WorkPool::Share share;
  Watchdog watchdog;
  double began = now_seconds();
};

class SharedSearch {
 public:
  SharedSearch(const Target& target, ChannelFile& channel, uint32_t processes,
               const SupervisorOptions& options, Session* session, Supervision& supervision)
      : target_(target),
        channel_(channel),
        processes_(processes),
        options_(options),
        session_(session),
        supervision_(supervision),
        progress_(options.show_progress) {}
  ~SharedSearch() {
    for (const auto& worker : workers_) end(*worker);
  }
  SharedSearch(const SharedSearch&) = delete;
  SharedSearch& operator=(const SharedSearch&) = delete;

  Result<SharedEnd> run() {
    const bool begun = goes_on_from_session() ? take_session() : take_first_division();
    if (error_) return *error_;
    if (!begun) return SharedEnd::OneProcess;
    while (goes_on()) {
      if (Result<bool> started = start_workers(); !started) return started.error();
      wait();
      look_after_workers();
      if (error_) return *error_;
      if (failed_ && stopped_) break;  // whoever goes on will see it again
      if (failed_) return SharedEnd::OneProcess;
      divide_for_the_idle();
      if (session_ != nullptr) divide_for_session();
      show();
    }
    conclude();
    return SharedEnd::Done;
  }

 private:
  ChannelHeader& header() { return channel_.header(); }

  // Those that are asked to stop may tell a session what has come of their shares.
  bool goes_on() const {
    if (!stopped_) return !pool_.empty() || !workers_.empty();
    return session_ != nullptr && !workers_.empty() && now_seconds() - stopped_at_ < kGrace;
  }

  bool take_first_division() {
    DivisionMessage message;
    if (!read_division(channel_, message)) return false;
    names_ = std::move(message.names);
    kept_ = header().kept;
    done_.take(header().progress);
    stopped_ = header().stop != StopReason::None;
    const std::string notes = session_ != nullptr ? message.division.notes : "";
    const auto added = pool_.add(std::move(message.division));
    if (!added) return false;
    if (session_ == nullptr) return true;
    return written(session_->begin(names_, {{}, *added, notes, totals()}, own_libraries()));
  }

  bool goes_on_from_session() const {
    return session_ != nullptr && session_->phase() == SessionPhase::Shared;
  }

  bool take_session() {
    Result<SessionRest> rest = session_->rest();
    if (!rest) return written(rest.error());
    names_ = std::move(rest->names);
    WorkPool::Contents contents{std::move(rest->items), std::move(rest->notes)};
    contents.bound = static_cast<int32_t>(session_->total("bound"));
    contents.apart = session_->total("apart");
    contents.left_out = static_cast<uint32_t>(session_->total("left out"));
    for (const CountRow& row : kCounts) done_.*row.count = session_->total(row.name);
    kept_ = session_->total("kept");
    take_facts();
    earlier_seconds_ = 1e-3 * static_cast<double>(session_->total("milliseconds"));
    supervision_.cpu_seconds = 1e-3 * static_cast<double>(session_->total("cpu milliseconds"));
    header().timed = options_.time_limit > 0 ? 1 : 0;
    header().memory_limit = options_.memory_limit;
    if (pool_.restore(std::move(contents))) return true;
    return written(Error{session_->file() + " is damaged"});
  }

  void take_facts() {
    ChannelHeader& all = header();
    for (const FactRow& row : kFacts)
      all.*row.fact = static_cast<uint32_t>(session_->total(row.name));
    all.leaked_blocks = session_->total("leaked blocks");
    all.leaked_bytes = session_->total("leaked bytes");
    for (const SessionLibrary& library : session_->libraries()) {
      if (all.libraries.count == ChannelLibraries::kMost) break;
      std::snprintf(all.libraries.path[all.libraries.count++], sizeof all.libraries.path[0], "%s",
                    library.path.c_str());
    }
  }

  // What is done so far, for the session.
  SessionTotals totals() {
    SessionTotals totals;
    for (const CountRow& row : kCounts) totals[row.name] = done_.*row.count;
    for (const FactRow& row : kFacts) totals[row.name] = header().*row.fact;
    totals["leaked blocks"] = header().leaked_blocks;
    totals["leaked bytes"] = header().leaked_bytes;
    totals["kept"] = kept_;
    totals["bound"] = static_cast<uint64_t>(pool_.bound());
    totals["apart"] = pool_.apart();
    totals["left out"] = pool_.left_out();
    totals["milliseconds"] = static_cast<uint64_t>(1e3 * all_seconds());
    totals["cpu milliseconds"] = static_cast<uint64_t>(1e3 * supervision_.cpu_seconds);
    return totals;
  }

  double all_seconds() const {
    return earlier_seconds_ + supervision_.seconds + now_seconds() - began_;
  }

  std::vector<SessionLibrary> own_libraries() {
    std::vector<SessionLibrary> libraries;
    const ChannelLibraries& seen = header().libraries;
    for (uint32_t i = 0; i < std::min(seen.count, ChannelLibraries::kMost); ++i) {
      const std::string path(seen.path[i], strnlen(seen.path[i], sizeof seen.path[i]));
      libraries.push_back({path, fingerprint_of_file(path)});
    }
    return libraries;
  }

  bool written(const Result<bool>& result) {
    if (!result) error_ = result.error();
    return static_cast<bool>(result);
  }

  Result<bool> start_workers() {
    while (!stopped_ && workers_.size() < processes_ && pool_.offers(bound_of_workers())) {
      WorkPool::Share share = pool_.take(processes_ - workers_.size());
      DivisionMessage message{names_, {}};
      message.division.items = pool_.ready(share);
      Result<ChannelFile> channel = ChannelFile::create(header().options, to_bytes(message));
      if (!channel) return channel.error();
      prepare(channel->header());
      Result<Child> child = launch(target_, *channel);
      if (!child) return child.error();
      workers_.push_back(std::make_unique<Worker>(std::move(*channel), std::move(*child),
                                                  std::move(share), options_.watchdog));
    }
    return true;
  }

  // As for the first process.
  void prepare(ChannelHeader& share) {
    const ChannelHeader& first = header();
    share.has_share = 1;
    share.instrumented = first.instrumented;
    share.defers_constructors = first.defers_constructors;
    share.timed = first.timed;
    share.memory_limit = first.memory_limit;
    share.property_count = first.property_count;
    std::copy(std::begin(first.properties), std::end(first.properties),
              std::begin(share.properties));
  }

  int64_t bound_of_workers() const {
    return workers_.empty() ? -1 : static_cast<int64_t>(workers_.front()->share.front().bound);
  }

  void wait() {
    std::vector<pollfd> descriptors;
    for (const auto& worker : workers_)
      if (worker->child.pidfd.valid())
        descriptors.push_back({worker->child.pidfd.get(), POLLIN, 0});
    poll(descriptors.data(), descriptors.size(), kPollMilliseconds);
  }

  void look_after_workers() {
    const double now = now_seconds();
    if (stop_signal_seen()) stop(StopReason::Interrupted);
    if (options_.time_limit > 0 && supervision_.seconds + now - began_ > options_.time_limit)
      stop(StopReason::TimeLimit);
    const bool looks = !stopped_ || session_ != nullptr;
    for (size_t i = 0; i < workers_.size() && looks && !failed_ && !error_;) {
      Worker& worker = *workers_[i];
      if (has_exited(worker)) {
        end(worker);
        take_result(worker);
        workers_.erase(workers_.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      failed_ = failed_ || worker.channel.header().indivisible != 0 || hangs(worker, now);
      ++i;
    }
    limit_memory();
  }

  static bool has_exited(const Worker& worker) {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(worker.child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
  }

  static bool hangs(Worker& worker, double now) {
    const pid_t process = worker.child.pid;
    return worker.watchdog.look(worker.channel.header(), now,
                                [&] { return activity_of(process); }) != WatchdogAdvice::Fine;
  }

  void limit_memory() {
    if (options_.memory_limit == 0 || stopped_) return;
    const double now = now_seconds();
    constexpr double kEvery = 0.5;
    if (now - measured_at_ < kEvery) return;
    measured_at_ = now;
    uint64_t used = 0;
    for (const auto& worker : workers_)
      used += memory_use(worker->channel.fd(), worker->child.pid, options_.memory_limit);
    if (used > options_.memory_limit) stop(StopReason::MemoryLimit);
  }

  void stop(StopReason reason) {
    if (stopped_) return;
    stopped_ = true;
    stopped_at_ = now_seconds();
    for (const auto& worker : workers_) ask_to_divide_share(*worker);
    header().stop = reason;
    supervision_.interrupted = reason == StopReason::Interrupted;
  }

  // Ends it if it has not ended.
  void end(Worker& worker) {
    if (worker.child.pid < 0) return;
    kill(-worker.child.pid, SIGKILL);
    kill(worker.child.pid, SIGKILL);
    rusage usage{};
    while (wait4(worker.child.pid, &status_, 0, &usage) < 0 && errno == EINTR) continue;
    supervision_.cpu_seconds += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    worker.child.pid = -1;
  }

  void take_result(Worker& worker) {
    ChannelHeader& share = worker.channel.header();
    DivisionMessage message;
    if (share.state == RunState::Done && read_division(worker.channel, message)) {
      take_division(worker, std::move(message));
      tries_ = 0;
      return;
    }
    // Somebody may have killed it. If it is the program that ends its process, it will again.
    failed_ = share.state == RunState::Done || ++tries_ == kMostTries;
    pool_.put_back(worker.share);
  }

  void take_division(const Worker& worker, DivisionMessage message) {
    const ChannelHeader& share = worker.channel.header();
    const std::string notes = session_ != nullptr ? message.division.notes : "";
    std::optional<std::vector<WorkItem>> added;
    if (message.names == names_ && share.progress.findings == 0)
      added = pool_.add(std::move(message.division));
    if (!added) {
      failed_ = true;
      return pool_.put_back(worker.share);
    }
    done_.take(share.progress);
    kept_ += share.kept;
    merge_facts(share);
    if (session_ != nullptr) written(session_->take({worker.share, *added, notes, totals()}));
  }

  void merge_facts(const ChannelHeader& share) {
    ChannelHeader& all = header();
    for (const FactRow& row : kFacts) all.*row.fact = std::max(all.*row.fact, share.*row.fact);
    if (share.leaked_blocks > all.leaked_blocks) {
      all.leaked_blocks = share.leaked_blocks;
      all.leaked_bytes = share.leaked_bytes;
    }
  }

  // Has the process that is at its share for longest divide it, where others wait for work.
  void divide_for_the_idle() {
    if (workers_.size() == processes_ || pool_.offers(bound_of_workers())) return;
    for (const auto& worker : workers_)
      if (worker->channel.header().pieces_wanted != 0) return;
    const auto longest =
        std::min_element(workers_.begin(), workers_.end(),
                         [](const auto& a, const auto& b) { return a->began < b->began; });
    if (longest == workers_.end() || now_seconds() - (*longest)->began < kLeastShare) return;
    ask_to_divide_share(**longest);
  }

  // So that not much is lost with a process, and what comes of the search can be seen.
  void divide_for_session() {
    for (const auto& worker : workers_)
      if (now_seconds() - worker->began >= kSessionShare) ask_to_divide_share(*worker);
  }

  void ask_to_divide_share(Worker& worker) const {
    uint32_t none = 0;
    worker.channel.header().pieces_wanted.compare_exchange_strong(none, processes_ * kPiecesEach);
  }

  struct Counts {
    uint64_t executions = 0, events = 0, blocked = 0, dismissed = 0, longest = 0;
    void take(const Progress& progress) {
      executions += progress.executions;
      events += progress.events;
      blocked += progress.blocked;
      dismissed += progress.dismissed;
      longest = std::max<uint64_t>(longest, progress.longest);
    }
  };
  struct CountRow {
    const char* name;
    uint64_t Counts::*count;
  };
  static constexpr CountRow kCounts[] = {{"executions", &Counts::executions},
                                         {"events", &Counts::events},
                                         {"blocked", &Counts::blocked},
                                         {"dismissed", &Counts::dismissed},
                                         {"longest", &Counts::longest}};
  struct FactRow {
    const char* name;
    uint32_t ChannelHeader::*fact;
  };
  // Of the executions: of all what is the largest of any.
  static constexpr FactRow kFacts[] = {
      {"timeouts held back", &ChannelHeader::timeouts_held_back},
      {"races out of room", &ChannelHeader::races_out_of_room},
      {"blocked at exit", &ChannelHeader::blocked_at_exit},
      {"spurious left out", &ChannelHeader::spurious_left_out},
      {"frees unordered", &ChannelHeader::frees_unordered},
      {"threads left out", &ChannelHeader::threads_left_out},
      {"most threads", &ChannelHeader::most_threads},
      {"defers constructors", &ChannelHeader::defers_constructors}};

  void tell(const Counts& counts) {
    Progress& progress = header().progress;
    progress.executions = counts.executions - std::min(counts.executions, pool_.apart());
    progress.events = counts.events;
    progress.blocked = counts.blocked;
    progress.dismissed = counts.dismissed;
    progress.longest = counts.longest;
    progress.estimate = 0;
    progress.estimate_error = 0;
  }

  void show() {
    Counts counts = done_;
    for (const auto& worker : workers_) counts.take(worker->channel.header().progress);
    tell(counts);
    progress_.show(header(), supervision_.seconds + now_seconds() - began_);
  }

  // The words of the strategy about what was searched: everything, or what is below the bound.
  void conclude() {
    const bool all = !stopped_;
    int64_t bound = all ? pool_.bound() : pool_.lowest_bound();
    if (!all && bound_of_workers() >= 0) bound = std::min(bound, bound_of_workers());
    if (all || session_ != nullptr) tell(done_);
    const std::unique_ptr<Strategy> strategy = make_strategy(header().options);
    strategy->divisible()->conclude(static_cast<int32_t>(bound), pool_.left_out(), all);
    header().complete = all && strategy->complete() ? 1 : 0;
    header().vacuous = header().complete != 0 && done_.dismissed > 0 && kept_ == 0 ? 1 : 0;
    header().progress.bound = strategy->bound();
    std::snprintf(header().guarantee, sizeof header().guarantee, "%s",
                  strategy->guarantee().c_str());
    header().explored = all ? 1 : 0;
    header().ended_by = StopReason::None;
    progress_.clear();
    supervision_.seconds = all_seconds();
  }

  const Target& target_;
  ChannelFile& channel_;
  const uint32_t processes_;
  const SupervisorOptions& options_;
  Session* const session_;  // or null
  Supervision& supervision_;
  ProgressLine progress_;
  StopSignals signals_;
  std::vector<ThreadName> names_;
  WorkPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Counts done_;
  uint64_t kept_ = 0;
  uint32_t tries_ = 0;  // in a row that gave nothing
  int status_ = 0;
  double began_ = now_seconds();
  double measured_at_ = 0;
  double earlier_seconds_ = 0;  // of the session
  double stopped_at_ = 0;
  std::optional<Error> error_;  // of writing the session
  bool stopped_ = false;
  bool failed_ = false;
};

}  // namespace

bool can_be_divided(const RunOptions& options, bool judges_races) {
  if (options.keep_going || options.max_executions != 0 || options.coverage || judges_races ||
      options.races == Races::Explore)
    return false;
  const std::unique_ptr<Strategy> strategy = make_strategy(options);
  return strategy != nullptr && strategy->divisible() != nullptr;
}

std::string divisible_strategies() {
  std::string names;
  for (const StrategyInfo& strategy : strategies()) {
    if (strategy.has(strategy_property::Script)) continue;
    RunOptions options;
    name_strategy(options, strategy.id);
    if (!can_be_divided(options, false)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", strategy.name);
  }
  return names;
}

void ask_to_divide(ChannelHeader& header, uint32_t processes, double elapsed) {
  if (elapsed < kAlone || header.deaths != 0 || header.pieces_wanted != 0) return;
  if (header.state == RunState::Running) header.pieces_wanted = processes * kPiecesEach;
}

Result<SharedEnd> share_search(const Target& target, ChannelFile& channel, uint32_t processes,
                               const SupervisorOptions& options, Session* session,
                               Supervision& supervision) {
  return SharedSearch(target, channel, processes, options, session, supervision).run();
}

}  // namespace heddle
