// How a step works. A thread that reaches a visible action calls reach(): it leaves the action in
// `pending` and hands control to the explorer. When the explorer picks the thread, reach() returns
// and the intercept carries the action out, in the thread, followed by the program's own code up
// to the next visible action. While a known prefix is repeated, the threads hand control to each
// other directly, without a detour through the explorer; later they do the same, but ask it first,
// by a call that is made on its stack.
#include <sys/resource.h>

#include <algorithm>

#include "base/check.h"
#include "runtime/checkers/atomic_places.h"
#include "runtime/checkers/descriptor_uses.h"
#include "runtime/checkers/invariants.h"
#include "runtime/checkers/races.h"
#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/debugger.h"
#include "runtime/executor/foreign_threads.h"
#include "runtime/guest/own_process.h"
#include "runtime/objects/descriptors.h"
#include "runtime/objects/labels.h"
#include "runtime/rewind/exit_handlers.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/scratch.h"
#include "runtime/rewind/signal_masks.h"
#include "runtime/rewind/thread_exit.h"
#include "runtime/threads/stack_trace.h"
#include "strategies/combinations.h"

namespace heddle {

void NativeExecutor::initialise(Main main, int argc, char** argv, char** envp) {
  main_ = main;
  argc_ = argc;
  argv_ = argv;
  envp_ = envp;
  reserve_threads(kMaxThreads);
  initialise_objects();
  // In a forked child nothing the parent still refers to may move: all that can grow is reserved.
  configuration_.live.reserve(kMaxThreads);
  failure_ = new Failure;
  section_ = new SectionLog;
  spins_.reserve(kMaxThreads);
  asks_local_states_ = compares_local_states(g_runtime.header->options);
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    main_stack_bytes_ = std::clamp<uint64_t>(limit.rlim_cur, kStackBytes, kLargestStack);
}

void NativeExecutor::stand(size_t steps) {
  stands_ = true;
  standing_after_ = steps;
  kept_spins_ = new SpinMonitor(spins_);  // one that was there before is the parent's
}

void NativeExecutor::stop_standing() {
  stands_ = false;
  delete kept_spins_;
  kept_spins_ = nullptr;
}

Status NativeExecutor::reset() {
  watched_.watch_from(0);  // children may have written to the configuration
  if (stands_) {
    spins_ = *kept_spins_;
    refresh_configuration();
    return status_;
  }
  const uint64_t began = approach_clock();
  if (!fresh_) rewind();
  if (!g_runtime.rewinds_in_place) kernel_state().restore_shared();
  renew_scratch(g_runtime.header->scratch);
  fresh_ = false;
  for (uint32_t id : started_) threads_[id].life = Life::None;
  started_.clear();
  live_.clear();
  reset_objects();
  reset_invariants();
  labels().reset();
  descriptors().reset();
  forget_descriptors();
  keeps_local_states_ = false;
  g_shared_places.begin_execution();
  g_atomic_places.begin_execution();
  if (tracks_spinning_) spins_.begin_execution(spinning_);
  unjoined_ = 0;
  ahead_ = {};
  ahead_taken_ = 0;
  main_left_ = thread_stopped_ = false;
  last_ = kMainThread;
  last_op_ = Op::ThreadStart;
  last_pc_ = kNoAddress;
  created_ = kNoThread;
  status_ = Status::Running;
  failing_ = false;
  failure_depth_ = 0;
  steps_ = 0;
  race_log().clear();
  if (g_switches.detects_races) g_races.begin_execution();
  ProgramThread& main = start_thread(kMainThread, kNoThread, 0, main_stack_bytes_);
  resume(main);
  if (status_ == Status::Running) refresh_configuration();
  approach_ = {approach_clock() - began, 0, 0};
  return status_;
}

// What code writes that was not compiled for us is not seen, so nobody can say that it spins.
void NativeExecutor::set_spinning(Spinning mode) {
  spinning_ = mode;
  tracks_spinning_ = mode != Spinning::Unroll && g_switches.instrumented;
  spins_.set_mode(mode);
  update_switches();
  if (status_ == Status::Running) refresh_configuration();
}

void NativeExecutor::rewind() {
  if (!g_runtime.rewinds_in_place) return;
  constexpr uint64_t kFirst = 4, kSeldom = 256;  // it takes a microsecond to look
  if (++rewinds_ <= kFirst || rewinds_ % kSeldom == 0) refuse_foreign_threads();
  kernel_state().restore();
  g_runtime.heap.reset();
  g_runtime.pages.restore();
  exit_handlers().reset();
  quick_exit_handlers().reset();
  thread_exit_handlers().reset();
}

void NativeExecutor::leave_explorer() {
  g_runtime.header->in_program.store(1, std::memory_order_relaxed);
  g_switches.in_runtime = false;
  g_switches.on_fiber = true;
}

void NativeExecutor::enter_explorer() {
  g_switches.on_fiber = false;
  g_switches.in_runtime = true;
  g_runtime.header->in_program.store(0, std::memory_order_relaxed);
}

void NativeExecutor::resume(ProgramThread& thread) {
  current_ = &thread;
  g_switches.own_stack = kStackBase + index(thread.id) * kStackSlotBytes;
  g_switches.own_writes = &thread.writes;
  if (g_switches.detects_races) g_races.switch_to(thread.id);
  g_runtime.thread_pointers.install(thread.thread_pointer);
  signal_masks().switch_to(thread.id);
  leave_explorer();
  switch_to(explorer_, thread.flow);
  enter_explorer();
  g_switches.set_in_section(false);
}

// What it has written becomes visible to others, if that is all it does (threads/plain_writes.h).
static bool gives_back_lock(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& row) {
    return row.lock == LockEffect::Release || row.lock == LockEffect::ReleaseRw;
  });
  return kSuch.contains(op);
}

