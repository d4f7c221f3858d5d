// What the actions on condition variables, semaphores, barriers and once controls do
// (interpreter/machine_sync.cc).
#include <cerrno>

#include "circuit/step_encoder.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {

using graph::ActionKind;
using graph::CellKind;

// From waiting in an action to woken in it: the next code.
void StepEncoder::wake(Path& path, Literal when, uint32_t slot) {
  const FieldId code = e_.fields.slots[slot].code;
  set_if(path, when, code, plus_one(aig_, get(path, code)));
}

void StepEncoder::perform_condition(Path& path, const Action& action, uint32_t block) {
  const std::vector<Target> targets =
      resolve(path, action.address, {CellKind::Condition, CellKind::Condition});
  for (const auto& [cell, is] : targets) {
    const CellFields& fields = e_.fields.cells[cell];
    if (action.kind == ActionKind::CondInit) {
      for (const FieldId id : {fields.waiters, fields.no_lock, fields.destroyed})
        if (id != kNoField) set_if(path, is, id, 0);
      continue;
    }
    if (fields.destroyed != kNoField) {
      fail(path, FindingKind::CondMisuse, aig_.land(is, get(path, fields.destroyed)[0]));
      beyond(path, aig_.land(is, get(path, fields.no_lock)[0]));
    }
    const Word waiters = get(path, fields.waiters);
    if (action.kind == ActionKind::CondDestroy) {
      fail(path, FindingKind::CondMisuse, aig_.land(is, any(aig_, waiters)));
      set_if(path, is, fields.destroyed, 1);
    } else if (action.kind == ActionKind::CondBroadcast) {
      set_if(path, is, fields.waiters, 0);
      for (uint32_t slot = 0; slot < waiters.size(); ++slot)
        wake(path, aig_.land(is, waiters[slot]), slot);
    } else if (action.kind == ActionKind::CondSignal) {
      for (uint32_t slot = 0; slot < waiters.size(); ++slot) {
        const Word before(waiters.begin(), waiters.begin() + slot);
        const Literal chosen =
            equal(aig_, resized(count_ones(aig_, before, 7), 64), resized(e_.choice, 64));
        const Literal woken = aig_.land({is, waiters[slot], chosen});
        set_bit_if(path, woken, fields.waiters, slot, kFalse);
        wake(path, woken, slot);
      }
    }
  }
  if (action.kind == ActionKind::CondWait) return wait_on(path, action, block, targets);
  assign(path, action.into, constant_word(0, 32));
}

void StepEncoder::wait_on(Path& path, const Action& action, uint32_t block,
                          const std::vector<Target>& conditions) {
  Literal waits = kFalse;
  for (const auto& [cell, is] :
       resolve(path, action.second, {CellKind::Mutex, CellKind::ErrorCheckMutex})) {
    const CellFields& fields = e_.fields.cells[cell];
    const Literal held = mine(path, cell);
    const Literal refused = aig_.land(!held, is_kind(path, cell, CellKind::ErrorCheckMutex));
    fail(path, FindingKind::CondMisuse, aig_.land({is, !held, !refused}));
    const Literal gives = aig_.land(is, held);
    if (fields.depth != kNoField) {
      set_if(path, gives, e_.fields.slots[slot_].depth, get(path, fields.depth));
      set_if(path, gives, fields.depth, 0);
    }
    set_if(path, gives, fields.holder, 0);
    waits = aig_.lor(waits, gives);
  }
  for (const auto& [cell, is] : conditions)
    set_bit_if(path, aig_.land(is, waits), e_.fields.cells[cell].waiters, slot_, kTrue);
  stop(path, waits, plan().code_of(StopKind::Blocked, routine_, block), kFalse, kFalse);
  assign(path, action.into, constant_word(EPERM, 32));
}

void StepEncoder::relock(Path& path, const Action& action) {
  for (const auto& [cell, is] :
       resolve(path, action.second, {CellKind::Mutex, CellKind::ErrorCheckMutex})) {
    const CellFields& fields = e_.fields.cells[cell];
    fail(path, FindingKind::MutexMisuse,
         aig_.land(is, aig_.lor({any(aig_, get(path, fields.holder)), get(path, fields.no_lock)[0],
                                 get(path, fields.destroyed)[0]})));
    take_mutex(path, is, cell);
    const FieldId kept = e_.fields.slots[slot_].depth;
    if (fields.depth == kNoField) continue;
    set_if(path, is, fields.depth, get(path, kept));
    set_if(path, is, kept, 0);
  }
  assign(path, action.into, constant_word(0, 32));
}

