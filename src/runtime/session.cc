// The phases of a session, and what holds between them:
//
//   prepare   output silenced, handlers installed, snapshot taken: executions can be run
//   explore   every finding is in the explorer, which lies in the arena
//   simplify  every finding has the fewest preemptions that a short search finds for it, and no
//             context switch that it does without
//   report    every finding is in the mailbox, as a trace, with the steps to blame
//
// The process may die in any of them (the tested program shares it). All that matters lies in
// shared memory, under `Root`, so that the next process picks up where this one died.
#include "runtime/session.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "channel/finding_record.h"
#include "explore/explorer.h"
#include "runtime/checkpoints.h"
#include "runtime/children.h"
#include "runtime/exit_handlers.h"
#include "runtime/intercepts/memory.h"
#include "runtime/invariants.h"
#include "runtime/kernel_state.h"
#include "runtime/labels.h"
#include "runtime/output.h"
#include "runtime/promoted.h"
#include "runtime/properties.h"
#include "runtime/races.h"
#include "runtime/raw.h"
#include "runtime/recorder.h"
#include "runtime/runtime.h"
#include "runtime/signals.h"
#include "runtime/snapshot.h"
#include "runtime/stack_trace.h"
#include "runtime/thread_exit.h"
#include "runtime/thread_names.h"
#include "search/simplify.h"
#include "strategies/coverage.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

enum class Phase { Exploring, Simplifying, Reporting };

constexpr uint64_t kEstimateEvery = 256;  // executions
struct Root {
  Root(std::unique_ptr<Strategy> strategy, const ExploreLimits& limits)
      : explorer(std::move(strategy), limits) {}
  Explorer explorer;
  ThreadNames names;
  Phase phase = Phase::Exploring;
  Simplification simplification;
  size_t next_judge = 0;  // findings before it are in the mailbox
  PromotedMemory promoted;
  LoopPlaces loops;
  CheckpointChainState checkpoints;
  size_t next_report = 0;
  // Made by whichever process, and read by this one.
  std::optional<Trace> recorded;  // of the finding before next_report, not yet in the mailbox
  Trace aside;                    // of another execution
};

NativeExecutor::Main g_main = nullptr;

ChannelHeader& header() {
  return *g_runtime.header;
}

