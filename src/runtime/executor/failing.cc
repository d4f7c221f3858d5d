// How an execution ends before its time (runtime.h).
#include <utility>

#include "base/check.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/debugger.h"
#include "runtime/rewind/output.h"

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

}  // namespace heddle