// Tells `thread` which alternative to take, and keeps what the next configuration says of it.
void NativeExecutor::command(ProgramThread& thread, uint32_t choice) {
  thread.choice = choice;
  last_ = thread.id;
  last_op_ = thread.pending.op;
  last_pc_ = thread.pending.pc;
  created_ = kNoThread;
  ++steps_;
  if (tracks_spinning_) {
    spins_.goes_on(thread.id, thread.pending.op);
    if (gives_back_lock(thread.pending.op) && thread.writes.publish()) spins_.changed();
  }
  clock_.pass(thread);
  thread.recent.note(thread.pending, steps_);
}

Status NativeExecutor::step(Transition transition) {
  ProgramThread& thread = threads_[index(transition.thread)];
  HEDDLE_CHECK(status_ == Status::Running && thread.life == Life::Live);
  command(thread, transition.choice);
  resume(thread);
  if (status_ == Status::Running) refresh_configuration();
  return status_;
}

// The thread that the known prefix runs next, told so; null at its end or where it cannot go on.
ProgramThread* NativeExecutor::take_ahead() {
  if (ahead_taken_ >= ahead_.size()) return nullptr;
  Transition transition = ahead_[ahead_taken_];
  if (index(transition.thread) >= kMaxThreads) return nullptr;
  ProgramThread& thread = threads_[index(transition.thread)];
  if (thread.life != Life::Live) return nullptr;
  uint32_t choices = choices_of(thread);
  if (choices == 0 && offer_timeout()) choices = choices_of(thread);
  if (transition.choice >= choices) return nullptr;
  ++ahead_taken_;
  command(thread, transition.choice);
  return &thread;
}

ProgramThread* NativeExecutor::ask_guide() {
  const Transition transition = guide_->next(configuration_);
  if (transition == kNoTransition) return nullptr;
  ProgramThread& thread = threads_[index(transition.thread)];
  HEDDLE_CHECK(thread.life == Life::Live);
  command(thread, transition.choice);
  return &thread;
}

void NativeExecutor::follow(Guide& guide) {
  if (status_ != Status::Running) return;
  guide_ = &guide;
  if (ProgramThread* first = ask_guide()) resume(*first);
  guide_ = nullptr;
}

// On a fiber: who goes on, as the explorer says.
ProgramThread* NativeExecutor::consult() {
  ProgramThread* next = nullptr;
  enter_explorer();
  call_on(
      explorer_,
      [](void* answer) {
        NativeExecutor& self = g_runtime.executor;
        self.refresh_configuration();
        *static_cast<ProgramThread**>(answer) = self.ask_guide();
      },
      &next);
  leave_explorer();
  return next;
}

size_t NativeExecutor::run(std::span<const Transition> prefix) {
  const size_t done = stands_ ? standing_after_ : 0;
  stands_ = false;
  if (status_ != Status::Running) return done;
  const uint64_t began = approach_clock();
  ahead_ = prefix.subspan(done);
  ahead_taken_ = 0;
  if (ProgramThread* first = take_ahead()) resume(*first);
  size_t taken = ahead_taken_;
  ahead_ = {};
  ahead_taken_ = 0;
  if (status_ == Status::Running) refresh_configuration();
  approach_.steps += taken;
  approach_.cycles += approach_clock() - began;
  return done + taken;
}

