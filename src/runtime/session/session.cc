// A session: executions are prepared (output silenced, handlers installed, snapshot taken), and
// then the search runs (search/search.h), or one schedule does.
//
// The process may die in any of it (the tested program shares it). All that matters lies in shared
// memory, under `Root`, so that the next process picks up where this one died.
#include "runtime/session/session.h"

#include <link.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "explore/divisible.h"
#include "runtime/checkers/invariants.h"
#include "runtime/checkers/promoted.h"
#include "runtime/checkers/properties.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/foreign_threads.h"
#include "runtime/guest/own_image.h"
#include "runtime/guest/own_process.h"
#include "runtime/guest/raw.h"
#include "runtime/objects/labels.h"
#include "runtime/rewind/exit_handlers.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/output.h"
#include "runtime/rewind/snapshot.h"
#include "runtime/rewind/thread_exit.h"
#include "runtime/session/channel_host.h"
#include "runtime/session/checkpoints.h"
#include "runtime/session/children.h"
#include "runtime/session/native_recorder.h"
#include "runtime/session/native_runner.h"
#include "runtime/session/signals.h"
#include "runtime/threads/stack_trace.h"
#include "runtime/threads/thread_names.h"
#include "search/search.h"
#include "strategies/division_bytes.h"

namespace heddle {
namespace {

// In the arena.
struct Root {
  explicit Root(const RunOptions& options, CoverageLog* coverage)
      : search(make_search(options, coverage), limits_of(options)) {}
  SearchState search;
  ThreadNames names;
  PromotedMemory promoted;
  CheckpointChainState checkpoints;
};

NativeExecutor::Main g_main = nullptr;

ChannelHeader& header() {
  return *g_runtime.header;
}

// For CHECK: the schedule under which Heddle itself went wrong. The search ends there; if the
// process just died, it would look like the program's doing, or somebody's who killed it.
[[noreturn]] void end_by_own_bug() {
  if (header().arena_root != 0) {
    std::string text =
        "schedule: " +
        to_string(reinterpret_cast<Root*>(header().arena_root)->search.explorer.schedule()) + "\n";
    raw::call(SYS_write, static_cast<uint64_t>(saved_error_output()), raw::bits(text.data()),
              text.size());
  }
  cannot_run("internal error: Heddle has come upon a bug of its own, told above");
}

// Null: states are not counted.
CoverageLog* coverage_log() {
  if (!header().options.coverage) return nullptr;
  return reinterpret_cast<CoverageLog*>(raw::bits(g_runtime.header) + kCoverageOffset);
}

// Where they are found after the death of the process, too.
const ScriptText* in_arena(const ChannelScript& script) {
  if (script.present == 0) return nullptr;
  return new ScriptText{{script.name, script.name_bytes}, {script.text, script.text_bytes}};
}

void take_scripts() {
  const auto& scripts =
      *reinterpret_cast<const ChannelScripts*>(raw::bits(g_runtime.header) + kScriptsOffset);
  header().options.strategy_script = in_arena(scripts.strategy);
  header().options.filter_script = in_arena(scripts.filter);
}

Root* open_root() {
  if (header().arena_root == 0) take_scripts();
  if (header().arena_root == 0)
    header().arena_root = raw::bits(new Root(header().options, coverage_log()));
  return reinterpret_cast<Root*>(header().arena_root);
}

// Shared libraries that came with the program, for the command line to look at.
int note_library(dl_phdr_info* info, size_t, void*) {
  ChannelLibraries& libraries = header().libraries;
  const std::string_view path = info->dlpi_name;
  for (std::string_view system : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
    if (path.starts_with(system)) return 0;
  const bool own = in_own_image(info->dlpi_addr + info->dlpi_phdr[0].p_vaddr);
  if (path.empty() || path[0] != '/' || own || path.size() >= sizeof libraries.path[0] ||
      libraries.count == ChannelLibraries::kMost)
    return 0;
  snprintf(libraries.path[libraries.count++], sizeof libraries.path[0], "%s", info->dlpi_name);
  return 0;
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
  prepare_own_process();
  bool forked = options.isolation == Isolation::Fork && options.mode == Mode::Explore;
  g_runtime.rewinds_in_place = !forked && !options.stop_in_debugger;
  start_race_detection();
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
  quick_exit_handlers().take_baseline();
  thread_exit_handlers().take_baseline();
  // One real thread before the snapshot: libraries must see a process with several threads, or
  // they leave out their own synchronisation (__libc_single_threaded).
  PageTracker* pages = g_runtime.rewinds_in_place ? &g_runtime.pages : nullptr;
  g_runtime.thread_pointers.pointer_of(ThreadId{1}, pages);
  g_runtime.heap.round_up_baseline();  // so that both isolations see the same addresses
  if (g_runtime.rewinds_in_place) {
    kernel_state().take_baseline();
    take_snapshot(g_runtime.heap, g_runtime.pages,
                  g_runtime.thread_pointers.pointer_of(kMainThread, nullptr));
  } else {
    kernel_state().take_shared_baseline();
    g_runtime.heap.take_baseline(nullptr);
  }
  header().libraries.count = 0;
  dl_iterate_phdr(note_library, nullptr);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (header().first_execution_ns == 0)
    header().first_execution_ns =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  header().worker.store(static_cast<int32_t>(raw::call(SYS_getpid)));
  header().state.store(RunState::Running);
}

// The process died under an execution. It was the program's doing if it does it again.
void take_death(SearchState& state, Search& search) {
  if (header().report_only.load() != 0 || state.phase != SearchPhase::Exploring) return;
  const int status = header().death_status.load();
  const bool in_program = header().died_in_program.load() != 0;
  if (in_program ? dies_again(state.explorer, status) : !WIFSIGNALED(status))
    return search.resume_after_death(death_of(status));
  header().stop.store(StopReason::KilledFromOutside);
  header().report_only.store(1);
}

// The share of a search on several cores that the command line has put into the mailbox.
void take_share(Root& root) {
  DivisionMessage share;
  Divisible* divisible = root.search.explorer.strategy().divisible();
  const std::string_view text(g_runtime.mailbox, header().replay_bytes);
  HEDDLE_CHECK(from_bytes(text, share) && divisible != nullptr);
  for (const ThreadName& name : share.names) root.names.preset(name.id, name.parent, name.birth);
  HEDDLE_CHECK(divisible->take_up(share.division.items));
  header().mailbox_used = header().replay_bytes;
}

// What is left, for others.
void hand_over(Root& root) {
  Explorer& explorer = root.search.explorer;
  Divisible* divisible = explorer.strategy().divisible();
  if (header().indivisible.load() != 0 || !explorer.findings().empty() ||
      !divisible->may_divide()) {
    header().indivisible.store(1);
    return;
  }
  DivisionMessage message;
  constexpr uint32_t kPieces = 8;
  message.division = divisible->divide(std::max(kPieces, header().pieces_wanted.load()));
  root.names.for_each([&](ThreadId id, ThreadId parent, uint32_t birth) {
    message.names.push_back({id, parent, birth});
  });
  const std::string text = to_bytes(message);
  const uint64_t at = header().mailbox_used;
  if (text.size() > kMailboxBytes - at) {
    header().indivisible.store(1);
    return;
  }
  memcpy(g_runtime.mailbox + at, text.data(), text.size());
  header().division_at = at;
  header().division_bytes = text.size();
  header().kept = explorer.kept();
  header().divided.store(1);
}

void explore_and_report() {
  const bool restarted = header().arena_root != 0;
  Root& root = *open_root();
  set_check_excuse(refuse_foreign_threads);
  g_runtime.executor.set_names(&root.names);
  use_promoted(&root.promoted);
  g_runtime.executor.use_loop_places(&root.search.loops);
  ChannelHost host;
  CheckpointRunner runner(root.checkpoints);
  // A program that has taken the process with it may do so in any execution that is run again.
  NativeRunner rerunner(restarted || header().options.isolation == Isolation::Fork);
  NativeRecorder recorder(g_runtime.executor);
  Search search(root.search, {header().options, coverage_log(), runner, rerunner, recorder, host});
  if (restarted) take_death(root.search, search);
  if (!restarted && header().has_share != 0) take_share(root);
  const bool searches = header().report_only.load() == 0;
  if (!searches) root.search.phase = SearchPhase::Reporting;
  search.run();
  const Explorer& explorer = root.search.explorer;
  if (host.is_divided(explorer)) return hand_over(root);
  header().complete = searches && explorer.complete() ? 1 : 0;
  header().vacuous = explorer.complete() && explorer.vacuous() ? 1 : 0;
  header().steps_left_out = search.left_out_steps() ? 1 : 0;
  header().cut_off_pc = value(explorer.cut_off_at());
  header().loops_assumed = root.search.loops.assumes() ? 1 : 0;
  header().loops_abbreviated = root.search.loops.abbreviates() ? 1 : 0;
  snprintf(header().guarantee, sizeof header().guarantee, "%s",
           explorer.strategy().guarantee().c_str());
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
  NativeRecorder recorder(g_runtime.executor);
  ChannelHost host;
  if (recorded->failure.kind == FindingKind::Death) {  // speak while there is time
    Trace foretold = recorder.record(recorded->schedule, &*recorded, LastStep::ShowOnly);
    if (foretold.steps.size() == recorded->schedule.size()) foretold.failure = recorded->failure;
    place_at_last_step(foretold);
    host.take_sketch(1, foretold);
  }
  Trace trace = recorder.record(recorded->schedule, &*recorded, LastStep::Take);
  if (trace.failure.kind == recorded->failure.kind && trace.schedule == recorded->schedule)
    trace.critical = recorded->critical;
  host.take_trace(1, trace);
  header().progress.executions.store(1);
  header().progress.events.store(trace.steps.size());
}

}  // namespace

namespace {

// Processes that the program has forked past us may not have come to us yet; they say so when they
// do (own_process.h).
void wait_for_stray_processes() {
  constexpr int kMilliseconds = 300;
  constexpr timespec kNap{0, 1'000'000};
  for (int left = kMilliseconds; left > 0; --left) {
    siginfo_t info{};
    const long result = raw::call(SYS_waitid, P_ALL, 0, raw::bits(&info), WEXITED | WNOHANG, 0);
    if (result < 0) return;
    if (info.si_pid == 0) raw::call(SYS_nanosleep, raw::bits(&kNap), 0);
  }
}

// Unless one of those processes has ended it for another reason.
void search_is_done() {
  wait_for_stray_processes();
  RunState now = RunState::Running;
  header().state.compare_exchange_strong(now, RunState::Done);
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
  set_check_dumper(end_by_own_bug);
  prepare(argc, argv, envp);
  if (header().options.mode == Mode::Replay)
    replay();
  else
    explore_and_report();
  search_is_done();
  raw::exit_group(0);
}

}  // namespace heddle
