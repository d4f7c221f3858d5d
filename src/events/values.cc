#include "events/values.h"

#include <bit>

#include "interpreter/sync_cells.h"

namespace heddle::events {

using circuit::constant_word;
using circuit::kFalse;
using circuit::kTrue;
using graph::ActionKind;
using graph::CellKind;

uint32_t CellWords::life_of(uint32_t object) const {
  return static_cast<uint32_t>(p_.plan.program->cells.size()) + object;
}

uint32_t CellWords::lock_bits() const {
  return static_cast<uint32_t>(std::bit_width(p_.slots + 2));
}

uint32_t CellWords::bits(uint32_t cell) const {
  return static_cast<uint32_t>(initial(cell).size());
}

Word CellWords::initial(uint32_t cell) const {
  const CompiledProgram& program = *p_.plan.program;
  if (cell < program.cells.size()) return fresh(cell);
  return {circuit::constant(program.objects[cell - program.cells.size()].life == 0)};
}

Word CellWords::fresh(uint32_t number) const {
  const CompiledProgram& program = *p_.plan.program;
  const CompiledCell& compiled = program.cells[number];
  const CompiledObject& object = program.objects[compiled.object];
  const graph::Cell& cell =
      program.source.objects[compiled.object].cells[number - object.first_cell];
  Word word;
  switch (cell.kind) {
    case CellKind::Integer:
      word = constant_word(cell.initialised ? cell.initial : 0, cell.bits);
      if (!cell.initialised) word.push_back(kFalse);
      return word;
    case CellKind::Condition:
      word = constant_word(0, p_.slots + 2);
      word[p_.slots] = circuit::constant(!cell.initialised);
      return word;
    case CellKind::Semaphore:
      return constant_word(cell.initialised ? cell.initial : kNoSemaphore, 16);
    case CellKind::Barrier:
      word = constant_word(0, p_.slots);
      for (const Literal bit : constant_word(cell.initialised ? cell.initial : 0, kBarrierBits))
        word.push_back(bit);
      return word;
    case CellKind::RwLock:
      word = constant_word(cell.initialised ? 0 : uninitialised_lock(), lock_bits());
      word.resize(word.size() + p_.slots, kFalse);
      return word;
    default:
      return constant_word(cell.initialised ? 0 : uninitialised_lock(), lock_bits());
  }
}

Word CellWords::without(const Word& word, uint32_t slot) const {
  Word result = word;
  result[slot] = kFalse;
  return result;
}

Word CellWords::with(const Word& word, uint32_t slot) const {
  Word result = word;
  result[slot] = kTrue;
  return result;
}

Word CellWords::waiters(const Word& word) const {
  return {word.begin(), word.begin() + p_.slots};
}

Word CellWords::barrier_count(const Word& word) const {
  return {word.begin() + p_.slots, word.end()};
}

Literal CellWords::possible(ActionKind action, EventKind kind, const Word& word,
                            uint32_t slot) const {
  using circuit::equal;
  if (kind == EventKind::Woken && action != ActionKind::MutexLock) return !waits(word, slot);
  const auto lock = [&] { return Word(word.begin(), word.begin() + lock_bits()); };
  switch (action) {
    case ActionKind::MutexLock:
      return aig_.lor({equal(aig_, word, 0), equal(aig_, word, uninitialised_lock()),
                       equal(aig_, word, destroyed_lock())});
    case ActionKind::SemWait:
      return any(aig_, word);
    case ActionKind::RwRead:
      return aig_.lor({equal(aig_, lock(), 0), equal(aig_, lock(), uninitialised_lock()),
                       equal(aig_, lock(), slot + 1)});
    case ActionKind::RwWrite:
      return aig_.lor({equal(aig_, word, 0), equal(aig_, lock(), uninitialised_lock()),
                       equal(aig_, lock(), slot + 1)});
    default:
      return kTrue;
  }
}

}  // namespace heddle::events