uint32_t NativeExecutor::arrive() {
  ProgramThread& self = *current_;
  if (!is_own_process()) refuse_fork();
  if (__builtin_expect(self.sections > 0, 0)) {
    if (stays_in_section(self)) return 0;
    g_switches.set_in_section(false);
  }
  if (recording_) capture_stack(self);
  if (g_switches.invariants) look_at_invariants();
  if (tracks_spinning_) note_arrival(self);
  ProgramThread* next = take_ahead();
  if (next == nullptr) {
    if (keeps_local_states_) note_local_state(self);
    if (guide_ != nullptr) next = consult();
  }
  if (next != &self) {
    hand_over(self.flow, next);
    while (visiting_) {  // only looked at, by a debugger
      visiting_ = false;
      debug_stop(self.id);
      switch_to(self.flow, explorer_);
    }
  }
  if (__builtin_expect(self.sections > 0, 0)) begin_section_step(self.pending);
  return self.choice;
}

void NativeExecutor::look_at_invariants() {
  if (evaluating_invariant())
    cannot_run(
        "an invariant may only read memory, but one locks, waits, chooses or starts a thread");
  check_invariants(last_pc_);
}

void NativeExecutor::hand_over(Flow& from, ProgramThread* next) {
  if (next == nullptr) return switch_to(from, explorer_);
  current_ = next;
  g_switches.own_stack = kStackBase + index(next->id) * kStackSlotBytes;
  g_switches.own_writes = &next->writes;
  if (g_switches.detects_races) g_races.switch_to(next->id);
  g_runtime.thread_pointers.install(next->thread_pointer);
  signal_masks().switch_to(next->id);
  switch_to(from, next->flow);
}

void NativeExecutor::leave_fiber() {
  Flow nowhere;
  ProgramThread* next = take_ahead();
  if (next == nullptr && guide_ != nullptr) next = consult();
  hand_over(nowhere, next);
  __builtin_unreachable();
}

// Where only what is looked at tells executions apart, it counts what main looks at in the end.
void NativeExecutor::update_switches() {
  const bool by_looks = g_runtime.header->options.equivalence == Equivalence::ReadsFrom;
  g_switches.concurrent = unjoined_ > 0;
  g_switches.looks_last = by_looks && started_.size() > 1;
  g_switches.every_access = (g_switches.concurrent || g_switches.looks_last) &&
                            g_runtime.header->options.visible == Visible::All;
  g_switches.sees_atomics = by_looks && g_runtime.header->options.visible == Visible::Sync;
  g_switches.races = g_switches.concurrent && g_switches.detects_races;
  g_switches.spinning = tracks_spinning_;
  g_switches.update_accesses();
}

size_t NativeExecutor::noted_count() const {
  return race_log().size();
}

Executor::Noted NativeExecutor::noted(size_t position) const {
  return race_log().at(position);
}

// What the thread alone can see. Its stack may hold values from before in places that are not in
// use; that makes equal states look different, and costs steps, not soundness.
void NativeExecutor::note_local_state(ProgramThread& thread) {
  RuntimeScope scope;
  thread.local_state = hash_program_frames(thread.stack_end);
}

// Who has looked at the clock may see another time when it looks again; who has drawn a number
// draws another.
void NativeExecutor::note_arrival(ProgramThread& thread) {
  if (thread.writes.take_shared_change()) spins_.changed();
  if (spins_.has_changed(thread.id)) thread.writes.begin_anew();
  spins_.arrives(thread.id, thread.pending, [&]() -> uint64_t {
    RuntimeScope scope;
    const uint64_t frames = hash_program_frames(thread.stack_end);
    const uint64_t memory = thread.writes.hash(g_switches.own_stack);
    if (frames == 0 || memory == 0) return 0;
    const uint64_t past = thread.clock_reads ^ thread.random;
    return (frames ^ memory ^ past * 0x9e3779b97f4a7c15) | 1;
  });
}

bool NativeExecutor::can_rewind() const {
  return g_runtime.rewinds_in_place;
}

void NativeExecutor::capture_stack(ProgramThread& thread) {
  RuntimeScope scope;
  thread.stack_depth = capture_call_stack(thread.stack, kMaxStackDepth, thread.frames);
}

void NativeExecutor::visit(ThreadId thread) {
  visiting_ = true;
  resume(threads_[index(thread)]);
}

}  // namespace heddle