void StepEncoder::perform_semaphore(Path& path, const Action& action) {
  Word result = constant_word(0, 32);
  const bool ends = action.kind == ActionKind::SemInit || action.kind == ActionKind::SemDestroy;
  const std::vector<Target> targets =
      resolve(path, action.address, {CellKind::Semaphore, CellKind::Semaphore});
  if (ends)
    fail(path, FindingKind::SemMisuse, somebody_waits_at(path, value(path, action.address)));
  for (const auto& [cell, is] : targets) {
    const CellFields& fields = e_.fields.cells[cell];
    const Word count = get(path, fields.count);
    const Literal none = !any(aig_, count);
    if (action.kind != ActionKind::SemInit)
      beyond(path, aig_.land(is, get(path, fields.no_lock)[0]));
    switch (action.kind) {
      case ActionKind::SemInit: {
        const Word wanted = value(path, action.value);
        const auto bits = static_cast<uint32_t>(count.size());
        if (wanted.size() > bits)
          beyond(path, aig_.land(is, any(aig_, Word(wanted.begin() + bits, wanted.end()))));
        set_if(path, is, fields.count, resized(wanted, bits));
        set_if(path, is, fields.no_lock, 0);
        break;
      }
      case ActionKind::SemWait:
      case ActionKind::SemTryWait:
        set_if(path, aig_.land(is, !none), fields.count, minus_one(aig_, count));
        result = choose(aig_, aig_.land(is, none), constant_word(EAGAIN, 32), result);
        break;
      case ActionKind::SemPost:
        beyond(path, aig_.land(is, aig_.land(Word(count))));
        set_if(path, is, fields.count, plus_one(aig_, count));
        break;
      case ActionKind::SemValue:
        result = choose(aig_, is, resized(count, 32), result);
        break;
      default:
        break;
    }
  }
  assign(path, action.into, result);
}

void StepEncoder::perform_barrier(Path& path, const Action& action, uint32_t block) {
  Word result = constant_word(0, 32);
  for (const auto& [cell, is] :
       resolve(path, action.address, {CellKind::Barrier, CellKind::Barrier})) {
    const CellFields& fields = e_.fields.cells[cell];
    const Word count = get(path, fields.count), waiters = get(path, fields.waiters);
    if (action.kind != ActionKind::BarrierInit)
      fail(path, FindingKind::BarrierMisuse, aig_.land(is, !any(aig_, count)));
    if (action.kind != ActionKind::BarrierWait)
      fail(path, FindingKind::BarrierMisuse, aig_.land(is, any(aig_, waiters)));
    if (action.kind == ActionKind::BarrierDestroy) set_if(path, is, fields.count, 0);
    if (action.kind == ActionKind::BarrierInit) {
      const Word wanted = value(path, action.value);
      const Literal nobody = !any(aig_, wanted);
      if (wanted.size() > kBarrierBits)
        beyond(path, aig_.land(is, any(aig_, Word(wanted.begin() + kBarrierBits, wanted.end()))));
      set_if(path, aig_.land(is, !nobody), fields.count, resized(wanted, kBarrierBits));
      result = choose(aig_, aig_.land(is, nobody), constant_word(EINVAL, 32), result);
    }
    if (action.kind != ActionKind::BarrierWait) continue;
    const Word arrived = plus_one(aig_, count_ones(aig_, waiters, kBarrierBits));
    const Literal waits = aig_.land(is, less(aig_, arrived, count));
    Path waiting = path;
    set_bit_if(waiting, kTrue, fields.waiters, slot_, kTrue);
    stop(waiting, waits, plan().code_of(StopKind::Blocked, routine_, block), kFalse, kFalse);
    leave(aig_, path, waits);
    set_if(path, is, fields.waiters, 0);
    for (uint32_t slot = 0; slot < waiters.size(); ++slot)
      wake(path, aig_.land(is, waiters[slot]), slot);
    result = choose(aig_, is, constant_word(1, 32), result);
  }
  assign(path, action.into, result);
}

void StepEncoder::perform_once(Path& path, const Action& action) {
  Literal first = kFalse;
  for (const auto& [cell, is] : resolve(path, action.address, {CellKind::Once, CellKind::Once})) {
    const FieldId control = e_.fields.cells[cell].value;
    beyond(path, aig_.land(is, equal(aig_, get(path, control), kOnceUninitialised)));
    if (action.kind == ActionKind::OnceEnd) {
      set_if(path, is, control, static_cast<uint64_t>(OnceState::Done));
      continue;
    }
    const Literal fresh =
        aig_.land(is, equal(aig_, get(path, control), static_cast<uint64_t>(OnceState::New)));
    set_if(path, fresh, control, static_cast<uint64_t>(OnceState::Running));
    first = aig_.lor(first, fresh);
  }
  if (action.kind == ActionKind::OnceBegin) assign(path, action.into, {first});
}

}  // namespace heddle::circuit
