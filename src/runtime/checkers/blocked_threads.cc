// A wake-up that was lost leaves a thread blocked for ever. While some thread waits for it, that is
// a deadlock; if the program ends all the same, nobody would notice.
//
// Which threads may be blocked when a program ends? A detached one has been declared to be nobody's
// concern: workers that wait for the next job are written so. Nobody joins the first thread: it
// often waits while another one does the work and calls exit. A thread that another one may still
// wake, because somebody else can go on or waits for a time only, would perhaps not be blocked for
// long. One that waits for a condition of which it has missed no signal (lonely_signals.h) has
// nothing to do, and so has one that joins it. So has one that waits for something to read: what is
// written to a descriptor stays there, no wake-up can be lost. What remains is a thread that
// somebody meant to join, in a wait that nothing can end.
#include "runtime/checkers/blocked_threads.h"

#include "runtime/core/runtime.h"

namespace heddle {
namespace {

bool can_go_on(const NativeExecutor& executor, const ProgramThread& thread) {
  return !executor.is_blocked(thread) || thread.deadline != kNever || thread.cancel_requested;
}

bool waits_for_input(const Action& pending) {
  const Op op = pending.op == Op::Blocked ? static_cast<Op>(pending.size) : pending.op;
  return op == Op::FdRead || op == Op::FdWait;
}

bool may_be_blocked(NativeExecutor& executor, const ProgramThread& thread) {
  if (thread.detached || thread.id == kMainThread) return true;
  if (waits_for_input(thread.pending)) return true;
  if (thread.pending.op == Op::CondBlocked) return !executor.missed_signal(thread);
  if (thread.pending.op != Op::ThreadJoin) return false;
  // Threads that join each other in a circle end at a length that no chain has.
  const ProgramThread* last = &thread;
  for (size_t left = executor.live_threads().size(); left > 0; --left) {
    const ThreadId joined{static_cast<uint32_t>(value(last->pending.object))};
    if (joined == executor.current().id) return true;
    last = &executor.thread(joined);
    if (last->pending.op != Op::ThreadJoin) return may_be_blocked(executor, *last);
  }
  return false;
}

// Prefer one that does not merely wait for another to end.
bool says_more(const ProgramThread& a, const ProgramThread& b) {
  return a.pending.op != Op::ThreadJoin && b.pending.op == Op::ThreadJoin;
}

}  // namespace

void look_for_blocked_threads() {
  if (!g_runtime.header->options.blocked_at_exit || !g_switches.concurrent) return;
  RuntimeScope scope;
  NativeExecutor& executor = g_runtime.executor;
  const ProgramThread* shown = nullptr;
  std::string list;
  uint32_t count = 0;
  for (uint32_t id : executor.live_threads()) {
    const ProgramThread& thread = executor.thread(ThreadId{id});
    if (&thread == &executor.current()) continue;
    if (can_go_on(executor, thread)) return;
    if (may_be_blocked(executor, thread)) continue;
    if (shown == nullptr || says_more(thread, *shown)) shown = &thread;
    list += (count++ == 0 ? "thread " : ", thread ") + std::to_string(id);
  }
  if (shown == nullptr) return;
  if (!g_switches.instrumented) {  // what woke it last, and what it saw then, is not known
    g_runtime.header->blocked_at_exit = 1;
    return;
  }
  Failure failure;
  failure.kind = FindingKind::LostWakeup;
  failure.message = list + (count == 1 ? " is" : " are") +
                    " still blocked when the program ends, and nobody is left to wake " +
                    (count == 1 ? "it" : "them");
  failure.thread = shown->id;
  failure.pc = shown->pending.pc;
  fail(std::move(failure));
}

}  // namespace heddle