template <typename T>
void bump(std::atomic<T>& counter, T by = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

class ChannelObserver final : public ExploreObserver {
 public:
  explicit ChannelObserver(const Explorer& explorer) : explorer_(explorer) {}

  bool stop_requested() override {
    return header().stop.load(std::memory_order_relaxed) != StopReason::None;
  }
  void steps_taken(uint64_t count) override { bump(header().progress.heartbeat, count); }
  void execution_ended(const ExecutionSummary& summary) override {
    Progress& progress = header().progress;
    bump(progress.heartbeat);
    progress.executions.store(explorer_.executions(), std::memory_order_relaxed);
    progress.blocked.store(explorer_.blocked(), std::memory_order_relaxed);
    progress.dismissed.store(explorer_.dismissed(), std::memory_order_relaxed);
    progress.events.store(explorer_.events(), std::memory_order_relaxed);
    progress.findings.store(explorer_.findings().size(), std::memory_order_relaxed);
    progress.bound.store(explorer_.strategy().bound(), std::memory_order_relaxed);
    if (summary.failed && !summary.is_probe) bump(progress.failing_executions);
    if (g_switches.detects_races && (g_races.out_of_room() || race_log().overflowed()))
      header().races_out_of_room = 1;
    if (!summary.is_probe && summary.steps > progress.longest.load(std::memory_order_relaxed))
      progress.longest.store(summary.steps, std::memory_order_relaxed);
    if (explorer_.executions() % kEstimateEvery == 0) estimate();
  }
  void estimate() {
    const Estimate estimate = explorer_.estimate();
    header().progress.estimate.store(estimate.executions);
    header().progress.estimate_error.store(estimate.error);
  }

 private:
  const Explorer& explorer_;
};

bool forks() {
  return header().options.isolation == Isolation::Fork;
}

// In this process or in a child, which leaves what it makes in the arena.
template <typename Work>
void here_or_in_child(Work work) {
  if (forks())
    in_child(work);
  else
    work();
}

template <typename Work>
void run_here_or_in_child(Explorer& explorer, ExploreObserver& observer, Work work) {
  if (forks())
    run_in_child(explorer, observer, work);
  else
    work();
}

class NativeRunner final : public Runner {
 public:
  Outcome run(Explorer& explorer, ExploreObserver& observer,
              const std::function<bool()>&) override {
    run_here_or_in_child(explorer, observer, [&] {
      explorer.explore_one(g_runtime.executor, observer);
      explorer.finish_execution(observer);
    });
    return Outcome::Finished;
  }
};

class ChannelHost final : public Host {
 public:
  bool is_interrupted() override {
    const StopReason reason = header().stop.load(std::memory_order_relaxed);
    return reason == StopReason::Interrupted || reason == StopReason::TimeLimit;
  }
  void steps_taken(uint64_t count) override { bump(header().progress.heartbeat, count); }
  void reach_milestone() override { bump(header().progress.milestones); }
};

void post(uint32_t number, RecordStage stage, const Trace& trace) {
  const std::string text = to_text(trace);
  const FindingRecord head{kFindingRecordMagic, number,          stage,
                           trace.failure.kind,  trace.execution, text.size()};
  const uint64_t at = header().mailbox_used;
  if (at + sizeof head + text.size() > kMailboxBytes) return;
  memcpy(g_runtime.mailbox + at, &head, sizeof head);
  memcpy(g_runtime.mailbox + at + sizeof head, text.data(), text.size());
  header().mailbox_used = at + sizeof head + text.size();
}

// What is known of a finding without repeating its execution.
Trace sketch_of(const Finding& finding) {
  Trace sketch;
  sketch.failure = finding.failure;
  sketch.schedule = finding.schedule;
  sketch.preemptions = finding.preemptions;
  sketch.execution = finding.execution;
  sketch.occurrences = finding.occurrences;
  return sketch;
}

// Asks the command line whether the race counts.
bool is_suppressed(const Finding& finding) {
  auto tell = [&] {
    Trace expected;
    expected.failure = finding.failure;
    post(finding.number, RecordStage::Question,
         record_execution(g_runtime.executor, finding.schedule, &expected, LastStep::Take));
  };
  here_or_in_child(tell);
  uint64_t number = header().questions.load() + 1;
  header().questions.store(number);
  while (header().answers.load() < number) {
    if (header().stop.load() != StopReason::None) return false;
    timespec pause{0, 1'000'000};
    raw::call(SYS_nanosleep, raw::bits(&pause), 0);
  }
  return header().suppressed.load() != 0;
}

CoverageLog& coverage_log() {
  return *reinterpret_cast<CoverageLog*>(raw::bits(g_runtime.header) + kCoverageOffset);
}

std::unique_ptr<Strategy> make_search(const RunOptions& options) {
  std::unique_ptr<Strategy> strategy = make_strategy(options);
  HEDDLE_CHECK(strategy != nullptr);
  return options.coverage ? with_coverage(std::move(strategy), coverage_log())
                          : std::move(strategy);
}

// Writes the findings down that the last execution brought, if they count, and sees whether races
// among them make more memory visible.
void take_findings(Root& root) {
  const RunOptions& options = header().options;
  bool more_steps = false;
  for (; root.next_judge < root.explorer.findings().size(); ++root.next_judge) {
    const Finding& finding = root.explorer.findings()[root.next_judge];
    const bool race = finding.failure.kind == FindingKind::DataRace;
    if (race && options.judges_races && is_suppressed(finding)) {
      root.explorer.suppress(root.next_judge);
      bump(header().progress.suppressed_findings);
      continue;
    }
    post(finding.number, RecordStage::Sketch, sketch_of(finding));
    if (race && options.races == Races::Explore)
      more_steps = promote(finding.failure.object, finding.failure.size) || more_steps;
  }
  if (!more_steps) return;
  for (const Finding& finding : root.explorer.findings())
    post(finding.number, RecordStage::Withdrawn, Trace{});
  header().progress.suppressed_findings.store(0);
  root.explorer.restart(make_search(options));
  root.next_judge = 0;
}

// What the search has to be told of after an execution.
class News final : public BetweenExecutions {
 public:
  explicit News(Root& root) : root_(root) {}
  bool due() override {
    return root_.next_judge < root_.explorer.findings().size() || root_.loops.has_news();
  }
  void settle() override {
    take_findings(root_);
    if (root_.loops.take_news()) root_.explorer.start_over();
  }

 private:
  Root& root_;
};

// From checkpoints where that pays off.
class CheckpointRunner final : public Runner {
 public:
  explicit CheckpointRunner(CheckpointChain& checkpoints) : checkpoints_(checkpoints) {}

  Outcome run(Explorer& explorer, ExploreObserver& observer,
              const std::function<bool()>& due) override {
    if (checkpoints_.pays_off()) {
      const CheckpointChain::Outcome outcome = checkpoints_.explore_from(due);
      if (outcome == CheckpointChain::Outcome::Ended) return Outcome::Ended;
      if (outcome == CheckpointChain::Outcome::Paused) return Outcome::Finished;
    }
    checkpoints_.run_without([&] {
      run_here_or_in_child(explorer, observer, [&] {
        explorer.explore_one(g_runtime.executor, observer);
        checkpoints_.note_approach();
        explorer.finish_execution(observer);
      });
    });
    return Outcome::Finished;
  }

 private:
  CheckpointChain& checkpoints_;
};

void explore_all(Root& root, ExploreObserver& observer) {
  CheckpointChain checkpoints(root.explorer, observer, root.checkpoints);
  CheckpointRunner runner(checkpoints);
  take_findings(root);  // of an execution that the process died under
  News news(root);
  run_all(root.explorer, observer, runner, news);
}

void explore(Root& root) {
  ChannelObserver observer(root.explorer);
  explore_all(root, observer);
  observer.estimate();
  StopReason none = StopReason::None;
  switch (root.explorer.end_reason()) {
    case EndReason::FirstFinding:
      header().stop.compare_exchange_strong(none, StopReason::FirstFinding);
      break;
    case EndReason::ExecutionLimit:
      header().stop.compare_exchange_strong(none, StopReason::ExecutionLimit);
      break;
    case EndReason::Exhausted:
    case EndReason::Stopped:
      break;
  }
}

// Nobody saw the process die, but everybody knows what it was about to do.
void place_at_last_step(Trace& trace) {
  if (trace.steps.empty()) return;
  trace.failure.thread = trace.steps.back().action.thread;
  trace.failure.pc = trace.steps.back().action.pc;
}

// The trace of a finding; its sketch, if the execution shows something else when it is repeated.
Trace trace_of(const Finding& finding) {
  Trace sketch = sketch_of(finding);
  const bool deadly = finding.failure.kind == FindingKind::Death;
  Trace trace = record_execution(g_runtime.executor, finding.schedule, &sketch,
                                 deadly ? LastStep::ShowOnly : LastStep::Take);
  const bool shown = trace.failure.kind == finding.failure.kind;
  const bool silent = deadly || finding.failure.kind == FindingKind::Livelock ||
                      finding.failure.kind == FindingKind::Nondeterminism;
  if (!shown && !silent) {
    sketch.failure.message +=
        " (not on every run of the same schedule: " + trace.failure.message + ")";
    return sketch;
  }
  trace.execution = finding.execution;
  trace.occurrences = finding.occurrences;
  trace.failure = finding.failure;
  if (deadly) place_at_last_step(trace);
  return trace;
}

Trace record(Root& root, const Schedule& schedule) {
  root.aside = {};
  here_or_in_child([&] {
    root.aside = record_execution(g_runtime.executor, schedule, nullptr, LastStep::Take);
  });
  return std::move(root.aside);
}

void post_recorded(Root& root) {
  if (!root.recorded) return;
  const Finding& finding = root.explorer.findings()[root.next_report - 1];
  post(finding.number, RecordStage::Traced, *root.recorded);
  root.recorded.reset();
}

// The process may die of the repeated execution: then the sketch remains. It may die of the look
// for the steps to blame: then the next process posts the trace without them.
void report_all(Root& root, const Again& again) {
  post_recorded(root);
  while (root.next_report < root.explorer.findings().size()) {
    const Finding& finding = root.explorer.findings()[root.next_report++];
    again.host.reach_milestone();
    if (finding.suppressed) continue;
    post(finding.number, RecordStage::Sketch, sketch_of(finding));
    here_or_in_child([&] { root.recorded = trace_of(finding); });
    again.host.reach_milestone();
    if (!root.recorded) continue;
    if (!root.recorded->steps.empty())
      root.recorded->critical =
          find_critical_steps(again, root.explorer, finding, *root.recorded, root.simplification);
    post_recorded(root);
  }
}

// For CHECK: the schedule under which Heddle itself went wrong.
void dump_schedule() {
  if (header().arena_root == 0) return;
  std::string text =
      "schedule: " + to_string(reinterpret_cast<Root*>(header().arena_root)->explorer.schedule()) +
      "\n";
  raw::call(SYS_write, static_cast<uint64_t>(g_runtime.saved_stderr), raw::bits(text.data()),
            text.size());
}

Root* open_root() {
  const RunOptions& options = header().options;
  if (header().arena_root != 0) return reinterpret_cast<Root*>(header().arena_root);
  std::unique_ptr<Strategy> strategy = make_search(options);
  ExploreLimits limits{options.max_executions, options.max_steps, options.keep_going,
                       options.races != Races::Explore, options.unroll_loops};
  auto* root = new Root(std::move(strategy), limits);
  header().arena_root = raw::bits(root);
  return root;
}

// The program may write into its arguments and environment, so they must lie where a reset reaches.
char** copy_strings(char** strings) {
  size_t count = 0;
  while (strings[count] != nullptr) ++count;
  auto allocate = [](size_t bytes) { return g_runtime.heap.allocate(kMainThread, bytes); };
  auto** copy = static_cast<char**>(allocate((count + 1) * sizeof(char*)));
  for (size_t i = 0; i < count; ++i) {
    size_t bytes = strlen(strings[i]) + 1;
    copy[i] = static_cast<char*>(memcpy(allocate(bytes), strings[i], bytes));
  }
  copy[count] = nullptr;
  return copy;
}

void prepare(int argc, char** argv, char** envp) {
  const RunOptions& options = header().options;
  silence_output();
  bool forked = options.isolation == Isolation::Fork && options.mode == Mode::Explore;
  g_runtime.rewinds_in_place = !forked && !options.stop_in_debugger;
  start_race_detection();
  check_block_kinds();
  g_switches.memory = options.memory_errors && g_switches.instrumented;
  environ = copy_strings(envp);
  g_runtime.executor.initialise(g_main, argc, copy_strings(argv), environ);
  install_signal_handlers();
  // The first walk sets up libheddle's own copy of the unwinder, which exceptions of the program
  // may pass through (intercepts/once.cc).
  Address unused[1];
  capture_call_stack(unused, 1);
  add_properties();
  take_invariants_baseline();
  labels().take_baseline();
  exit_handlers().take_baseline();
  thread_exit_handlers().take_baseline();
  // One real thread before the snapshot: libraries must see a process with several threads, or
  // they leave out their own synchronisation (__libc_single_threaded).
  PageTracker* pages = g_runtime.rewinds_in_place ? &g_runtime.pages : nullptr;
  g_runtime.thread_pointers.pointer_of(ThreadId{1}, pages);
  g_runtime.heap.round_up_baseline();  // so that both isolations see the same addresses
  if (g_runtime.rewinds_in_place) {
    kernel_state().take_baseline();
    take_snapshot();
  } else {
    kernel_state().take_shared_baseline();
    g_runtime.heap.take_baseline(nullptr);
  }
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (header().first_execution_ns == 0)
    header().first_execution_ns =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  header().worker.store(static_cast<int32_t>(raw::call(SYS_getpid)));
  header().state.store(RunState::Running);
}

void explore_and_report() {
  bool restarted = header().arena_root != 0;
  Root& root = *open_root();
  set_check_dumper(dump_schedule);
  g_runtime.executor.set_names(&root.names);
  use_promoted(&root.promoted);
  g_runtime.executor.use_loop_places(&root.loops);
  if (restarted && root.phase == Phase::Exploring) {
    ChannelObserver observer(root.explorer);
    root.explorer.execution_died(death_of(header().death_status.load()));
    root.explorer.finish_execution(observer);
  }
  if (root.phase == Phase::Exploring) explore(root);
  ChannelHost host;
  NativeRunner runner;
  const Again again{header().options, host, runner,
                    [&](const Schedule& schedule) { return record(root, schedule); }};
  root.phase = std::max(root.phase, Phase::Simplifying);
  if (root.phase == Phase::Simplifying)
    simplify_findings(again, root.explorer, root.simplification);
  root.phase = Phase::Reporting;
  report_all(root, again);
  header().complete = root.explorer.complete() ? 1 : 0;
  header().vacuous = root.explorer.complete() && root.explorer.vacuous() ? 1 : 0;
  std::string guarantee = root.explorer.strategy().guarantee();
  if (header().vacuous != 0) guarantee += "; none of them kept its assumptions";
  constexpr const char* kCutOff = "; except beyond the limit of steps";  // some say it themselves
  if (root.explorer.cut_off() > 0 && guarantee.find(kCutOff) == std::string::npos)
    guarantee += kCutOff;
  if (root.loops.assumes())
    guarantee += "; a loop that counts was taken to wait when it had looked in vain three times";
  snprintf(header().guarantee, sizeof header().guarantee, "%s", guarantee.c_str());
}

void replay() {
  ParseError error;
  std::string_view text(g_runtime.mailbox, header().replay_bytes);
  std::optional<Trace> recorded = parse_trace(text, error);
  HEDDLE_CHECK(recorded.has_value());  // the command line has read it before us
  ThreadNames names;
  for (const TraceThread& thread : recorded->threads)
    if (thread.parent != kNoThread) names.preset(thread.id, thread.parent, thread.birth);
  g_runtime.executor.set_names(&names);
  PromotedMemory promoted_then = recorded->visible_memory;
  use_promoted(&promoted_then);
  header().mailbox_used = header().replay_bytes;
  if (recorded->failure.kind == FindingKind::Death) {  // speak while there is time
    Trace foretold =
        record_execution(g_runtime.executor, recorded->schedule, &*recorded, LastStep::ShowOnly);
    if (foretold.steps.size() == recorded->schedule.size()) foretold.failure = recorded->failure;
    place_at_last_step(foretold);
    post(1, RecordStage::Sketch, foretold);
  }
  Trace trace =
      record_execution(g_runtime.executor, recorded->schedule, &*recorded, LastStep::Take);
  if (trace.failure.kind == recorded->failure.kind && trace.schedule == recorded->schedule)
    trace.critical = recorded->critical;
  post(1, RecordStage::Traced, trace);
  header().progress.executions.store(1);
  header().progress.events.store(trace.steps.size());
}

}  // namespace

// In main's place may be a function that heddle::check wants to explore.
void remember_main(NativeExecutor::Main main) {
  g_main = main;
  const uint64_t entry = header().options.entry;
  if (entry == 0) return;
  const uint64_t address = code_of("", entry);
  if (address == 0) cannot_run("--entry names no place in the code of the program");
  g_main = reinterpret_cast<NativeExecutor::Main>(address);
}

int run_session(int argc, char** argv, char** envp) {
  g_switches.in_runtime = true;
  prepare(argc, argv, envp);
  if (header().options.mode == Mode::Replay)
    replay();
  else
    explore_and_report();
  header().state.store(RunState::Done);
  raw::exit_group(0);
}

}  // namespace heddle
