// Atomic sections: all that a thread does between heddle_atomic_begin and the end is one step.
//
// A visible action inside is carried out at once, and noted (section_log.h). Where the thread has
// to wait the step ends, others go on, and the rest of the section is another step. Where there is
// something to choose, or the thread goes round in a loop until somebody else changes something,
// the action becomes a step of its own as well; while it can be taken nobody else may go on
// (keeps_others_out). Such steps are no news to an enumeration; a reduction, which would have to
// put others' steps before the whole section, is refused.
#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "strategies/combinations.h"

namespace heddle {

void NativeExecutor::enter_section(Address pc) {
  ProgramThread& self = *current_;
  if (self.sections++ > 0) return;
  self.steps_in_section = 0;
  self.section_is_step = g_switches.concurrent;
  if (!g_switches.concurrent) return;
  self.sections = 0;
  reach({.op = Op::AtomicBegin, .pc = pc});
  self.sections = 1;
  begin_section_step(self.pending);
}

void NativeExecutor::leave_section() {
  if (--current_->sections == 0) g_switches.set_in_section(false);
}

void NativeExecutor::begin_section_step(const Action& first) {
  current_->section_is_step = true;
  section_->clear();
  section_->add(first);
  if (!g_switches.instrumented) section_->add_unknown();  // its accesses are not seen
  g_switches.set_in_section(true);
}

// Whether the thread, which is about to take its pending action, can do so as part of the step.
// What it tries in vain counts, too: others decide whether the step ends there.
bool NativeExecutor::stays_in_section(ProgramThread& self) {
  Action tried = next_of(self);
  self.pending.in_section = true;
  if (!self.section_is_step) return false;
  const uint32_t ways = choices_of(self);
  if (tried.op == Op::ThreadJoin)
    tried.op = Op::ThreadTryJoin;
  else if (ways == 0)
    tried.op = Op::Blocked;
  section_->add(tried);
  if (ways == 0) return false;
  bool alone = ways > 1 || ++self.steps_in_section > g_runtime.header->options.max_steps;
  if (!alone && tracks_spinning_) {
    note_arrival(self);
    alone = spins_.spin(self.id) != Spin::None;
  }
  if (alone) {
    if (leaves_out_executions(g_runtime.header->options)) cannot_run(Limitation::ChoiceInSection);
    return false;
  }
  self.choice = 0;
  last_pc_ = self.pending.pc;
  if (self.pending.op == Op::ProcessExit) last_op_ = Op::ProcessExit;
  if (tracks_spinning_) spins_.goes_on(self.id, self.pending.op);
  clock_.pass(self);
  return true;
}

}  // namespace heddle
