// What the next action of a thread touches, cell by cell, as far as its address says now.
#include "circuit/step_encoder.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {

using graph::ActionKind;

namespace {

bool only_reads(ActionKind kind) {
  return kind == ActionKind::Load || kind == ActionKind::AtomicLoad || kind == ActionKind::SemValue;
}
bool waits_for_lock(ActionKind kind) {
  return kind == ActionKind::MutexLock || kind == ActionKind::RwRead || kind == ActionKind::RwWrite;
}

}  // namespace

void StepEncoder::touch_cells(Literal at, const Path& path, graph::ExprId address, bool writes,
                              bool locks, const StateSpace& space, NextTouches& into) {
  std::vector<Literal> known;
  for (const Target& target : cells_at(path, address)) {
    const Literal when = aig_.land(at, target.match);
    known.push_back(when);
    into.touches.push_back({target.cell, writes, when});
    if (locks) into.waits.push_back(into.touches.back());
    const uint32_t object = program().cells[target.cell].object;
    if (program().objects[object].life != 0)
      into.touches.push_back({space.resource_of_life(graph::ObjectId{object}), false, when});
  }
  into.unknown = aig_.lor(into.unknown, aig_.land(at, !aig_.lor(known)));
}

StepEncoder::NextTouches StepEncoder::next_touches(const StateSpace& space) {
  NextTouches result;
  for (uint32_t code = 0; code < plan().stops.size(); ++code) {
    const Stop& stop = plan().stops[code];
    if (stop.kind == StopKind::Exiting)
      result.touches.push_back({space.resource_of_thread(slot_), true, at_[code]});
    const bool acts = stop.kind == StopKind::Action || stop.kind == StopKind::Blocked ||
                      stop.kind == StopKind::Woken;
    if (!acts) continue;
    routine_ = stop.routine;
    const Action& action = routine().blocks[stop.block].action;
    const Path path = standing(code);
    if (action.kind == ActionKind::Join) {
      const Word handle = value(path, action.value);
      std::vector<Literal> known;
      for (uint32_t other = 0; other < program().slots; ++other) {
        known.push_back(aig_.land(at_[code], equal(aig_, handle, handle_of(other))));
        result.touches.push_back({space.resource_of_thread(other), true, known.back()});
      }
      result.unknown = aig_.lor(result.unknown, aig_.land(at_[code], !aig_.lor(known)));
    }
    const bool relocks = action.kind == ActionKind::CondWait && stop.kind == StopKind::Woken;
    if (action.address != graph::kNoExpr && !relocks)
      touch_cells(at_[code], path, action.address, !only_reads(action.kind),
                  waits_for_lock(action.kind), space, result);
    if (action.kind == ActionKind::CondWait && stop.kind != StopKind::Blocked)
      touch_cells(at_[code], path, action.second, true, relocks, space, result);
  }
  return result;
}

}  // namespace heddle::circuit
