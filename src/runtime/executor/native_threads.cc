// Threads of the program: where they begin and where they end.
#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "runtime/checkers/races.h"
#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/deferred_constructors.h"
#include "runtime/executor/robust.h"
#include "runtime/rewind/signal_masks.h"
#include "runtime/rewind/thread_exit.h"
#include "runtime/threads/thread_names.h"

namespace heddle {
namespace {

// Stacks of several threads that begin at the same offset in a page compete for the same few lines
// of the cache and entries of the TLB.
constexpr uint64_t colour_of(ThreadId thread) {
  return index(thread) % 16 * (kPageBytes + 256);
}

// That an execution may start, besides the first.
uint32_t most_threads(const RunOptions& options) {
  return options.max_threads != 0 ? options.max_threads : kMaxThreads - 1;
}

constexpr uint64_t kCleanedBytes = 64 << 10;  // of a stack: as deep as most threads go

}  // namespace

ProgramThread& NativeExecutor::start_thread(ThreadId id, ThreadId parent, uint32_t birth,
                                            uint64_t stack_bytes) {
  ProgramThread& thread = threads_[index(id)];
  StackRange stack = stack_of(id, stack_bytes);
  stack.end -= colour_of(id);
  auto* top = reinterpret_cast<void*>(stack.end);
  if (asks_local_states_)  // what earlier executions left there must not make a difference
    memset(reinterpret_cast<void*>(stack.end - kCleanedBytes), 0, kCleanedBytes);
  thread.flow.at = context::make_fcontext(top, stack.end - stack.begin, fiber_main);
  thread.stack_end = stack.end;
  thread.id = id;
  thread.parent = parent;
  thread.birth = birth;
  thread.children = 0;
  thread.cleanup = nullptr;
  thread.cancel_requested = thread.cancel_disabled = thread.cancelled = false;
  thread.name[0] = '\0';
  thread.time = 0;
  thread.deadline = kNever;
  thread.clock_reads = thread.early_timeouts = 0;
  thread.steps_in_section = 0;
  thread.sections = thread.spurious = thread.robust_held = 0;
  thread.recent.clear();
  thread.woken = 0;
  const uint64_t seed = parent == kNoThread ? 1 : threads_[index(parent)].random;
  thread.random = Random(seed ^ uint64_t{birth} << 32).next();
  signal_masks().thread_begins(id);
  thread.life = Life::Live;
  thread.joined = thread.detached = thread.being_joined = false;
  thread.pending = {.op = Op::ThreadStart, .thread = id};
  thread.stack_depth = 0;
  thread.writes.clear();
  thread.local_state = 0;
  PageTracker* pages = g_runtime.rewinds_in_place ? &g_runtime.pages : nullptr;
  thread.thread_pointer = g_runtime.thread_pointers.pointer_of(id, pages);
  started_.push_back(index(id));
  insert_live(id);
  update_switches();
  return thread;
}

void NativeExecutor::fiber_main(context::transfer_t transfer) {
  asm volatile(".cfi_undefined rip");  // unwinders and debuggers: the stack ends here
  entered_from(transfer);
  NativeExecutor& self = g_runtime.executor;
  ProgramThread& thread = self.current();
  if (thread.id == kMainThread) {
    run_deferred_constructors(self.argc_, self.argv_, self.envp_);
    const int status = self.main_(self.argc_, self.argv_, self.envp_);
    self.exit_process(g_runtime.header->options.void_main ? 0 : status, kNoAddress);
  }
  void* result = thread.entry(thread.argument);
  if (thread.returns_int)  // the rest of the register says nothing
    result = reinterpret_cast<void*>(
        static_cast<intptr_t>(reinterpret_cast<intptr_t>(result) << 32 >> 32));
  self.end_thread(result);
}

ThreadId NativeExecutor::next_child() {
  return names_->child(current_->id, current_->children + 1);
}

ThreadId NativeExecutor::create_thread(void* (*entry)(void*), void* argument, bool detached,
                                       uint64_t stack_bytes) {
  ProgramThread& parent = *current_;
  ThreadId id = next_child();
  uint32_t birth = ++parent.children;
  ChannelHeader& header = *g_runtime.header;
  if (index(id) >= kMaxThreads || started_.size() > most_threads(header.options)) {
    header.threads_left_out = 1;
    dismiss();
  }
  header.most_threads = std::max(header.most_threads, static_cast<uint32_t>(started_.size()) + 1);
  ++unjoined_;
  ProgramThread& thread = start_thread(id, parent.id, birth, stack_bytes);
  thread.entry = entry;
  thread.argument = argument;
  thread.detached = detached;
  thread.pending.pc = address_of(reinterpret_cast<void*>(entry));
  created_ = id;
  if (g_switches.detects_races) g_races.thread_created(id);
  return id;
}

void NativeExecutor::thread_joined(ProgramThread& thread) {
  thread.joined = true;
  --unjoined_;
  if (g_switches.detects_races) g_races.thread_joined(thread.id);
  update_switches();
}

void NativeExecutor::end_thread(void* result) {
  ProgramThread& self = *current_;
  self.result = result;
  run_thread_exit_handlers(self.id);
  leave_robust_mutexes();
  if (g_switches.concurrent)
    reach({.op = Op::ThreadExit,
           .object = Address{index(self.id)},
           .second = order_of_ends(self, Op::ThreadExit)});
  if (live_.size() == 1 && !thread_stopped_) {  // the last thread takes the process with it
    if (exit_runs_something()) exit_process(0, kNoAddress);
    leave_process(0);
  }
  self.life = Life::Ended;
  remove_live(self.id);
  if (self.id == kMainThread) {
    main_left_ = true;
    update_pending_ends();
  }
  leave_fiber();
}

}  // namespace heddle
