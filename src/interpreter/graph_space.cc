#include "interpreter/graph_space.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "interpreter/state_text.h"
#include "model/dependence.h"

namespace heddle {
namespace {

std::shared_ptr<ThreadSlots> slots_for(const CompiledProgram& program) {
  return std::make_shared<ThreadSlots>(program.slots);
}

}  // namespace

GraphSpace::GraphSpace(graph::Program program) : GraphSpace(compile(std::move(program)), nullptr) {}

GraphSpace::GraphSpace(const std::shared_ptr<const CompiledProgram>& program,
                       std::shared_ptr<ThreadSlots> slots)
    : machine_(program, slots != nullptr ? std::move(slots) : slots_for(*program)) {}

std::unique_ptr<StateSpace> GraphSpace::clone() const {
  return std::make_unique<GraphSpace>(machine_.shared_program(), machine_.shared_slots());
}

void GraphSpace::moves(const uint8_t* state, std::vector<Move>& into) {
  into.clear();
  const int32_t only = machine_.exclusive(state);
  const uint32_t first = only < 0 ? 0 : static_cast<uint32_t>(only);
  const uint32_t end = only < 0 ? thread_slots() : first + 1;
  for (uint32_t thread = first; thread < end; ++thread) {
    const uint32_t choices = machine_.choices(state, thread);
    for (uint32_t choice = 0; choice < choices; ++choice) into.push_back({thread, choice});
  }
}

Outcome GraphSpace::take(const uint8_t* from, Move move, uint8_t* to) {
  if (from != to) memcpy(to, from, state_size());
  return machine_.step(to, move.thread, move.choice);
}

bool GraphSpace::is_deadlock(const uint8_t* state) {
  bool live = false;
  for (uint32_t thread = 0; thread < thread_slots(); ++thread) {
    if (machine_.choices(state, thread) > 0) return false;
    live = live || machine_.is_live(state, thread);
  }
  return live;
}

// As the explorer words it.
Failure GraphSpace::deadlock(const uint8_t* state) {
  std::vector<uint32_t> blocked;
  for (uint32_t thread = 0; thread < thread_slots(); ++thread)
    if (machine_.is_live(state, thread)) blocked.push_back(thread);
  Failure failure{FindingKind::Deadlock, "deadlock:"};
  uint32_t place = blocked.empty() ? 0 : blocked.front();
  for (size_t i = 0; i < blocked.size(); ++i) {
    if (i > 0) failure.message += i + 1 == blocked.size() ? " and" : ",";
    failure.message += " thread " + std::to_string(blocked[i]);
  }
  failure.message += blocked.size() == 1 ? " is blocked" : " are blocked";
  // Who waits in a join is seldom where the deadlock is.
  for (uint32_t thread : blocked)
    if (machine_.next_action(state, place).op == Op::ThreadJoin) place = thread;
  failure.thread = ThreadId{place};
  failure.pc = machine_.next_action(state, place).pc;
  return failure;
}

NextAction GraphSpace::next_action(const uint8_t* state, uint32_t thread) {
  const Location& at = machine_.location(state, thread);
  const Action action = machine_.next_action(state, thread);
  NextAction next;
  next.op = action.op;
  next.routine = graph::RoutineId{at.routine};
  next.block = graph::BlockId{at.block};
  if (at.phase == Phase::Action || at.phase == Phase::Blocked || at.phase == Phase::Woken)
    next.kind = program().routines[at.routine].blocks[at.block].action.kind;
  next.in_section = action.in_section;
  next.opens_section = action.op == Op::AtomicBegin;
  const int32_t only = machine_.exclusive(state);
  const bool kept_out = only >= 0 && static_cast<uint32_t>(only) != thread;
  next.choices = kept_out ? 0 : machine_.choices(state, thread);
  add_touches(action, next);
  return next;
}

void GraphSpace::touch_cell(Address address, bool writes, NextAction& into) const {
  const uint32_t cell = machine_.cell_of(address);
  if (cell == kNoCell) {
    into.meets_everything = true;  // it fails
    return;
  }
  into.touches[into.touch_count++] = {cell, writes};
  const uint32_t object = graph::index(layout().cells[cell].object);
  if (layout().life[object] != StateLayout::kAlways)
    into.touches[into.touch_count++] = {resource_of_life(graph::ObjectId{object}), false};
}

void GraphSpace::add_touches(const Action& action, NextAction& into) const {
  const auto number = static_cast<uint32_t>(value(action.object));
  const auto touch_thread = [&](uint32_t slot) {
    if (slot >= thread_slots())
      into.meets_everything = true;
    else
      into.touches[into.touch_count++] = {resource_of_thread(slot), true};
  };
  if (action.op == Op::ExitHandler) return;  // there are none
  switch (operation(action.op).accesses) {
    case Footprint::Nothing:
      return;
    case Footprint::ThreadBegin:
    case Footprint::ThreadEnd:
      return touch_thread(index(action.thread));
    case Footprint::ThreadCreated:
    case Footprint::ThreadJoined:
    case Footprint::ThreadState:
      // Without a slot for it the thread goes beyond the bound.
      return touch_thread(action.op == Op::ThreadCreate && number == 0 ? thread_slots() : number);
    case Footprint::ObjectAndMutex:
      touch_cell(action.second, true, into);
      return touch_cell(action.object, true, into);
    case Footprint::ObjectRead:
    case Footprint::MemoryRead:
      return touch_cell(action.object, false, into);
    case Footprint::MemoryUpdate:
      return touch_cell(action.object, action.second != kWouldFail, into);
    case Footprint::Object:
    case Footprint::FirstOnly:
    case Footprint::Arrival:
    case Footprint::RwRelease:
    case Footprint::Guard:
    case Footprint::MemoryWrite:
      return touch_cell(action.object, true, into);
    default:
      into.meets_everything = true;
  }
}

void GraphSpace::locks_held(const uint8_t* state, uint32_t thread, std::vector<uint32_t>& into) {
  into.clear();
  const std::vector<StateLayout::CellLayout>& cells = layout().cells;
  for (uint32_t cell = 0; cell < cells.size(); ++cell)
    if (cells[cell].holds_thread && state[cells[cell].bytes.offset] == thread + 1)
      into.push_back(cell);
}

void GraphSpace::pointers(const uint8_t* state, std::vector<uint32_t>& into) {
  into.clear();
  const CompiledProgram& p = machine_.program();
  const auto add_cells = [&](const CompiledObject& object) {
    for (uint32_t c = object.first_cell; c < object.first_cell + object.cell_count; ++c)
      if (p.layout.cells[c].may_point) into.push_back(p.cells[c].offset);
  };
  for (const CompiledObject& object : p.objects)
    if (object.life == 0) add_cells(object);
  for (uint32_t thread = 0; thread < p.slots; ++thread) {
    const Location& at = machine_.location(state, thread);
    for (uint32_t f = at.first_field; f < at.first_field + at.field_count; ++f)
      if (p.fields[f].bytes == 8) into.push_back(p.slot_frame[thread] + p.fields[f].offset);
    const bool has_result = at.phase == Phase::Ended || at.phase == Phase::Exiting;
    if (has_result && p.has.results) into.push_back(p.slot_frame[thread]);
  }
  for (const CompiledObject& object : p.objects)
    if (object.life != 0 && state[object.life] == 1) add_cells(object);
}

StateSpace::Birth GraphSpace::birth(uint32_t thread) const {
  const ThreadSlots::Birth birth = machine_.shared_slots()->birth(thread);
  return {birth.parent, birth.nth};
}

std::string GraphSpace::state_text(const uint8_t* state) {
  return heddle::state_text(machine_, state);
}

}  // namespace heddle
