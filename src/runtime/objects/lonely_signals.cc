#include "runtime/objects/lonely_signals.h"

#include <algorithm>

#include "model/dependence.h"
#include "runtime/guest/reserved.h"
#include "runtime/threads/program_thread.h"

namespace heddle {
namespace {

// What threads tell each other by: not by being born, and by a condition only if it wakes somebody.
bool is_told_by(const RecentSteps::Step& step) {
  switch (step.op) {
    case Op::ThreadCreate:
    case Op::ThreadStart:
    case Op::ThreadExit:
    case Op::ThreadJoin:
    case Op::CondSignal:
    case Op::CondBroadcast:
    case Op::Choose:
    case Op::Yield:
      return false;
    default:
      return true;
  }
}

Action action_of(const RecentSteps::Step& step) {
  return {.op = step.op, .object = step.object, .second = step.second};
}

bool changes(const RecentSteps::Step& step, const Access& wanted) {
  for (const Access& access : accesses_of(action_of(step)))
    if (access.kind == wanted.kind && access.begin == wanted.begin &&
        access.mode == AccessMode::Changes)
      return true;
  return false;
}

// Whether a step of the waiter came to something after one of these had changed it.
bool learns_from(const RecentSteps::Step& own, const RecentSteps& others, Address condition) {
  for (const Access& access : accesses_of(action_of(own))) {
    if (access.begin == value(condition)) continue;
    for (size_t i = 0; i < others.size(); ++i)
      if (others[i].when < own.when && is_told_by(others[i]) && changes(others[i], access))
        return true;
  }
  return false;
}

}  // namespace

void LonelySignals::initialise() {
  signals_ = static_cast<Signal*>(reserve_private(kMost * sizeof(Signal)));
}

// A later signal of the same thread says all that an earlier one did.
void LonelySignals::add(Address condition, const ProgramThread& signaller, uint64_t when) {
  Signal* end = signals_ + count_;
  Signal* known = std::find_if(signals_, end, [&](const Signal& signal) {
    return signal.condition == condition && signal.signaller == signaller.id;
  });
  if (known == end && count_ == kMost)
    known = std::min_element(signals_, end,
                             [](const Signal& a, const Signal& b) { return a.when < b.when; });
  else if (known == end)
    ++count_;
  *known = {condition, signaller.id, when, signaller.recent};
}

bool LonelySignals::missed_by(const ProgramThread& waiter, const ProgramThread* threads) const {
  const Address condition = waiter.pending.object;
  for (size_t i = 0; i < count_; ++i) {
    const Signal& signal = signals_[i];
    // Somebody has woken it since: it has looked again.
    if (signal.condition != condition || signal.when < waiter.woken) continue;
    const RecentSteps& later = threads[index(signal.signaller)].recent;
    bool seen = false;
    for (size_t k = 0; k < waiter.recent.size() && !seen; ++k)
      seen = is_told_by(waiter.recent[k]) &&
             (learns_from(waiter.recent[k], signal.before, condition) ||
              learns_from(waiter.recent[k], later, condition));
    if (!seen) return true;
  }
  return false;
}

}  // namespace heddle
