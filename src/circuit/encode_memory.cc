// Pointers, accesses to memory, objects that come and go (interpreter/machine_actions.cc).
//
// An address selects among the cells of the objects that it may lead to (graph/points_to.h). One
// that leads to another object all the same, which arithmetic on numbers could bring about, is
// beyond what the circuit says.
#include "circuit/step_encoder.h"
#include "graph/builder.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {

using graph::ActionKind;
using graph::CellKind;
using graph::index;

// The address is that of the cell.
Literal StepEncoder::leads_to(const Word& address, uint32_t cell) {
  const CompiledCell& compiled = program().cells[cell];
  const CompiledObject& object = program().objects[compiled.object];
  const graph::Object& source = program().source.objects[compiled.object];
  const uint32_t offset = source.cells[cell - object.first_cell].offset;
  return equal(aig_, address, graph::pointer_to(graph::ObjectId{compiled.object}, offset));
}

// Whether the objects are there or not.
std::vector<Target> StepEncoder::cells_at(const Path& path, graph::ExprId address) {
  std::vector<Target> targets;
  const Word pointer = value(path, address);
  e_.points_to.objects(graph::RoutineId{routine_}, address).for_each([&](uint32_t o) {
    const CompiledObject& object = program().objects[o];
    for (uint32_t cell = object.first_cell; cell < object.first_cell + object.cell_count; ++cell)
      if (const Literal match = leads_to(pointer, cell); match != kFalse)
        targets.push_back({cell, match});
  });
  return targets;
}

std::vector<Target> StepEncoder::resolve(Path& path, graph::ExprId address, const Wanted& wanted) {
  std::vector<Target> targets;
  const Word pointer = value(path, address);
  const Word number(pointer.begin() + 32, pointer.end());
  const Word offset(pointer.begin(), pointer.begin() + 32);
  const auto count = static_cast<uint32_t>(program().objects.size());
  fail(path, FindingKind::Crash,
       aig_.lor(!any(aig_, number), less(aig_, constant_word(count, 32), number)));
  Literal foreseen = kFalse;
  e_.points_to.objects(graph::RoutineId{routine_}, address).for_each([&](uint32_t o) {
    const Literal is = equal(aig_, number, o + 1);
    if (is == kFalse) return;
    foreseen = aig_.lor(foreseen, is);
    const CompiledObject& object = program().objects[o];
    const FieldId there = e_.fields.objects[o].there;
    if (there != kNoField)
      fail(path,
           object.kind == graph::ObjectKind::Heap ? FindingKind::UseAfterFree
                                                  : FindingKind::StackUse,
           aig_.land(is, !get(path, there)[0]));
    fail(path, FindingKind::OutOfBounds,
         aig_.land(is, !less(aig_, offset, constant_word(object.size, 32))));
    std::vector<Literal> fits;
    for (uint32_t cell = object.first_cell; cell < object.first_cell + object.cell_count; ++cell) {
      const CompiledCell& compiled = program().cells[cell];
      if (compiled.kind < wanted.first || compiled.kind > wanted.last) continue;
      if (compiled.kind == CellKind::Integer && compiled.bits != wanted.bits) continue;
      const Literal match = leads_to(pointer, cell);
      if (match == kFalse) continue;
      fits.push_back(match);
      targets.push_back({cell, match});
    }
    beyond(path, aig_.land(is, !aig_.lor(fits)));
    if (wanted.writes && program().source.objects[o].constant) fail(path, FindingKind::Crash, is);
  });
  beyond(path, !foreseen);
  return targets;
}

Word StepEncoder::read(const Path& path, uint32_t cell) {
  const CompiledCell& compiled = program().cells[cell];
  if (compiled.constant) return constant_word(compiled.initial, compiled.bits);
  return get(path, e_.fields.cells[cell].value);
}

void StepEncoder::perform_memory(Path& path, const Action& action) {
  const bool writes = action.kind != ActionKind::Load && action.kind != ActionKind::AtomicLoad;
  const bool reads = action.kind != ActionKind::Store && action.kind != ActionKind::AtomicStore;
  const std::vector<Target> targets =
      resolve(path, action.address, {CellKind::Integer, CellKind::Integer, action.bits, writes});
  if (targets.empty()) {  // it does not go on
    assign(path, action.into, {});
    return assign(path, action.second_into, {});
  }
  std::vector<Word> values;
  std::vector<Alternative> contents;
  values.reserve(targets.size());
  for (const Target& target : targets) {
    const FieldId written = e_.fields.cells[target.cell].written;
    if (written != kNoField) {
      if (reads) beyond(path, aig_.land(target.match, !get(path, written)[0]));
      set_if(path, target.match, written, 1);
    }
    values.push_back(read(path, target.cell));
    contents.push_back({target.match, &values.back()});
  }
  // One register alone is read where it stands, after what was loaded is there.
  const bool late = action.second != graph::kNoExpr &&
                    routine().exprs[index(action.second)].op == graph::Operator::Register;
  const Word old = one_of(aig_, contents);
  Word expected;
  if (action.kind == ActionKind::AtomicCas && !late) expected = value(path, action.second);
  const Word before_load =
      action.kind == ActionKind::Store || action.kind == ActionKind::AtomicStore
          ? value(path, action.value)
          : Word{};
  if (reads) assign(path, action.into, old);
  if (!writes) return;
  Literal stores = kTrue;
  Word stored = before_load;
  if (action.kind == ActionKind::AtomicUpdate || action.kind == ActionKind::AtomicCas) {
    if (action.kind == ActionKind::AtomicCas) {
      if (late) expected = value(path, action.second);
      stores = equal(aig_, old, expected);
    }
    stored = value(path, action.value);
    assign(path, action.second_into, {stores});
  }
  for (const Target& target : targets)
    if (!program().cells[target.cell].constant)
      set_if(path, aig_.land(target.match, stores), e_.fields.cells[target.cell].value, stored);
}

