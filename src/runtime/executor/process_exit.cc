// How the process ends when the program wants it to: exit, quick_exit, the return from main or the
// end of the last thread.
#include "model/process_end.h"
#include "runtime/checkers/blocked_threads.h"
#include "runtime/checkers/leaks.h"
#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "runtime/rewind/exit_handlers.h"
#include "runtime/rewind/output.h"
#include "runtime/rewind/thread_exit.h"

namespace heddle {

bool NativeExecutor::exit_runs_something() const {
  return exit_handlers().any() || has_destructors();
}

// See model/process_end.h.
Address NativeExecutor::order_of_ends(const ProgramThread& thread, Op op) const {
  const bool left = main_left_ || (op == Op::ThreadExit && thread.id == kMainThread);
  const bool counts = left && (op == Op::ExitRegister || exit_runs_something());
  return counts ? kOrderCounts : kNoAddress;
}

// Threads that stand before their end: whether its order counts may have changed.
void NativeExecutor::update_pending_ends() {
  for (uint32_t id : live_) {
    ProgramThread& thread = threads_[id];
    const Op op = thread.pending.op;
    const bool registers = op == Op::ExitRegister && thread.pending.object == kExitHandlers;
    if (&thread != current_ && (op == Op::ThreadExit || registers))
      thread.pending.second = order_of_ends(thread, op);
  }
}

void NativeExecutor::register_exit_handler(Address list, Address pc) {
  const Address order =
      list == kExitHandlers ? order_of_ends(*current_, Op::ExitRegister) : kNoAddress;
  visible({.op = Op::ExitRegister, .object = list, .second = order, .pc = pc});
}

// What runs at exit takes steps while other threads may take theirs. The end comes after it, and
// takes away what they would have done.
void NativeExecutor::exit_process(int status, Address pc) {
  thread_exit_handlers().run_objects(current_->id);
  exit_handlers().run(status, ExitHandlers::Destructors::OfExecutable,
                      [] { visible({.op = Op::ExitHandler, .object = kExitHandlers}); });
  visible({.op = Op::ProcessExit, .pc = pc});
  leave_process(status);
}

void NativeExecutor::quick_exit_process(int status, Address pc) {
  quick_exit_handlers().run(status, ExitHandlers::Destructors::None,
                            [] { visible({.op = Op::ExitHandler, .object = kQuickExitHandlers}); });
  visible({.op = Op::ProcessExit, .pc = pc});
  finish_process(status);
}

void NativeExecutor::leave_process(int status) {
  if (g_switches.invariants) look_at_invariants();
  if ((status & 0xff) == 0) {
    look_for_blocked_threads();
    look_for_leaks();
  }
  if (recording_) flush_program_output();
  finish_process(status);
}

void NativeExecutor::finish_process(int status) {
  status &= 0xff;
  if (status == 0) end_execution(Status::Finished);
  fail(FindingKind::ExitStatus, "the program exits with status " + std::to_string(status),
       kNoAddress);
}

}  // namespace heddle
