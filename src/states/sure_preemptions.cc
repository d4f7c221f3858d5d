// What of the preemptions of an execution is sure without looking for the best order of its steps.
//
// A thread is surely enabled after a step if its next action never waits, or wants the mutex that
// the step has released: all that was done to that mutex happens before the step. So it is if
// nothing that its next step waited for was still to happen. Whoever comes
// between two steps of such a thread because one of them happens before and the other after it
// preempts the thread, in every execution of the class; and each thread that is not the next one to
// run is left after its last step. The sum is a lower bound on the preemptions, which takes no time
// to speak of and is nearly always what the search for the best order (context_bound.cc) finds.
#include <algorithm>

#include "states/partial_order.h"

namespace heddle {
namespace {

// Steps that change nothing which another thread could have to wait for, by what they access.
bool concerns_no_waiting(const Operation& operation) {
  if (operation.has(op_property::Yields)) return false;
  switch (operation.accesses) {
    case Footprint::Nothing:
    case Footprint::MemoryRead:
    case Footprint::MemoryWrite:
    case Footprint::MemoryUpdate:
    case Footprint::ThreadCreated:
    case Footprint::ThreadBegin:
    case Footprint::ThreadJoined:
      return true;
    default:
      return false;
  }
}

// After its end a thread may have something to do for the process; to go on with others first is no
// preemption.
bool is_left_freely(Op op) {
  return gives_up_processor(op) || op == Op::ThreadExit;
}

bool is_plain_lock(Op op) {
  return operation(op).lock == LockEffect::Acquire && operation(op).waits == Waits::Until;
}

}  // namespace

bool PartialOrder::is_ready_after(const OrderedStep& step, const Action& next) const {
  if (is_left_freely(step.action.op)) return false;
  if (operation(next.op).waits == Waits::Never) return true;
  return is_plain_lock(next.op) && operation(step.action.op).lock == LockEffect::Release &&
         step.hinders == Hinders::Nobody && step.action.object == next.object;
}

void PartialOrder::judge(size_t i) {
  OrderedStep& step = steps_[i];
  const Operation& op = operation(step.action.op);
  Cut past(clock(i).begin(), clock(i).end());
  past.resize(of_thread_.size());
  const bool unlocks = op.lock == LockEffect::Release &&
                       mutex_free(past, step.action.object, kNoThread) == Answer::Yes;
  if ((concerns_no_waiting(op) && !is_section(step.action)) || unlocks)
    step.hinders = Hinders::Nobody;
  else if (is_plain_lock(step.action.op))
    step.hinders = Hinders::Lockers;
  if (step.position == 0) return;
  const uint32_t own = index(step.action.thread);
  const size_t before = of_thread_[own][step.position - 1];
  step.preempted = steps_[before].preempted;
  bool news = false, between = false;  // that the thread did not know of; that came after it
  for (uint32_t t = 0; t < past.size(); ++t) {
    if (t == own || past[t] == 0) continue;
    news = news || t >= clock(before).size() || clock(before)[t] < past[t];
    const std::span<const uint32_t> last = clock(of_thread_[t][past[t] - 1]);
    between = between || (own < last.size() && last[own] >= step.position);
  }
  step.ready = is_ready_after(steps_[before], step.action) ||
               (!news && !is_left_freely(steps_[before].action.op));
  if (step.ready && between) ++step.preempted;
}

bool PartialOrder::stays_ready(const Cut& cut, ThreadId thread) const {
  if (const OrderedStep* next = next_step(cut, thread)) return next->ready;
  pending_ready_.resize(std::max(pending_ready_.size(), cut.size()));
  std::optional<bool>& known = pending_ready_[index(thread)];
  if (!known) known = is_pending_ready(thread);
  return *known;
}

// At the end of the execution. A mutex that others have touched unknown to the thread may have been
// theirs in some order of the steps.
bool PartialOrder::is_pending_ready(ThreadId thread) const {
  const Cut cut = whole();
  const Action* next = next_action(cut, thread);
  if (next == nullptr || ended(cut, thread)) return false;
  const uint32_t last = of_thread_[index(thread)].back();
  if (is_ready_after(steps_[last], *next)) return true;
  if (is_left_freely(steps_[last].action.op) || !is_plain_lock(next->op)) return false;
  for (const OrderedStep& step : steps_) {
    const uint32_t other = index(step.action.thread);
    const bool known = other < clock(last).size() && step.position < clock(last)[other];
    if (!known && (step.touches_sync(next->object) || is_section(step.action))) return false;
  }
  return mutex_free(cut, next->object, thread) == Answer::Yes;
}

bool PartialOrder::hinders_nobody(const Cut& cut, ThreadId thread) const {
  const OrderedStep& step = last_step(cut, thread);
  if (step.hinders != Hinders::Lockers) return step.hinders == Hinders::Nobody;
  for (uint32_t t = 0; t < cut.size(); ++t) {
    const Action* next = t == index(thread) ? nullptr : next_action(cut, ThreadId{t});
    if (next != nullptr && next->object == step.action.object &&
        operation(next->op).waits != Waits::Never)
      return false;
  }
  return true;
}

uint32_t PartialOrder::least_preemptions(const Cut& cut, ThreadId next) const {
  uint32_t sum = 0;
  for (uint32_t t = 0; t < cut.size(); ++t) {
    const ThreadId thread{t};
    if (cut[t] == 0) continue;
    sum += last_step(cut, thread).preempted;
    if (stays_ready(cut, thread)) sum += thread != next || !is_maximal(cut, thread) ? 1 : 0;
  }
  return sum;
}

}  // namespace heddle
