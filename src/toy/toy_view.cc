// The toy executor as others see it: configurations, and the final state.
#include <algorithm>
#include <utility>

#include "model/process_end.h"
#include "model/waiting.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

struct Visible {
  Op op;
  ObjectKind kind;
};

constexpr std::array kVisible = {
#define X(enumerator, name, operation, kind) Visible{Op::operation, ObjectKind::kind},
    HEDDLE_TOY_CODES(X)
#undef X
};

Address object_address(ObjectKind kind, uint32_t index) {
  if (kind == ObjectKind::None) return kNoAddress;
  if (kind == ObjectKind::Thread) return Address{index};
  return Address{static_cast<uint64_t>(kind) << 12 | uint64_t{index} << 3};
}

}  // namespace

Address ToyExecutor::place(uint32_t id) const {
  const uint64_t script = state_.threads[id].at_exit ? 1 << 15 : 0;
  return Address{uint64_t{id + 1} << 16 | script | state_.threads[id].pc};
}

Action ToyExecutor::next_action(uint32_t id) const {
  const Phase phase = state_.threads[id].phase;
  Action action;
  action.thread = ThreadId{id};
  action.pc = place(id);
  action.in_section = state_.threads[id].sections > 0;
  if (phase == Phase::Starting || phase == Phase::Exiting) {
    action.op = phase == Phase::Starting ? Op::ThreadStart : Op::ThreadExit;
    if (phase == Phase::Exiting) action.object = Address{id};
    const bool main_leaves = id == 0 || state_.threads[0].phase == Phase::Ended;
    if (phase == Phase::Exiting && !program_.at_exit.empty() && main_leaves)
      action.second = kOrderCounts;
    return action;
  }
  const Instruction& next = instruction(id);
  const Visible& visible = kVisible[static_cast<size_t>(next.code)];
  action.op = visible.op;
  action.object = object_address(visible.kind, next.object);
  if (visible.kind == ObjectKind::Condition && next.code != Code::Signal &&
      next.code != Code::Broadcast)
    action.second = object_address(ObjectKind::Mutex, next.second);
  if (next.code == Code::Cas && state_.variables[next.object] != static_cast<int32_t>(next.second))
    action.second = kWouldFail;
  if (phase == Phase::Waiting) action.op = Op::CondBlocked;
  if (phase == Phase::Relocking) {
    action.op = Op::CondRelock;
    std::swap(action.object, action.second);  // it now waits for the mutex
  }
  if (phase == Phase::AtBarrier) action.op = Op::BarrierBlocked;
  if (phase == Phase::Leaving) action.op = Op::BarrierWoken;
  add_state(id, action);
  if (state_.threads[id].late) {
    action.size = static_cast<uint32_t>(action.op);
    action.op = Op::TimeOut;
  }
  return action;
}

// In which state the action finds its object, and which form that gives it.
void ToyExecutor::add_state(uint32_t id, Action& action) const {
  const Instruction& next = instruction(id);
  const ObjectKind kind = kVisible[static_cast<size_t>(next.code)].kind;
  switch (kind) {
    case ObjectKind::Mutex:
      action.before = state_.owners[next.object];
      break;
    case ObjectKind::Condition:
      if (action.second != kNoAddress) action.before = state_.owners[next.second];
      break;
    case ObjectKind::Semaphore:
      action.before = state_.semaphores[next.object];
      break;
    case ObjectKind::RwLock:
      action.before = state_.rwlocks[next.object].state();
      if (next.code == Code::RwUnlock && state_.rwlocks[next.object].reads[id] > 0)
        action.second = kSharedHold;
      break;
    case ObjectKind::Barrier: {
      const uint32_t missing = program_.round - state_.arrived[next.object];
      action.before = barrier_state(missing, program_.round);
      if (action.op == Op::BarrierWait && missing > 1) action.second = kEarly;
      break;
    }
    case ObjectKind::Once:
      if (next.code == Code::Once && state_.onces[next.object] == 2) action.second = kIsDone;
      break;
    case ObjectKind::Variable:
      action.before = static_cast<uint32_t>(next.code == Code::Cas ? next.second
                                                                   : state_.variables[next.object]);
      break;
    case ObjectKind::None:
    case ObjectKind::Thread:
      break;
  }
}

// Where nothing else goes on, time passes: for the first thread that waits for a time.
bool ToyExecutor::offer_timeout() {
  const auto waits_for_a_time = [&](uint32_t id) {
    const Thread& thread = state_.threads[id];
    if (thread.phase != Phase::Running && thread.phase != Phase::Waiting) return false;
    switch (instruction(id).code) {
      case Code::TimedLock:
      case Code::TimedTake:
      case Code::TimedRead:
      case Code::TimedWrite:
        return true;
      case Code::TimedWait:
      case Code::LateWait:
        return thread.phase == Phase::Waiting;
      default:
        return false;
    }
  };
  for (uint32_t id = 0; id < state_.threads.size(); ++id)
    if (choices(id) > 0) return false;
  for (uint32_t id = 0; id < state_.threads.size(); ++id)
    if (waits_for_a_time(id)) return state_.threads[id].late = true;
  return false;
}

