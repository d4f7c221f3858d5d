#include "events/sharing.h"

#include <utility>

namespace heddle::events {
namespace {

using graph::ActionKind;
using graph::index;

constexpr uint32_t kNobody = 0xffffffff;

bool is_integer_access(ActionKind kind) {
  return kind >= ActionKind::Load && kind <= ActionKind::AtomicCas;
}

bool only_reads(ActionKind kind) {
  return kind == ActionKind::Load || kind == ActionKind::AtomicLoad || kind == ActionKind::SemValue;
}

bool remakes(ActionKind kind) {
  return kind == ActionKind::MutexInit || kind == ActionKind::MutexDestroy;
}

}  // namespace

Sharing::Sharing(const circuit::ThreadPlan& plan)
    : plan_(plan),
      points_to_(plan.program->source),
      cells_(static_cast<uint32_t>(plan.program->cells.size())),
      objects_(static_cast<uint32_t>(plan.program->objects.size())),
      shared_(size()),
      changes_(size()),
      remade_(size()),
      owner_(size(), kNobody),
      site_of_slot_(objects_, kNobody) {
  for (const graph::Site& site : plan.program->source.sites)
    for (uint32_t slot = 0; slot < site.objects.size(); ++slot)
      for (const graph::ObjectId id : site.objects[slot]) site_of_slot_[index(id)] = slot;
  for (uint32_t slot = 0; slot < plan.of_slot.size(); ++slot)
    for (const uint32_t routine : plan.of_slot[slot].routines) look_at(slot, routine);
}

void Sharing::add_targets(uint32_t slot, uint32_t routine, graph::ExprId address, bool sync,
                          uint32_t bits, bool own, graph::BitSet& into) const {
  graph::BitSet found(cells_);
  points_to_.add_cells(graph::RoutineId{routine}, address, sync, bits, found);
  found.for_each([&](uint32_t cell) {
    const uint32_t site = site_of_slot_[plan_.program->cells[cell].object];
    if (own && site != kNobody && site != slot) return;
    into.insert(cell);
  });
}

graph::BitSet Sharing::objects(uint32_t /*slot*/, uint32_t routine, graph::ExprId pointer) const {
  return points_to_.objects(graph::RoutineId{routine}, pointer);
}

void Sharing::note(uint32_t slot, uint32_t cell, bool changes) {
  if (owner_[cell] == kNobody) owner_[cell] = slot;
  if (owner_[cell] != slot) shared_.insert(cell);
  if (changes) changes_.insert(cell);
}

void Sharing::note_object(uint32_t slot, uint32_t object, bool changes, bool with_cells) {
  note(slot, cells_ + object, changes);
  const CompiledObject& compiled = plan_.program->objects[object];
  for (uint32_t i = 0; with_cells && i < compiled.cell_count; ++i)
    note(slot, compiled.first_cell + i, changes);
}

// Blocks to which main comes after it has created a thread.
std::vector<bool> Sharing::after_a_creation(uint32_t number) const {
  const graph::Routine& routine = plan_.program->source.routines[number];
  std::vector<bool> after(routine.blocks.size());
  const circuit::RoutinePlan& plan = plan_.of_routine[number];
  for (bool grown = true; std::exchange(grown, false);)
    for (const uint32_t block : plan.order) {
      const graph::Jump& jump = routine.blocks[block].jump;
      if (!after[block] && routine.blocks[block].action.kind != ActionKind::Create) continue;
      for (const graph::BlockId to : {jump.then, jump.otherwise}) {
        if (to == graph::kNoBlock || after[index(to)]) continue;
        after[index(to)] = grown = true;
      }
    }
  return after;
}

void Sharing::look_at(uint32_t slot, uint32_t number) {
  const graph::Routine& routine = plan_.program->source.routines[number];
  const std::vector<bool> after = after_a_creation(number);
  for (const uint32_t b : plan_.of_routine[number].order) {
    const graph::Block& block = routine.blocks[b];
    look_at(slot, number, block.action, slot != 0 || after[b]);
    const bool creates = block.action.kind == ActionKind::Create;
    for (const graph::Statement& statement : block.statements)
      look_at(slot, number, statement, slot != 0 || after[b] || creates);
  }
}

void Sharing::look_at(uint32_t slot, uint32_t routine, const graph::Action& action,
                      bool concurrent) {
  if (action.address == graph::kNoExpr) return;
  graph::BitSet found(cells_);
  const bool sync = !is_integer_access(action.kind);
  if (action.kind == ActionKind::Free) {
    objects(slot, routine, action.address).for_each([&](uint32_t object) {
      note_object(slot, object, concurrent, false);
    });
    return;
  }
  add_targets(slot, routine, action.address, sync, action.bits, action.own, found);
  if (action.kind == ActionKind::CondWait)
    add_targets(slot, routine, action.second, true, action.bits, action.own, found);
  found.for_each([&](uint32_t cell) {
    note(slot, cell, concurrent && !only_reads(action.kind));
    if (concurrent && remakes(action.kind)) remade_.insert(cell);
    note(slot, cells_ + plan_.program->cells[cell].object, false);
  });
}

void Sharing::look_at(uint32_t slot, uint32_t routine, const graph::Statement& statement,
                      bool concurrent) {
  if (statement.kind == graph::StatementKind::Release)
    objects(slot, routine, statement.value).for_each([&](uint32_t object) {
      if (site_of_slot_[object] == slot) note_object(slot, object, concurrent, false);
    });
  if (statement.kind != graph::StatementKind::Allocate) return;
  const graph::Site& site = plan_.program->source.sites[statement.site];
  if (slot >= site.objects.size()) return;
  for (const graph::ObjectId id : site.objects[slot]) {
    note_object(slot, index(id), concurrent, true);
    const CompiledObject& object = plan_.program->objects[index(id)];
    for (uint32_t i = 0; concurrent && i < object.cell_count; ++i)
      remade_.insert(object.first_cell + i);
  }
}

}  // namespace heddle::events
