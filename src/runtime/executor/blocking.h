// Waiting for something that is not available, for intercepts whose object can be awaited.
//
// Either the action is not enabled until the object is available (choices_of in
// native_configuration.cc), or, for descriptors with Blocking::Attempt, the thread tries, fails and
// blocks; whoever may have made the object available wakes it, and it tries again. See
// model/run_options.h.
#pragma once

#include <string>
#include <utility>

#include "runtime/core/runtime.h"

namespace heddle {

inline bool by_attempts() {
  return g_runtime.header->options.blocking == Blocking::Attempt;
}

// One more wait for what `action` needs; returns when it is worth looking again.
void wait_for(const Action& action);

// Announces `action` and returns when `available` holds; false if the wait timed out (timed.h).
template <typename Available>
bool acquire(const Action& action, Available available) {
  visible(action);
  while (!available()) {
    if (g_switches.on_fiber && current_thread().pending.op == Op::TimeOut) return false;
    wait_for(action);
  }
  return true;
}

// The threads that wait for the object may try again.
void wake_blocked(Address object);

// The thread waits for its condition no more, but for the mutex.
inline void stop_waiting_on_condition(ProgramThread& thread) {
  thread.pending.op = Op::CondRelock;
  std::swap(thread.pending.object, thread.pending.second);
  g_runtime.executor.look_again_at(thread);
}

// A thread that waits for the object right now; kNoThread if there is none.
ThreadId thread_waiting_for(Address object);

inline ThreadId running_thread() {
  return g_switches.on_fiber ? current_thread().id : kMainThread;
}

std::string thread_label(ThreadId thread);  // "thread 1"

// "thread 1 destroys a barrier at which thread 2 waits"
[[noreturn]] void misuse(FindingKind kind, const char* does, const std::string& what, Address pc);

}  // namespace heddle
