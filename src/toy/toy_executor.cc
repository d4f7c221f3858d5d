#include "toy/toy_executor.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "model/waiting.h"

namespace heddle::toy {

ToyExecutor::ToyExecutor(Program program) : program_(std::move(program)) {
  HEDDLE_CHECK(program_.threads.size() <= kMaxThreads);
  HEDDLE_CHECK(program_.initially_live <= program_.threads.size());
  size_t objects = 8;
  for (const Script& script : program_.threads)
    for (const Instruction& i : script)
      objects = std::max<size_t>(objects, 1 + std::max(i.object, i.second));
  HEDDLE_CHECK(objects <= kMaxObjects);
  initial_.threads.resize(program_.threads.size());
  initial_.variables.resize(objects);
  initial_.owners.resize(objects);
  initial_.conditions.resize(objects);
  initial_.semaphores = program_.semaphores;
  initial_.semaphores.resize(std::max(objects, program_.semaphores.size()));
  initial_.rwlocks.resize(objects);
  initial_.arrived.resize(objects);
  initial_.onces.resize(objects);
  for (uint32_t id = 0; id < program_.initially_live; ++id)
    initial_.threads[id].phase = Phase::Starting;
  spins_.use_places(&loops_, SpinMonitor::LocalStates::AreCheap);
}

Status ToyExecutor::reset() {
  state_ = initial_;
  spins_.begin_execution(spinning_);
  status_ = Status::Running;
  configuration_.last = kNoThread;
  configuration_.created = kNoThread;
  configuration_.last_gave_up = false;
  if (program_.first_has_started) {
    state_.threads[0].phase = Phase::Running;
    run_local_instructions(0);
  }
  refresh_configuration();
  return status_;
}

Status ToyExecutor::step(Transition transition) {
  const uint32_t id = index(transition.thread);
  HEDDLE_CHECK(status_ == Status::Running && id < program_.threads.size());
  HEDDLE_CHECK(transition.choice < choices(id));
  configuration_.last = transition.thread;
  configuration_.created = kNoThread;
  const Action action = next_action(id);
  configuration_.last_gave_up = gives_up_processor(action.op);
  if (spins_.active()) spins_.goes_on(transition.thread, action.op);
  section_.clear();
  if (is_section(action)) section_.push_back(action);
  execute(id, transition.choice);
  go_on_in_section(id);
  if (status_ != Status::Running) return status_;
  if (spins_.active() && state_.threads[id].phase == Phase::Running)
    spins_.arrives(transition.thread, next_action(id),
                   [&] { return local_state(transition.thread); });
  refresh_configuration();
  if (configuration_.live.empty()) status_ = Status::Finished;
  return status_;
}

void ToyExecutor::set_spinning(Spinning mode) {
  spinning_ = mode;
  spins_.set_mode(mode);
  if (status_ == Status::Running) refresh_configuration();
}

bool ToyExecutor::continue_without_failed_thread() {
  state_.threads[index(failure_.thread)].phase = Phase::Stopped;
  status_ = Status::Running;
  refresh_configuration();
  if (configuration_.live.empty()) status_ = Status::Finished;
  return true;
}

const Instruction& ToyExecutor::instruction(uint32_t thread) const {
  return script(thread)[state_.threads[thread].pc];
}

const Script& ToyExecutor::script(uint32_t thread) const {
  return state_.threads[thread].at_exit ? program_.at_exit : program_.threads[thread];
}

// Whether the end of the thread is that of the program, by which exit handlers run.
bool ToyExecutor::ends_program(uint32_t id) const {
  if (program_.at_exit.empty() || state_.threads[id].at_exit) return false;
  for (uint32_t other = 0; other < state_.threads.size(); ++other) {
    const Phase phase = state_.threads[other].phase;
    if (other != id && phase != Phase::Ended && phase != Phase::Unborn) return false;
  }
  return true;
}

uint32_t ToyExecutor::RwLock::state() const {
  return writer != 0 ? kHeldForWriting : readers;
}

void ToyExecutor::execute(uint32_t id, uint32_t choice) {
  Thread& thread = state_.threads[id];
  if (thread.late) {
    end_wait(id);
    if (thread.phase == Phase::Relocking) return;
    return run_local_instructions(id);
  }
  switch (thread.phase) {
    case Phase::Starting:
      thread.phase = Phase::Running;
      break;
    case Phase::Running:
      execute_instruction(id, choice);
      if (status_ != Status::Running || thread.phase != Phase::Running) return;
      ++thread.pc;
      break;
    case Phase::Leaving:
      thread.phase = Phase::Running;
      ++thread.pc;
      break;
    case Phase::Relocking:
      set_owner(id, instruction(id).second, id + 1);
      thread.phase = Phase::Running;
      ++thread.pc;
      break;
    case Phase::Exiting:
      if (!ends_program(id)) {
        thread.phase = Phase::Ended;
        return;
      }
      thread.at_exit = true;
      thread.pc = 0;
      thread.phase = Phase::Running;
      break;
    case Phase::Unborn:
    case Phase::Waiting:
    case Phase::AtBarrier:
    case Phase::Ended:
    case Phase::Stopped:
      HEDDLE_CHECK(!"a blocked thread was stepped");
  }
  run_local_instructions(id);
}

// To the end of the section, or to where the thread has to wait.
void ToyExecutor::go_on_in_section(uint32_t id) {
  const Thread& thread = state_.threads[id];
  while (status_ == Status::Running && thread.sections > 0 && thread.phase != Phase::Ended) {
    Action action = next_action(id);
    action.in_section = false;
    const bool joins = action.op == Op::ThreadJoin;
    const uint32_t ways = choices(id);
    if (joins) action.op = Op::ThreadTryJoin;
    if (ways == 0 && !joins) action.op = Op::Blocked;
    if (ways <= 1) section_.push_back(action);
    if (ways != 1) return;
    execute(id, 0);
  }
}

void ToyExecutor::execute_instruction(uint32_t id, uint32_t choice) {
  const Instruction& i = instruction(id);
  Thread& thread = state_.threads[id];
  const int32_t variable = state_.variables[i.object];
  switch (i.code) {
    case Code::Load:
      thread.registers[i.reg] = variable;
      break;
    case Code::Store:
      set_variable(i.object, thread.registers[i.reg] + i.value);
      break;
    case Code::Add:
      thread.registers[i.reg] = variable;
      set_variable(i.object, variable + i.value);
      break;
    case Code::Cas:
      thread.registers[i.reg] = variable == static_cast<int32_t>(i.second);
      if (variable == static_cast<int32_t>(i.second)) set_variable(i.object, i.value);
      break;
    case Code::TimedLock:
      thread.registers[i.reg] = 1;
      [[fallthrough]];
    case Code::Lock:
      set_owner(id, i.object, id + 1);
      break;
    case Code::TryUnlock:
      thread.registers[i.reg] = state_.owners[i.object] == id + 1;
      if (state_.owners[i.object] == id + 1) set_owner(id, i.object, 0);
      break;
    case Code::TryLock:
      thread.registers[i.reg] = state_.owners[i.object] == 0;
      if (state_.owners[i.object] == 0) set_owner(id, i.object, id + 1);
      break;
    case Code::Exit:
      status_ = Status::Finished;
      break;
    case Code::Unlock:
      release(id, i.object);
      break;
    case Code::Take:
    case Code::TryTake:
    case Code::TimedTake:
    case Code::Post:
    case Code::Value:
    case Code::Read:
    case Code::TryRead:
    case Code::TimedRead:
    case Code::Write:
    case Code::TryWrite:
    case Code::TimedWrite:
    case Code::RwUnlock:
    case Code::Arrive:
    case Code::Once:
    case Code::OnceEnd:
      execute_on_shared(id);
      break;
    case Code::Wait:
    case Code::TimedWait:
    case Code::LateWait:
    case Code::PassedWait:
    case Code::Signal:
    case Code::Broadcast:
      execute_on_condition(id, choice);
      break;
    case Code::Spawn:
      if (state_.threads[i.object].phase != Phase::Unborn)
        return fail(FindingKind::ThreadMisuse, id, "a thread was created twice");
      state_.threads[i.object].phase = Phase::Starting;
      configuration_.created = ThreadId{i.object};
      break;
    case Code::Choose:
      thread.registers[i.reg] = static_cast<int32_t>(choice);
      break;
    case Code::Begin:
      ++thread.sections;
      break;
    case Code::Join:
    case Code::Yield:
      break;
    case Code::End:
    case Code::Assert:
    case Code::Assume:
    case Code::Count:
    case Code::SkipUnless:
      HEDDLE_CHECK(!"local instructions are not steps");
  }
  thread.registers[kZero] = 0;
}

void ToyExecutor::execute_on_condition(uint32_t id, uint32_t choice) {
  const Instruction& i = instruction(id);
  Condition& condition = state_.conditions[i.object];
  if (i.code != Code::Signal && i.code != Code::Broadcast) {
    release(id, i.second);
    if (status_ != Status::Running) return;
    if (i.code == Code::PassedWait || choice > 0) {
      state_.threads[id].phase = Phase::Relocking;
      return;
    }
    const auto first = condition.waiters.begin(), end = first + condition.count++;
    *end = id;
    std::inplace_merge(first, end, end + 1);
    state_.threads[id].phase = Phase::Waiting;
  } else if (i.code == Code::Signal) {
    if (condition.count > 0) wake(condition, choice);
  } else {
    while (condition.count > 0) wake(condition, 0);
  }
}

// On what several threads can have at a time, or wait for together. A step that waits was enabled.
void ToyExecutor::execute_on_shared(uint32_t id) {
  const Instruction& i = instruction(id);
  Thread& thread = state_.threads[id];
  uint32_t& semaphore = state_.semaphores[i.object];
  RwLock& lock = state_.rwlocks[i.object];
  const auto answer = [&](bool yes) {
    thread.registers[i.reg] = yes ? 1 : 0;
    return yes;
  };
  spins_.changed();
  switch (i.code) {
    case Code::Take:
    case Code::TryTake:
    case Code::TimedTake:
      if (answer(semaphore > 0)) --semaphore;
      break;
    case Code::Post:
      ++semaphore;
      break;
    case Code::Value:
      thread.registers[i.reg] = static_cast<int32_t>(semaphore);
      break;
    case Code::Read:
    case Code::TryRead:
    case Code::TimedRead:
      if (!answer(lock.writer == 0)) break;
      ++lock.reads[id];
      ++lock.readers;
      break;
    case Code::Write:
    case Code::TryWrite:
    case Code::TimedWrite:
      if (answer(lock.state() == 0)) lock.writer = id + 1;
      break;
    case Code::RwUnlock:
      unlock_shared(id);
      break;
    case Code::Arrive:
      if (answer(++state_.arrived[i.object] == program_.round)) {
        state_.arrived[i.object] = 0;
        for (uint32_t other = 0; other < state_.threads.size(); ++other)
          if (state_.threads[other].phase == Phase::AtBarrier &&
              instruction(other).object == i.object)
            state_.threads[other].phase = Phase::Leaving;
      } else {
        thread.phase = Phase::AtBarrier;
      }
      break;
    case Code::Once:
      if (answer(state_.onces[i.object] == 0)) state_.onces[i.object] = 1;
      break;
    case Code::OnceEnd:
      state_.onces[i.object] = 2;
      break;
    default:
      HEDDLE_CHECK(!"not about such a thing");
  }
}

void ToyExecutor::unlock_shared(uint32_t id) {
  RwLock& lock = state_.rwlocks[instruction(id).object];
  if (lock.writer == id + 1) {
    lock.writer = 0;
  } else if (lock.reads[id] > 0) {
    --lock.reads[id];
    --lock.readers;
  } else {
    fail(FindingKind::RwlockMisuse, id, "a lock was unlocked by a thread not holding it");
  }
}

// The time of the thread's wait is over.
void ToyExecutor::end_wait(uint32_t id) {
  Thread& thread = state_.threads[id];
  const Instruction& i = instruction(id);
  thread.late = false;
  if (thread.phase == Phase::Running) {
    thread.registers[i.reg] = 0;
    thread.registers[kZero] = 0;
    ++thread.pc;
    return;
  }
  Condition& condition = state_.conditions[i.object];
  const auto begin = condition.waiters.begin();
  const auto place = std::find(begin, begin + condition.count, id) - begin;
  wake(condition, static_cast<uint32_t>(place));
}

// Goes on to the next instruction that others can notice; all before it belong to the last step.
void ToyExecutor::run_local_instructions(uint32_t id) {
  Thread& thread = state_.threads[id];
  const Script& script = this->script(id);
  for (int patience = 1000; thread.pc < script.size() && is_local(script[thread.pc].code);) {
    const Instruction& i = script[thread.pc++];
    const bool holds = thread.registers[i.reg] == i.value;
    if (i.code == Code::Assert && !holds) {
      --thread.pc;
      return fail(FindingKind::Assertion, id, "an assertion failed");
    }
    if (i.code == Code::End) --thread.sections;
    if (i.code == Code::Assume && !holds) {
      failure_.thread = ThreadId{id};
      status_ = Status::Dismissed;
      return;
    }
    if (i.code == Code::Count) thread.registers[i.reg] += i.value;
    if (i.code == Code::SkipUnless && !holds) thread.pc += static_cast<uint32_t>(i.skip);
    HEDDLE_CHECK(--patience > 0);  // the script loops without a step
  }
  // A skip may lead beyond the end.
  if (thread.pc >= script.size()) thread.phase = thread.at_exit ? Phase::Ended : Phase::Exiting;
}

void ToyExecutor::release(uint32_t id, uint32_t mutex) {
  if (state_.owners[mutex] != id + 1)
    return fail(FindingKind::MutexMisuse, id, "a mutex was unlocked by a thread not holding it");
  set_owner(id, mutex, 0);
}

void ToyExecutor::set_variable(uint32_t variable, int32_t value) {
  if (std::exchange(state_.variables[variable], value) != value) spins_.changed();
}

void ToyExecutor::set_owner(uint32_t thread, uint32_t mutex, uint32_t owner) {
  state_.owners[mutex] = owner;
  spins_.toggled(ThreadId{thread}, Address{mutex},
                 owner == 0 ? SpinMonitor::Hold::GivenBack : SpinMonitor::Hold::Taken);
}

void ToyExecutor::wake(Condition& condition, uint32_t position) {
  state_.threads[condition.waiters[position]].phase = Phase::Relocking;
  const auto first = condition.waiters.begin();
  std::copy(first + position + 1, first + condition.count, first + position);
  --condition.count;
}

void ToyExecutor::fail(FindingKind kind, uint32_t id, const char* message) {
  status_ = Status::Failed;
  failure_ = {kind, message, ThreadId{id}, place(id)};
}

}  // namespace heddle::toy
