#include "interpreter/state_text.h"

#include "interpreter/machine.h"

namespace heddle {
namespace {

using graph::CellKind;

std::string thread_text(uint32_t thread) {
  return "thread " + std::to_string(thread);
}

// What the set says, "thread 1, thread 2".
std::string set_text(uint64_t threads) {
  std::string text;
  for (uint32_t thread = 0; thread < 64; ++thread)
    if ((threads >> thread & 1) != 0) text += (text.empty() ? "" : ", ") + thread_text(thread);
  return text.empty() ? "nobody" : text;
}

std::string value_text(const Machine& machine, uint64_t value, uint32_t bits) {
  if (bits != 64 || value >> 32 == 0) return std::to_string(value);
  if (value >> 32 == 0xffffffff && (value & 0xffffffff) < machine.program().slots)
    return thread_text(static_cast<uint32_t>(value));
  const uint64_t object = (value >> 32) - 1;
  return object < machine.program().objects.size() ? "&" + machine.name_of(value)
                                                   : std::to_string(value);
}

std::string cell_text(const Machine& machine, const CompiledCell& cell, const uint8_t* state) {
  const uint8_t* at = state + cell.offset;
  const uint32_t mask_bytes = machine.program().mask_bytes;
  switch (cell.kind) {
    case CellKind::Integer:
      if (cell.written_mask != 0 && (state[cell.written_offset] & cell.written_mask) == 0)
        return "?";
      return value_text(machine, cell.constant ? cell.initial : load_bytes(at, cell.bytes),
                        cell.bits);
    case CellKind::Condition:
      return "awaited by " + set_text(load_bytes(at, mask_bytes));
    case CellKind::Semaphore:
      return std::to_string(load_bytes(at, 2));
    case CellKind::Barrier:
      return "for " + std::to_string(*at) + ", reached by " +
             set_text(load_bytes(at + 1, mask_bytes));
    case CellKind::Once:
      return *at == 0 ? "new" : *at == 1 ? "running" : "done";
    case CellKind::RwLock: {
      std::string text = *at == 0 ? "free" : "written by " + thread_text(*at - 1u);
      for (uint32_t thread = 0; thread < machine.program().slots; ++thread)
        if (at[1 + thread] != 0) text += ", read by " + thread_text(thread);
      return text;
    }
    default:
      if (*at == kDestroyed) return "destroyed";
      if (*at == kUninitialised) return "not initialised";
      return *at == 0 ? "free" : "held by " + thread_text(*at - 1u);
  }
}

std::string where_text(Machine& machine, const uint8_t* state, uint32_t thread) {
  const Location& at = machine.location(state, thread);
  switch (at.phase) {
    case Phase::Unborn:
      return "";
    case Phase::Ended:
    case Phase::Joined:
      return "has ended";
    case Phase::Stopped:
      return "was stopped";
    default:
      break;
  }
  const Action next = machine.next_action(state, thread);
  std::string text(name(next.op));
  if (operation(next.op).object >= ObjectSort::Variable)
    text += " " + machine.name_of(value(next.object));
  if (at.phase == Phase::Exiting) return text;
  const graph::Routine& routine = machine.program().source.routines[at.routine];
  text += " in " + routine.name;
  const std::string& block = routine.blocks[at.block].name;
  text += ", block " + (block.empty() ? std::to_string(at.block) : block);
  const uint8_t* frame = state + machine.program().slot_frame[thread];
  for (uint32_t f = at.first_field; f < at.first_field + at.field_count; ++f) {
    const Field& field = machine.program().fields[f];
    const graph::Register& r = routine.registers[field.value];
    text += ", " + (r.name.empty() ? "r" + std::to_string(field.value) : r.name) + " = " +
            value_text(machine, load_bytes(frame + field.offset, field.bytes), r.bits);
  }
  return text;
}

}  // namespace

std::string memory_text(Machine& machine, const uint8_t* state) {
  const CompiledProgram& p = machine.program();
  std::string text;
  for (uint32_t o = 0; o < p.objects.size(); ++o) {
    const CompiledObject& object = p.objects[o];
    const graph::Object& source = p.source.objects[o];
    if (source.constant || (object.life != 0 && state[object.life] == 0)) continue;
    if (object.life != 0 && state[object.life] != 1) {
      text += source.name + " is gone\n";
      continue;
    }
    for (uint32_t c = 0; c < object.cell_count; ++c)
      text += source.name + source.cells[c].name + " = " +
              cell_text(machine, p.cells[object.first_cell + c], state) + "\n";
  }
  return text;
}

std::string state_text(Machine& machine, const uint8_t* state) {
  std::string text;
  for (uint32_t thread = 0; thread < machine.program().slots; ++thread)
    if (const std::string where = where_text(machine, state, thread); !where.empty())
      text += thread_text(thread) + ": " + where + "\n";
  return text + memory_text(machine, state);
}

}  // namespace heddle