// ---- objects that come and go ----

template <typename Function>
void StepEncoder::for_fields_of_cell(uint32_t cell, Function function) {
  const CellFields& fields = e_.fields.cells[cell];
  for (const FieldId id :
       {fields.value, fields.written, fields.holder, fields.no_lock, fields.destroyed, fields.depth,
        fields.kind, fields.waiters, fields.count})
    if (id != kNoField) function(id);
  for (const FieldId id : fields.reads) function(id);
}

void StepEncoder::end_life(Path& path, Literal when, uint32_t number) {
  if (when == kFalse) return;
  const CompiledObject& object = program().objects[number];
  set_if(path, when, e_.fields.objects[number].there, 0);
  set_if(path, when, e_.fields.objects[number].gone, 1);
  for (uint32_t cell = object.first_cell; cell < object.first_cell + object.cell_count; ++cell)
    for_fields_of_cell(cell, [&](FieldId id) { set_if(path, when, id, 0); });
}

// As new (fill_cell in interpreter/sync_cells.h).
void StepEncoder::begin_life(Path& path, Literal when, uint32_t number) {
  const CompiledObject& object = program().objects[number];
  set_if(path, when, e_.fields.objects[number].there, 1);
  set_if(path, when, e_.fields.objects[number].gone, 0);
  for (uint32_t c = 0; c < object.cell_count; ++c) {
    const uint32_t cell = object.first_cell + c;
    const graph::Cell& source = program().source.objects[number].cells[c];
    const CellFields& fields = e_.fields.cells[cell];
    for_fields_of_cell(cell, [&](FieldId id) {
      uint64_t fresh = 0;
      if (id == fields.no_lock) fresh = source.initialised ? 0 : 1;
      if (id == fields.kind) fresh = static_cast<uint64_t>(source.kind);
      if (id == fields.value && source.kind == CellKind::Integer && source.initialised)
        fresh = source.initial;
      if (id == fields.value && source.kind == CellKind::Once && !source.initialised)
        fresh = kOnceUninitialised;
      if (id == fields.count && source.initialised) fresh = source.initial;
      set_if(path, when, id, fresh);
    });
  }
}

void StepEncoder::allocate(Path& path, const graph::Statement& statement) {
  Literal wanted = kTrue;
  if (statement.value != graph::kNoExpr) wanted = any(aig_, value(path, statement.value));
  const graph::Site& site = program().source.sites[statement.site];
  const bool again = site.kind == graph::ObjectKind::Stack;
  Word pointer = constant_word(0, 64);
  if (slot_ < site.objects.size())
    for (const graph::ObjectId id : site.objects[slot_]) {
      const ObjectFields& object = e_.fields.objects[index(id)];
      const Literal there = get(path, object.there)[0], gone = get(path, object.gone)[0];
      const Literal free = again ? !there : aig_.land(!there, !gone);
      const Literal taken = aig_.land(wanted, free);
      begin_life(path, taken, index(id));
      pointer = choose(aig_, taken, constant_word(graph::pointer_to(id), 64), pointer);
      wanted = aig_.land(wanted, !free);
    }
  beyond(path, wanted);
  assign(path, statement.into, pointer);
}

void StepEncoder::perform_free(Path& path, const Action& action) {
  const Word pointer = value(path, action.address);
  const Word number(pointer.begin() + 32, pointer.end());
  const Word offset(pointer.begin(), pointer.begin() + 32);
  const Literal null = !any(aig_, pointer);
  Literal settled = null;
  const auto count = static_cast<uint32_t>(program().objects.size());
  const Literal wild = aig_.lor(!any(aig_, number), less(aig_, constant_word(count, 32), number));
  fail(path, FindingKind::InvalidFree, aig_.land(!null, wild));
  e_.points_to.objects(graph::RoutineId{routine_}, action.address).for_each([&](uint32_t o) {
    const Literal is = equal(aig_, number, o + 1);
    settled = aig_.lor(settled, is);
    if (program().objects[o].kind != graph::ObjectKind::Heap)
      return fail(path, FindingKind::InvalidFree, is);
    fail(path, FindingKind::InvalidFree, aig_.land(is, any(aig_, offset)));
    fail(path, FindingKind::DoubleFree, aig_.land(is, !get(path, e_.fields.objects[o].there)[0]));
    end_life(path, is, o);
  });
  beyond(path, !settled);
}

void StepEncoder::release(Path& path, graph::ExprId address) {
  const Word pointer = value(path, address);
  const Word number(pointer.begin() + 32, pointer.end());
  const graph::BitSet objects = e_.points_to.objects(graph::RoutineId{routine_}, address);
  for (uint32_t o = 0; o < program().objects.size(); ++o) {
    if (program().objects[o].kind != graph::ObjectKind::Stack) continue;
    const Literal is = equal(aig_, number, o + 1);
    if (objects.contains(o)) {
      end_life(path, is, o);
    } else {
      beyond(path, is);
    }
  }
}

}  // namespace heddle::circuit
