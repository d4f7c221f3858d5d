#include "runtime/executor/debugger.h"

#include <cstdio>

#include "runtime/core/runtime.h"

// Breakpoints. They must stay real functions with frames.
HEDDLE_EXPORT void heddle_debug_stop();
HEDDLE_EXPORT void heddle_debug_begin();
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debug_stop() {
  asm volatile("" ::: "memory");
}
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debug_begin() {
  asm volatile("nop" ::: "memory");
}

extern "C" {
extern __attribute__((visibility("default"))) heddle::DebugTable heddle_debug_table;
heddle::DebugTable heddle_debug_table = {1, 0, 0, 0, 0, 0, {}};
}

namespace heddle {
namespace {

void describe(const ThreadView& view, bool running, DebugThread& into) {
  const ProgramThread& thread = g_runtime.executor.thread(view.id);
  into.id = index(view.id);
  into.state = DebugThreadState::Suspended;
  if (!view.enabled()) into.state = DebugThreadState::Blocked;
  if (thread.pending.op == Op::ThreadStart) into.state = DebugThreadState::NotStarted;
  if (running) into.state = DebugThreadState::Running;
  into.context = running ? 0 : reinterpret_cast<uint64_t>(thread.flow.at);
  into.thread_pointer = thread.thread_pointer;
  into.entry = reinterpret_cast<uint64_t>(thread.entry);
  into.object = value(view.next.object);
  std::string_view verb_phrase = verb(view.next.op);
  snprintf(into.next, sizeof into.next, "%.*s", static_cast<int>(verb_phrase.size()),
           verb_phrase.data());
}

// `on_its_stack`: the thread's own registers are the processor's.
void fill_table(ThreadId current, bool on_its_stack) {
  RuntimeScope scope;
  DebugTable& table = heddle_debug_table;
  table.current = index(current);
  table.count = 0;
  for (const ThreadView& view : g_runtime.executor.configuration().live) {
    if (table.count == kMostDebugThreads) break;
    describe(view, on_its_stack && view.id == current, table.threads[table.count++]);
  }
}

}  // namespace

void debug_begin(uint64_t steps) {
  heddle_debug_table.steps = steps;
  heddle_debug_begin();
}

void debug_before_step(uint64_t step, ThreadId thread) {
  DebugTable& table = heddle_debug_table;
  table.step = step;
  fill_table(thread, true);  // breakpoints of the user's stop in the middle of it
  if (table.stop_at == step) {
    NativeExecutor& executor = g_runtime.executor;
    if (executor.thread(thread).pending.op == Op::ThreadStart) {
      fill_table(thread, false);
      heddle_debug_stop();
    } else {
      executor.visit(thread);
    }
  }
  table.step = step + 1;
}

void debug_stop(ThreadId thread) {
  fill_table(thread, true);
  heddle_debug_stop();
}

}  // namespace heddle
