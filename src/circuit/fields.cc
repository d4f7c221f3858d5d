#include "circuit/fields.h"

#include <algorithm>
#include <bit>

#include "graph/evaluate.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {
namespace {

using graph::CellKind;

// Threads as one bit each, from a byte that holds a number from 1 on.
uint64_t one_hot(uint8_t holder) {
  return holder == 0 || holder >= kUninitialised ? 0 : uint64_t{1} << (holder - 1);
}

class FieldMaker {
 public:
  FieldMaker(Aig& aig, const ThreadPlan& plan, const uint8_t* initial)
      : aig_(aig), plan_(plan), initial_(initial) {}

  Fields run();

 private:
  FieldId add(const std::string& name, uint32_t bits, uint64_t reset);
  void add_slot(uint32_t slot);
  void add_registers(uint32_t slot);
  uint64_t first_value(uint32_t slot, uint32_t routine, uint32_t number) const;
  void add_cell(uint32_t number);
  void add_mutex(CellFields& cell, const std::string& name, const CompiledCell& compiled,
                 const uint8_t* at);

  Aig& aig_;
  const ThreadPlan& plan_;
  const uint8_t* initial_;
  Fields out_;
};

FieldId FieldMaker::add(const std::string& name, uint32_t bits, uint64_t reset) {
  out_.words.push_back(latch_word(aig_, name, bits, reset));
  return static_cast<FieldId>(out_.words.size() - 1);
}

Fields FieldMaker::run() {
  const CompiledProgram& p = *plan_.program;
  out_.halted = add("halted", 1, 0);
  out_.running = add("running", p.slots, 0);
  if (p.has.sections) out_.exclusive = add("exclusive", p.slots, one_hot(initial_[p.exclusive]));
  for (uint32_t slot = 0; slot < p.slots; ++slot) add_slot(slot);
  for (uint32_t o = 0; o < p.objects.size(); ++o) {
    ObjectFields& object = out_.objects.emplace_back();
    if (p.objects[o].life == 0) continue;
    object.there = add(p.source.objects[o].name + ".there", 1, initial_[p.objects[o].life] == 1);
    object.gone = add(p.source.objects[o].name + ".gone", 1, initial_[p.objects[o].life] == 2);
  }
  for (uint32_t cell = 0; cell < p.cells.size(); ++cell) add_cell(cell);
  return std::move(out_);
}

void FieldMaker::add_slot(uint32_t slot) {
  const CompiledProgram& p = *plan_.program;
  const SlotPlan& plan = plan_.of_slot[slot];
  SlotFields& to = out_.slots.emplace_back();
  const std::string name = "thread" + std::to_string(slot);
  const uint8_t* from = initial_ + p.slot_offset[slot];
  const auto location = static_cast<uint32_t>(load_bytes(from, p.location_bytes));
  uint32_t code = 0;
  while (plan.stops[code].kind == StopKind::Resume || plan.stops[code].location != location) ++code;
  to.code = add(name + ".pc", plan.bits(), code);
  if (p.has.detach) to.detached = add(name + ".detached", 1, from[p.flags]);
  if (p.has.sections) to.sections = add(name + ".sections", kSectionBits, from[p.sections]);
  if (p.has.mutex_kinds) to.depth = add(name + ".depth", kDepthBits, from[p.depth]);
  if (p.has.results) to.result = add(name + ".result", 64, 0);
  if (plan.creates)
    to.children =
        add(name + ".children", static_cast<uint32_t>(std::bit_width(plan.children.size())),
            from[p.children]);
  add_registers(slot);
}

void FieldMaker::add_registers(uint32_t slot) {
  const CompiledProgram& p = *plan_.program;
  const SlotPlan& plan = plan_.of_slot[slot];
  SlotFields& to = out_.slots[slot];
  to.registers.resize(p.source.routines.size());
  for (const uint32_t r : plan.routines) {
    const std::vector<graph::Register>& registers = p.source.routines[r].registers;
    to.registers[r].assign(registers.size(), kNoField);
    graph::RegisterSet live(registers.size());
    for (const Stop& stop : plan.stops)
      if (stop.kind >= StopKind::Starting && stop.routine == r) live.merge(stop.live);
    live.for_each([&](uint32_t i) {
      to.registers[r][i] = add("thread" + std::to_string(slot) + "." + p.source.routines[r].name +
                                   "." + registers[i].name,
                               registers[i].bits, first_value(slot, r, i));
    });
  }
}

// What is live at first is in the state.
uint64_t FieldMaker::first_value(uint32_t slot, uint32_t routine, uint32_t number) const {
  const CompiledProgram& p = *plan_.program;
  const uint64_t location = load_bytes(initial_ + p.slot_offset[slot], p.location_bytes);
  const Location& at = p.locations[location];
  for (uint32_t i = 0; i < at.field_count; ++i) {
    const Field& field = p.fields[at.first_field + i];
    if (at.routine == routine && field.value == number)
      return load_bytes(initial_ + p.slot_frame[slot] + field.offset, field.bytes);
  }
  return 0;
}

void FieldMaker::add_mutex(CellFields& cell, const std::string& name, const CompiledCell& compiled,
                           const uint8_t* at) {
  const CompiledProgram& p = *plan_.program;
  cell.holder = add(name + ".holder", p.slots, one_hot(*at));
  cell.no_lock = add(name + ".uninitialised", 1, *at == kUninitialised);
  cell.destroyed = add(name + ".destroyed", 1, *at == kDestroyed);
  if (!p.has.mutex_kinds || compiled.kind == CellKind::SpinLock) return;
  cell.depth = add(name + ".depth", kDepthBits, at[kMutexDepth]);
  cell.kind = add(name + ".kind", 3, at[kMutexKind]);
}

void FieldMaker::add_cell(uint32_t number) {
  const CompiledProgram& p = *plan_.program;
  const CompiledCell& compiled = p.cells[number];
  const graph::Object& object = p.source.objects[compiled.object];
  const std::string name =
      object.name + object.cells[number - p.objects[compiled.object].first_cell].name;
  const uint8_t* at = initial_ + compiled.offset;
  CellFields& cell = out_.cells.emplace_back();
  if (compiled.constant) return;
  switch (compiled.kind) {
    case CellKind::Integer:
      cell.value = add(name, compiled.bits, load_bytes(at, compiled.bytes));
      if (compiled.written_mask != 0)
        cell.written = add(name + ".written", 1,
                           (initial_[compiled.written_offset] & compiled.written_mask) != 0);
      return;
    case CellKind::Mutex:
    case CellKind::RecursiveMutex:
    case CellKind::ErrorCheckMutex:
    case CellKind::SpinLock:
      return add_mutex(cell, name, compiled, at);
    case CellKind::Condition:
      cell.waiters = add(name + ".waiters", p.slots, load_bytes(at, p.mask_bytes));
      if (!p.has.cond_status) return;
      cell.no_lock = add(name + ".uninitialised", 1, at[compiled.bytes - 1] == kUninitialised);
      cell.destroyed = add(name + ".destroyed", 1, at[compiled.bytes - 1] == kDestroyed);
      return;
    case CellKind::RwLock:
      cell.holder = add(name + ".writer", p.slots, one_hot(*at));
      cell.no_lock = add(name + ".uninitialised", 1, *at == kUninitialised);
      for (uint32_t slot = 0; slot < p.slots; ++slot)
        cell.reads.push_back(
            add(name + ".reads" + std::to_string(slot), kReadBits, at[kReadHolds + slot]));
      return;
    case CellKind::Semaphore: {
      const uint64_t count = load_bytes(at, 2);
      const bool none = count == kNoSemaphore;
      const auto needed = static_cast<uint32_t>(std::bit_width(none ? 0 : count) + 1);
      cell.count = add(name + ".count", std::clamp(needed, kLeastCountBits, 16U), none ? 0 : count);
      cell.no_lock = add(name + ".uninitialised", 1, none);
      return;
    }
    case CellKind::Barrier:
      cell.count = add(name + ".count", kBarrierBits, *at);
      cell.waiters = add(name + ".waiters", p.slots, load_bytes(at + 1, p.mask_bytes));
      return;
    case CellKind::Once:
      cell.value = add(name + ".once", 2, *at == kUninitialised ? kOnceUninitialised : *at);
      return;
  }
}

}  // namespace

Fields make_fields(Aig& aig, const ThreadPlan& plan, const uint8_t* initial) {
  return FieldMaker(aig, plan, initial).run();
}

}  // namespace heddle::circuit
