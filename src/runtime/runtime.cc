#include "runtime/runtime.h"

#include <cstdio>

#include "base/check.h"
#include "runtime/debugger.h"
#include "runtime/output.h"
#include "runtime/raw.h"

namespace heddle {

Runtime g_runtime;
constinit Switches g_switches;

namespace {

[[noreturn]] void end_search(RunState state, const char* message, Address pc) {
  RuntimeScope scope;
  ChannelHeader& header = *g_runtime.header;
  snprintf(header.message, sizeof header.message, "%s", message);
  header.message_pc = value(pc);
  header.state.store(state);
  raw::exit_group(0);
}

}  // namespace

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

void unsupported(const char* function, Address pc) {
  end_search(RunState::Unsupported, function, pc);
}

void cannot_run(const char* sentence) {
  end_search(RunState::Error, sentence, kNoAddress);
}

}  // namespace heddle
