// What the actions on mutexes, spin locks and reader-writer locks do.
#include <cerrno>

#include "circuit/step_encoder.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {

using graph::ActionKind;
using graph::CellKind;

Literal StepEncoder::is_kind(const Path& path, uint32_t cell, CellKind kind) {
  const FieldId field = e_.fields.cells[cell].kind;
  if (field == kNoField) return constant(program().cells[cell].kind == kind);
  return equal(aig_, get(path, field), static_cast<uint64_t>(kind));
}

FindingKind StepEncoder::misuse_of(uint32_t cell) const {
  return program().cells[cell].kind == CellKind::SpinLock ? FindingKind::SpinMisuse
                                                          : FindingKind::MutexMisuse;
}

void StepEncoder::mutex_exists(Path& path, const Target& target) {
  const CellFields& fields = e_.fields.cells[target.cell];
  fail(path, misuse_of(target.cell), aig_.land(target.match, get(path, fields.destroyed)[0]));
  const Literal none = aig_.land(target.match, get(path, fields.no_lock)[0]);
  if (program().cells[target.cell].kind == CellKind::SpinLock) {
    fail(path, FindingKind::SpinMisuse, none);
  } else {
    beyond(path, none);
  }
}

void StepEncoder::take_mutex(Path& path, Literal when, uint32_t cell) {
  const CellFields& fields = e_.fields.cells[cell];
  set_if(path, when, fields.holder, uint64_t{1} << slot_);
  if (fields.depth != kNoField)
    set_if(path, when, fields.depth, plus_one(aig_, get(path, fields.depth)));
}

void StepEncoder::perform_mutex(Path& path, const Action& action) {
  Word result = constant_word(0, 32);
  const auto answer = [&](Literal when, uint64_t error) {
    result = choose(aig_, when, constant_word(error, 32), result);
  };
  for (const Target& target :
       resolve(path, action.address, {CellKind::Mutex, CellKind::SpinLock})) {
    const auto [cell, is] = target;
    const CellFields& fields = e_.fields.cells[cell];
    const Literal held = mine(path, cell), taken = any(aig_, get(path, fields.holder));
    const Literal recursive = is_kind(path, cell, CellKind::RecursiveMutex);
    const Literal checks = is_kind(path, cell, CellKind::ErrorCheckMutex);
    if (action.kind == ActionKind::MutexInit) {
      for (const FieldId id : {fields.holder, fields.no_lock, fields.destroyed, fields.depth})
        if (id != kNoField) set_if(path, is, id, 0);
      if (fields.kind != kNoField)
        set_if(path, is, fields.kind, resized(value(path, action.value), 3));
      continue;
    }
    mutex_exists(path, target);
    if (fields.depth != kNoField)
      beyond(path,
             aig_.land({is, held, equal(aig_, get(path, fields.depth), (1U << kDepthBits) - 1)}));
    switch (action.kind) {
      case ActionKind::MutexLock: {
        const Literal refused = aig_.land(held, checks);
        take_mutex(path, aig_.land(is, !refused), cell);
        answer(aig_.land(is, refused), EDEADLK);
        break;
      }
      case ActionKind::MutexTryLock: {
        const Literal takes = aig_.lor(!taken, aig_.land(held, recursive));
        take_mutex(path, aig_.land(is, takes), cell);
        answer(aig_.land(is, !takes), EBUSY);
        break;
      }
      case ActionKind::MutexUnlock: {
        const Literal refused = aig_.land(!held, aig_.lor(recursive, checks));
        answer(aig_.land(is, refused), EPERM);
        fail(path, misuse_of(cell), aig_.land({is, !held, !refused}));
        const Literal gives = aig_.land(is, held);
        Literal last = kTrue;
        if (fields.depth != kNoField) {
          const Word left = minus_one(aig_, get(path, fields.depth));
          last = !any(aig_, left);
          set_if(path, gives, fields.depth, left);
        }
        set_if(path, aig_.land(gives, last), fields.holder, 0);
        break;
      }
      default:
        fail(path, misuse_of(cell), aig_.land(is, taken));
        if (program().cells[cell].kind != CellKind::SpinLock) set_if(path, is, fields.destroyed, 1);
    }
  }
  assign(path, action.into, result);
}

// ---- reader-writer locks ----

Literal StepEncoder::can_write(const Path& path, uint32_t cell) {
  const CellFields& fields = e_.fields.cells[cell];
  std::vector<Literal> held{any(aig_, get(path, fields.holder)), get(path, fields.no_lock)[0]};
  for (const FieldId reads : fields.reads) held.push_back(any(aig_, get(path, reads)));
  return !aig_.lor(held);
}

void StepEncoder::perform_rwlock(Path& path, const Action& action) {
  Word result = constant_word(0, 32);
  const auto answer = [&](Literal when, uint64_t error) {
    result = choose(aig_, when, constant_word(error, 32), result);
  };
  for (const Target& target : resolve(path, action.address, {CellKind::RwLock, CellKind::RwLock})) {
    const auto [cell, is] = target;
    const CellFields& fields = e_.fields.cells[cell];
    if (action.kind == ActionKind::RwInit) {
      set_if(path, is, fields.holder, 0);
      set_if(path, is, fields.no_lock, 0);
      for (const FieldId reads : fields.reads) set_if(path, is, reads, 0);
      continue;
    }
    const Word reads = get(path, fields.reads[slot_]);
    beyond(path, aig_.land(is, get(path, fields.no_lock)[0]));
    beyond(path, aig_.land(is, equal(aig_, reads, (1U << kReadBits) - 1)));
    const Literal writes = mine(path, cell), written = any(aig_, get(path, fields.holder));
    const Literal free = can_write(path, cell);
    switch (action.kind) {
      case ActionKind::RwRead:
        answer(aig_.land(is, writes), EDEADLK);
        set_if(path, aig_.land(is, !written), fields.reads[slot_], plus_one(aig_, reads));
        break;
      case ActionKind::RwTryRead:
        answer(aig_.land(is, written), EBUSY);
        set_if(path, aig_.land(is, !written), fields.reads[slot_], plus_one(aig_, reads));
        break;
      case ActionKind::RwWrite:
        answer(aig_.land(is, writes), EDEADLK);
        set_if(path, aig_.land(is, free), fields.holder, uint64_t{1} << slot_);
        break;
      case ActionKind::RwTryWrite:
        answer(aig_.land(is, !free), EBUSY);
        set_if(path, aig_.land(is, free), fields.holder, uint64_t{1} << slot_);
        break;
      case ActionKind::RwUnlock: {
        const Literal reader = aig_.land(!writes, any(aig_, reads));
        fail(path, FindingKind::RwlockMisuse, aig_.land({is, !writes, !reader}));
        set_if(path, aig_.land(is, writes), fields.holder, 0);
        set_if(path, aig_.land(is, reader), fields.reads[slot_], minus_one(aig_, reads));
        break;
      }
      default:
        fail(path, FindingKind::RwlockMisuse, aig_.land(is, !free));
    }
  }
  assign(path, action.into, result);
}

}  // namespace heddle::circuit
