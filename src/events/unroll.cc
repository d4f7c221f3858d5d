#include "events/unroll.h"

#include <utility>

#include "events/thread_unroller.h"
#include "interpreter/compiled.h"

namespace heddle::events {
namespace {

using circuit::kFalse;
using circuit::kTrue;

void refuse_mutexes(const graph::Program& program) {
  for (const graph::Object& object : program.objects)
    for (const graph::Cell& cell : object.cells)
      if (cell.kind == graph::CellKind::RecursiveMutex ||
          cell.kind == graph::CellKind::ErrorCheckMutex)
        throw Refusal{"recursive and error-checking mutexes have no encoding by events"};
}

// A thread that two others may join: which of them was first is not kept.
void refuse_joins(const EventProgram& program) {
  std::vector<uint32_t> joiner(program.slots, kNoEvent);
  for (const Join& join : program.joins) {
    const uint32_t slot = program.events[join.event].slot;
    if (joiner[join.joined] != kNoEvent && joiner[join.joined] != slot)
      throw Refusal{"a thread that several others may join has no encoding by events"};
    joiner[join.joined] = slot;
  }
}

void connect_joins(EventProgram& program) {
  for (const Join& join : program.joins) {
    program.constraints.push_back(program.aig.implies(join.taken, program.ended[join.joined]));
    program.stuck.emplace_back(program.events[join.event].slot,
                               program.aig.land(join.waits, !program.ended[join.joined]));
  }
}

void make_room(EventProgram& program) {
  program.slots = 1;
  for (uint32_t slot = 0; slot < program.plan.of_slot.size(); ++slot)
    if (!program.plan.of_slot[slot].routines.empty()) program.slots = slot + 1;
  program.of_slot.resize(program.slots);
  program.inputs.resize(program.slots);
  program.start.assign(program.slots, kNoEvent);
  program.end.assign(program.slots, kNoEvent);
  program.created.assign(program.slots, kFalse);
  program.ended.assign(program.slots, kFalse);
  program.created[0] = kTrue;
}

}  // namespace

std::variant<std::unique_ptr<EventProgram>, Refusal> unroll(const graph::Program& program,
                                                            const UnrollOptions& options) {
  auto out = std::make_unique<EventProgram>();
  try {
    refuse_mutexes(program);
    out->plan = circuit::plan_threads(compile(program));
    make_room(*out);
    const Sharing sharing(out->plan);
    Unrolling shared{*out, sharing, options, CellWords(*out), {}, {}};
    shared.results.resize(out->slots);
    ThreadUnroller(shared, 0, 0).run(nullptr);
    // Children have larger numbers than those who create them.
    for (uint32_t slot = 1; slot < out->slots; ++slot) {
      const auto found = shared.begins.find(slot);
      if (found == shared.begins.end()) continue;
      const Beginning beginning = found->second;
      ThreadUnroller(shared, slot, beginning.routine).run(&beginning);
    }
    refuse_joins(*out);
    connect_joins(*out);
  } catch (const Refusal& refusal) {
    return refusal;
  }
  return out;
}

}  // namespace heddle::events