ThreadId ToyExecutor::waits_for(const Action& next) const {
  if (next.op == Op::ThreadJoin) return ThreadId{static_cast<uint32_t>(value(next.object))};
  if (next.op != Op::MutexLock && next.op != Op::CondRelock) return kNoThread;
  const uint32_t mutex = static_cast<uint32_t>(value(next.object) >> 3 & (kMaxObjects - 1));
  const uint32_t owner = state_.owners[mutex];
  return owner == 0 ? kNoThread : ThreadId{owner - 1};
}

// In how many ways the thread can take its next step now.
uint32_t ToyExecutor::choices(uint32_t id) const {
  const Phase phase = state_.threads[id].phase;
  if (phase == Phase::Starting || phase == Phase::Exiting || phase == Phase::Leaving) return 1;
  if (state_.threads[id].late) return 1;
  if (phase == Phase::Relocking) return state_.owners[instruction(id).second] == 0;
  if (phase != Phase::Running) return 0;
  const Instruction& next = instruction(id);
  switch (next.code) {
    case Code::Lock:
    case Code::TimedLock:
      return state_.owners[next.object] == 0;
    case Code::TimedWait:
      return 2;
    case Code::Take:
    case Code::TimedTake:
      return state_.semaphores[next.object] > 0;
    case Code::Read:
    case Code::TimedRead:
      return state_.rwlocks[next.object].writer == 0;
    case Code::Write:
    case Code::TimedWrite:
      return state_.rwlocks[next.object].state() == 0;
    case Code::Once:
      return state_.onces[next.object] != 1;
    case Code::Join:
      return state_.threads[next.object].phase == Phase::Ended;
    case Code::Signal:
      return std::max(1u, state_.conditions[next.object].count);
    case Code::Choose:
      return static_cast<uint32_t>(next.value);
    default:
      return 1;
  }
}

void ToyExecutor::refresh_configuration() {
  configuration_.live.clear();
  bool any = false;
  const uint32_t last = index(configuration_.last);
  const bool runs_on = configuration_.last != kNoThread && spins_.runs_on(configuration_.last);
  const bool alone = configuration_.last != kNoThread &&
                     (runs_on || state_.threads[last].sections > 0) && choices(last) > 0;
  for (uint32_t id = 0; id < program_.threads.size(); ++id) {
    const Phase phase = state_.threads[id].phase;
    if (phase == Phase::Unborn || phase == Phase::Ended || phase == Phase::Stopped) continue;
    ThreadView view{ThreadId{id}, next_action(id), alone && id != last ? 0 : choices(id)};
    if (runs_on && id == last) view.next = running_on(view.next);
    if (view.choices > 0) view.spin = spins_.spin(view.id);
    if (view.spin != Spin::None) {
      view.choices = 0;
      view.round = spins_.round(view.id);
    }
    any |= view.choices > 0;
    configuration_.live.push_back(view);
  }
  if (!any && offer_timeout()) refresh_configuration();
}

std::string ToyExecutor::state_text() const {
  std::string text = "variables";
  for (int32_t value : state_.variables) text += ' ' + std::to_string(value);
  for (size_t id = 0; id < program_.threads.size(); ++id) {
    const Thread& thread = state_.threads[id];
    text += "; thread " + std::to_string(id) + " phase " +
            std::to_string(static_cast<int>(thread.phase)) +
            (thread.at_exit ? " at exit " : " at ") + std::to_string(thread.pc);
    for (uint32_t r = 0; r < kRegisters; ++r) text += ' ' + std::to_string(thread.registers[r]);
  }
  return text;
}

void ToyExecutor::add_thread(Fnv& hash, const Thread& thread) {
  hash.add(static_cast<uint64_t>(thread.phase));
  hash.add(thread.pc);
  hash.add(thread.at_exit ? 1 : 0);
  hash.add(thread.sections);
  hash.add(thread.late ? 1 : 0);
  for (int32_t value : thread.registers) hash.add(static_cast<uint32_t>(value));
}

uint64_t ToyExecutor::state_hash() const {
  Fnv hash;
  for (int32_t value : state_.variables) hash.add(static_cast<uint32_t>(value));
  for (const Thread& thread : state_.threads) add_thread(hash, thread);
  for (uint32_t owner : state_.owners) hash.add(owner);
  for (const Condition& condition : state_.conditions) {
    hash.add(condition.count);
    for (uint32_t i = 0; i < condition.count; ++i) hash.add(condition.waiters[i]);
  }
  for (uint32_t value : state_.semaphores) hash.add(value);
  for (const RwLock& lock : state_.rwlocks) {
    hash.add(lock.writer);
    for (uint8_t reads : lock.reads) hash.add(reads);
  }
  for (uint32_t arrived : state_.arrived) hash.add(arrived);
  for (uint8_t once : state_.onces) hash.add(once);
  return hash.value;
}

uint64_t ToyExecutor::local_state(ThreadId thread) const {
  Fnv hash;
  add_thread(hash, state_.threads[index(thread)]);
  return hash.value | 1;  // 0 would mean that it is not known
}

}  // namespace heddle::toy
