// What can be seen of a thread between steps: what it does next, and whether it can.
#include <algorithm>
#include <bit>

#include "interpreter/machine.h"
#include "model/process_end.h"

namespace heddle {
namespace {

using graph::ActionKind;
using graph::CellKind;

// As others see it: of a plain lock, of a spin lock.
struct Shown {
  Op op = Op::Yield;
  Op spin = Op::Yield;
};

constexpr Shown shown(ActionKind kind) {
  switch (kind) {
    case ActionKind::Load:
      return {Op::Read};
    case ActionKind::Store:
      return {Op::Write};
    case ActionKind::AtomicLoad:
      return {Op::AtomicLoad};
    case ActionKind::AtomicStore:
      return {Op::AtomicStore};
    case ActionKind::AtomicUpdate:
      return {Op::AtomicRmw};
    case ActionKind::AtomicCas:
      return {Op::AtomicCas};
    case ActionKind::MutexLock:
      return {Op::MutexLock, Op::SpinLock};
    case ActionKind::MutexTryLock:
      return {Op::MutexTryLock, Op::SpinTryLock};
    case ActionKind::MutexUnlock:
      return {Op::MutexUnlock, Op::SpinUnlock};
    case ActionKind::MutexDestroy:
      return {Op::MutexDestroy, Op::SpinDestroy};
    case ActionKind::CondWait:
      return {Op::CondWait};
    case ActionKind::CondSignal:
      return {Op::CondSignal};
    case ActionKind::CondBroadcast:
      return {Op::CondBroadcast};
    case ActionKind::CondDestroy:
      return {Op::CondDestroy};
    case ActionKind::RwRead:
      return {Op::RwRead};
    case ActionKind::RwTryRead:
      return {Op::RwTryRead};
    case ActionKind::RwWrite:
      return {Op::RwWrite};
    case ActionKind::RwTryWrite:
      return {Op::RwTryWrite};
    case ActionKind::RwUnlock:
      return {Op::RwUnlock};
    case ActionKind::RwDestroy:
      return {Op::RwDestroy};
    case ActionKind::SemWait:
      return {Op::SemWait};
    case ActionKind::SemTryWait:
      return {Op::SemTryWait};
    case ActionKind::SemPost:
      return {Op::SemPost};
    case ActionKind::SemValue:
      return {Op::SemValue};
    case ActionKind::SemDestroy:
      return {Op::SemDestroy};
    case ActionKind::BarrierWait:
      return {Op::BarrierWait};
    case ActionKind::BarrierDestroy:
      return {Op::BarrierDestroy};
    case ActionKind::OnceBegin:
      return {Op::Once};
    case ActionKind::OnceEnd:
      return {Op::OnceEnd};
    case ActionKind::Create:
      return {Op::ThreadCreate};
    case ActionKind::Join:
      return {Op::ThreadJoin};
    case ActionKind::Choose:
      return {Op::Choose};
    case ActionKind::AtomicBegin:
      return {Op::AtomicBegin};
    default:
      return {Op::Yield};
  }
}

}  // namespace

const uint64_t* Machine::probe(const uint8_t* state, uint32_t thread) {
  const Location& at = location(state, thread);
  std::vector<uint64_t>& values = probes_[at.routine];
  load(state, thread, values);
  compute(program_->routines[at.routine], values.data(), action_at(at).before);
  return values.data();
}

uint32_t Machine::choices(const uint8_t* state, uint32_t thread) {
  const Location& at = location(state, thread);
  switch (at.phase) {
    case Phase::Unborn:
    case Phase::Ended:
    case Phase::Joined:
    case Phase::Stopped:
    case Phase::Blocked:
      return 0;
    case Phase::Exiting:
    case Phase::Starting:
    case Phase::ExitTurn:
    case Phase::ProcessExit:
      return 1;
    case Phase::Input:
      return 1u << program_->routines[at.routine].code[at.code - 1].to;
    case Phase::Woken: {
      const CompiledAction& action = action_at(at);
      if (action.kind != ActionKind::CondWait) return 1;
      uint32_t cell = action.second_cell;
      if (cell == kNoCell) cell = cell_of(Address{probe(state, thread)[action.second]});
      if (cell == kNoCell) return 1;
      const uint8_t holder = state[program_->cells[cell].offset];
      return holder == 0 || holder >= kUninitialised ? 1 : 0;
    }
    case Phase::Action:
      break;
  }
  const CompiledAction& action = action_at(at);
  if (action.always_possible) return 1;
  const bool is_known = action.cell != kNoCell && action.kind != ActionKind::Choose;
  return ways(state, thread, action, is_known ? nullptr : probe(state, thread));
}

// `values` may be missing where the cell is known.
uint32_t Machine::ways(const uint8_t* state, uint32_t thread, const CompiledAction& action,
                       const uint64_t* values) const {
  if (action.always_possible) return 1;
  if (action.kind == ActionKind::Choose)
    return static_cast<uint32_t>(std::clamp<uint64_t>(values[action.value], 1, 0xffffffff));
  if (action.kind == ActionKind::Join) {
    const int32_t target = thread_behind(state, values[action.value]);
    return target < 0 || location(state, static_cast<uint32_t>(target)).phase == Phase::Ended;
  }
  uint32_t number = action.cell;
  if (number == kNoCell) number = cell_of(Address{values[action.address]});
  if (number == kNoCell) return 1;  // the step will say what is wrong
  const CompiledCell& cell = program_->cells[number];
  const uint32_t life = program_->objects[cell.object].life;
  if (life != 0 && state[life] != 1) return 1;
  const uint8_t* at = state + cell.offset;
  switch (action.kind) {
    case ActionKind::MutexLock: {
      if (!is_mutex(cell.kind) || *at == 0 || *at >= kUninitialised) return 1;
      if (*at != thread + 1) return 0;
      const CellKind kind = mutex_kind(state, cell);
      return kind == CellKind::RecursiveMutex || kind == CellKind::ErrorCheckMutex;
    }
    case ActionKind::CondSignal:
      if (cell.kind != CellKind::Condition) return 1;
      return static_cast<uint32_t>(std::max(1, std::popcount(mask(at))));
    case ActionKind::OnceBegin:
      return cell.kind != CellKind::Once || *at != static_cast<uint8_t>(OnceState::Running);
    default:
      break;
  }
  if (options_.blocking == Blocking::Attempt) return 1;
  switch (action.kind) {
    case ActionKind::RwRead:
      return cell.kind != CellKind::RwLock || *at == 0 || *at >= kUninitialised ||
             *at == thread + 1;
    case ActionKind::RwWrite:
      return cell.kind != CellKind::RwLock || *at >= kUninitialised || *at == thread + 1 ||
             can_write(at);
    default:
      return cell.kind != CellKind::Semaphore || load_bytes(at, 2) > 0;
  }
}

Action Machine::next_action(const uint8_t* state, uint32_t thread) {
  const Location& at = location(state, thread);
  const bool acts =
      at.phase == Phase::Action || at.phase == Phase::Blocked || at.phase == Phase::Woken;
  return action_of(state, thread, location_number(state, thread),
                   acts ? probe(state, thread) : nullptr);
}

Action Machine::action_of(const uint8_t* state, uint32_t thread, uint32_t number,
                          const uint64_t* values) {
  const Location& at = program_->locations[number];
  Action next;
  next.thread = ThreadId{thread};
  next.in_section = sections(state, thread) > 0;
  if (at.phase >= Phase::Starting) next.pc = address_of({at.routine, at.block, at.part});
  switch (at.phase) {
    case Phase::Starting:
      next.op = Op::ThreadStart;
      return next;
    case Phase::Exiting:
      next.op = Op::ThreadExit;
      next.object = Address{thread};
      return next;
    case Phase::Input:
      next.op = Op::Choose;
      next.object = Address{uint64_t{choices(state, thread)}};
      return next;
    case Phase::ExitTurn:
      next.op = Op::ExitHandler;
      next.object = kExitHandlers;
      return next;
    case Phase::ProcessExit:
      next.op = Op::ProcessExit;
      return next;
    default:
      break;
  }
  const CompiledAction& action = action_at(at);
  const Shown& as = shown(action.kind);
  next.op = as.op;
  if (action.address != kNoPlace) next.object = Address{values[action.address]};
  const uint32_t cell = action.cell != kNoCell ? action.cell : cell_of(next.object);
  const CompiledCell* found = cell == kNoCell ? nullptr : &program_->cells[cell];
  switch (action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::AtomicLoad:
    case ActionKind::AtomicStore:
    case ActionKind::AtomicUpdate:
    case ActionKind::AtomicCas:
      next.size = graph::bytes_of(action.bits);
      break;
    case ActionKind::CondWait:
      next.second = Address{values[action.second]};
      break;
    case ActionKind::Create:
      next.object = Address{
          slots_->child(thread, state[program_->slot_offset[thread] + program_->children] + 1u)};
      break;
    case ActionKind::Join:
      next.object = Address{values[action.value] & 0xffffffff};
      break;
    case ActionKind::Choose:
      next.object = Address{values[action.value]};
      break;
    default:
      if (found != nullptr && found->kind == CellKind::SpinLock && as.spin != Op::Yield)
        next.op = as.spin;
  }
  if (action.kind == ActionKind::AtomicCas && found != nullptr && found->bits == action.bits) {
    const uint64_t now =
        found->constant ? found->initial : load_bytes(state + found->offset, found->bytes);
    if (now != values[action.second]) next.second = kWouldFail;
  }
  if (at.phase == Phase::Blocked || at.phase == Phase::Woken) show_waiting(action, at.phase, next);
  return next;
}

void Machine::show_waiting(const CompiledAction& action, Phase phase, Action& next) {
  const bool woken = phase == Phase::Woken;
  if (action.kind == ActionKind::CondWait) {
    next.op = woken ? Op::CondRelock : Op::CondBlocked;
    if (woken) std::swap(next.object, next.second);  // it now waits for the mutex
  } else if (action.kind == ActionKind::BarrierWait) {
    next.op = woken ? Op::BarrierWoken : Op::BarrierBlocked;
  } else {
    next.size = static_cast<uint32_t>(next.op);
    next.op = woken ? Op::Retry : Op::Blocked;
  }
}

int32_t Machine::waits_for(const uint8_t* state, uint32_t thread) {
  const Action next = next_action(state, thread);
  if (next.op == Op::ThreadJoin) return static_cast<int32_t>(value(next.object));
  if (next.op != Op::MutexLock && next.op != Op::CondRelock && next.op != Op::SpinLock) return -1;
  const uint32_t cell = cell_of(next.object);
  if (cell == kNoCell || !is_mutex(program_->cells[cell].kind)) return -1;
  const uint8_t holder = state[program_->cells[cell].offset];
  return holder >= kUninitialised ? -1 : static_cast<int32_t>(holder) - 1;
}

uint32_t Machine::semaphore_value(const uint8_t* state, Address semaphore) const {
  const uint32_t cell = cell_of(semaphore);
  if (cell == kNoCell || program_->cells[cell].kind != CellKind::Semaphore) return 0;
  const uint64_t count = load_bytes(state + program_->cells[cell].offset, 2);
  return count == kNoSemaphore ? 0 : static_cast<uint32_t>(count);
}

}  // namespace heddle
