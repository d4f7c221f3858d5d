#include "runtime/executor/blocking.h"

#include "model/waiting.h"

namespace heddle {

void wait_for(const Action& action) {
  // Alone, so nobody is left to make it available: wait for the verdict.
  if (!by_attempts() || awaits_state(action.op)) {
    g_runtime.executor.reach(action);
    if (bytes_of_object(action.op) != 0) use_object(action);
    return;
  }
  Action blocked = action;
  blocked.op = Op::Blocked;
  blocked.size = static_cast<uint32_t>(action.op);
  g_runtime.executor.reach(blocked);
  if (bytes_of_object(action.op) != 0) use_object(action);
}

void wake_blocked(Address object) {
  if (!by_attempts()) return;
  NativeExecutor& executor = g_runtime.executor;
  for (uint32_t id : executor.live_threads()) {
    ProgramThread& thread = executor.thread(ThreadId{id});
    if (thread.pending.op != Op::Blocked || thread.pending.object != object) continue;
    thread.pending.op = Op::Retry;
    executor.look_again_at(thread);
  }
}

ThreadId thread_waiting_for(Address object) {
  NativeExecutor& executor = g_runtime.executor;
  if (!g_switches.on_fiber) return kNoThread;
  for (uint32_t id : executor.live_threads()) {
    const ProgramThread& thread = executor.thread(ThreadId{id});
    if (&thread != &current_thread() && thread.pending.object == object &&
        executor.is_blocked(thread))
      return thread.id;
  }
  return kNoThread;
}

std::string thread_label(ThreadId thread) {
  return "thread " + std::to_string(index(thread));
}

void misuse(FindingKind kind, const char* does, const std::string& what, Address pc) {
  RuntimeScope scope;
  fail(kind, thread_label(running_thread()) + " " + does + " " + what, pc);
}

}  // namespace heddle
