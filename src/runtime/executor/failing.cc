// How an execution ends before its time (runtime.h).
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/debugger.h"
#include "runtime/guest/own_process.h"
#include "runtime/rewind/output.h"
#include "runtime/threads/stack_trace.h"

namespace heddle {

void fail(FindingKind kind, std::string message, Address pc) {
  RuntimeScope scope;
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.thread = current_thread().id;
  failure.pc = pc;
  fail(std::move(failure));
}

void fail(Failure failure) {
  RuntimeScope scope;
  NativeExecutor& executor = g_runtime.executor;
  HEDDLE_CHECK(g_switches.on_fiber);
  if (executor.begin_failure(std::move(failure))) {
    if (g_runtime.header->options.stop_in_debugger) debug_stop(executor.current().id);
    if (executor.recording()) flush_program_output();
  }
  executor.end_execution(Status::Failed);
}

void dismiss() {
  HEDDLE_CHECK(g_switches.on_fiber);
  g_runtime.executor.end_execution(Status::Dismissed);
}

// In the child of a fork that nobody told us of.
void NativeExecutor::refuse_fork() const {
  unsupported("fork without the C library", last_pc_);
}

void NativeExecutor::end_execution(Status status) {
  if (!is_own_process()) refuse_fork();
  status_ = status;
  Flow nowhere;
  switch_to(nowhere, explorer_);
  __builtin_unreachable();
}

// After an exit there is nobody to go on; where a thread ran for ever, every execution in which it
// does so again would cost the patience of the watchdog.
bool NativeExecutor::continue_without_failed_thread() {
  if (last_op_ == Op::ProcessExit) return false;
  if (status_ == Status::Failed &&
      (failure_->kind == FindingKind::ExitStatus || failure_->kind == FindingKind::Livelock ||
       failure_->kind == FindingKind::LostWakeup))
    return false;
  if (status_ != Status::Failed && status_ != Status::Dismissed) return false;
  ProgramThread& failed =
      status_ == Status::Dismissed ? *current_ : threads_[index(failure_->thread)];
  failed.life = Life::Failed;
  remove_live(failed.id);
  thread_stopped_ = true;
  failing_ = false;
  race_log().close();
  status_ = Status::Running;
  refresh_configuration();
  return true;
}

bool NativeExecutor::begin_failure(Failure failure) {
  if (failing_) return false;
  failing_ = true;
  *failure_ = std::move(failure);
  failure_depth_ = 0;
  if (!recording_) return true;
  const ProgramThread& failed = threads_[index(failure_->thread)];
  if (&failed == current_) {
    failure_depth_ = static_cast<size_t>(capture_call_stack(failure_stack_, kMaxStackDepth));
  } else {  // it is suspended, and its stack was noted then
    failure_depth_ = static_cast<size_t>(failed.stack_depth);
    std::copy_n(failed.stack, failure_depth_, failure_stack_);
  }
  return true;
}

}  // namespace heddle
