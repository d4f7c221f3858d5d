// Whether a thread can take its next action, and in how many ways (interpreter/machine_view.cc);
// what is an error as soon as a thread comes to an action.
#include <algorithm>

#include "circuit/step_encoder.h"
#include "interpreter/state_space.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {

using graph::ActionKind;
using graph::CellKind;

Ways StepEncoder::ways(const Path& path, uint32_t block) {
  const Action& action = routine().blocks[block].action;
  if (is_always_possible(action.kind)) return {};
  if (action.kind == ActionKind::Join) return join_ways(path, action);
  if (action.kind == ActionKind::Choose) {
    const Word count = value(path, action.value);
    return {kTrue, !any(aig_, Word(count.begin() + 1, count.end()))};
  }
  // Where it leads to nothing, the step will say what is wrong.
  std::vector<Literal> blocked, several;
  for (const Target& target : cells_at(path, action.address)) {
    const Ways here = ways_at(path, action, target);
    blocked.push_back(aig_.land(target.match, !here.possible));
    several.push_back(aig_.land(target.match, !here.only_one));
  }
  return {!aig_.lor(blocked), !aig_.lor(several)};
}

Ways StepEncoder::ways_at(const Path& path, const Action& action, const Target& target) {
  const CompiledCell& cell = program().cells[target.cell];
  const CellFields& fields = e_.fields.cells[target.cell];
  const ObjectFields& object = e_.fields.objects[cell.object];
  const Literal dead = object.there == kNoField ? kFalse : !get(path, object.there)[0];
  switch (action.kind) {
    case ActionKind::MutexLock: {
      if (!is_mutex(cell.kind)) return {};
      const Literal free = !any(aig_, get(path, fields.holder));
      const Literal again = aig_.land(
          mine(path, target.cell), aig_.lor(is_kind(path, target.cell, CellKind::RecursiveMutex),
                                            is_kind(path, target.cell, CellKind::ErrorCheckMutex)));
      return {aig_.lor({dead, free, again})};
    }
    case ActionKind::CondSignal: {
      if (cell.kind != CellKind::Condition) return {};
      const Word& waiters = get(path, fields.waiters);
      const Word count = count_ones(aig_, waiters, 7);
      return {kTrue, aig_.lor(dead, less(aig_, count, constant_word(2, 7)))};
    }
    case ActionKind::OnceBegin:
      if (cell.kind != CellKind::Once) return {};
      return {aig_.lor(
          dead, !equal(aig_, get(path, fields.value), static_cast<uint64_t>(OnceState::Running)))};
    case ActionKind::RwRead:
      if (cell.kind != CellKind::RwLock) return {};
      return {aig_.lor({dead, !any(aig_, get(path, fields.holder)), mine(path, target.cell)})};
    case ActionKind::RwWrite:
      if (cell.kind != CellKind::RwLock) return {};
      return {aig_.lor({dead, get(path, fields.no_lock)[0], can_write(path, target.cell),
                        mine(path, target.cell)})};
    default:
      if (cell.kind != CellKind::Semaphore) return {};
      return {aig_.lor({dead, get(path, fields.no_lock)[0], any(aig_, get(path, fields.count))})};
  }
}

Ways StepEncoder::join_ways(const Path& path, const Action& action) {
  const Word handle = value(path, action.value);
  std::vector<Literal> waiting;
  for (uint32_t other = 0; other < program().slots; ++other)
    waiting.push_back(aig_.land({equal(aig_, handle, handle_of(other)),
                                 !stands(path, other, kUnborn), !stands(path, other, kEnded)}));
  return {!aig_.lor(waiting)};
}

// Woken in a condition wait: the mutex is free, or no lock any more.
Literal StepEncoder::can_relock(const Path& path, uint32_t block) {
  const Action& action = routine().blocks[block].action;
  std::vector<Literal> taken;
  for (const Target& target : cells_at(path, action.second))
    if (is_mutex(program().cells[target.cell].kind))
      taken.push_back(
          aig_.land(target.match, any(aig_, get(path, e_.fields.cells[target.cell].holder))));
  return !aig_.lor(taken);
}

Literal StepEncoder::able() {
  std::vector<Literal> can;
  for (uint32_t code = 0; code < plan().stops.size(); ++code) {
    const Stop& stop = plan().stops[code];
    routine_ = stop.routine;
    switch (stop.kind) {
      case StopKind::Unborn:
      case StopKind::Ended:
      case StopKind::Joined:
      case StopKind::Blocked:
        break;
      case StopKind::Action:
        can.push_back(aig_.land(at_[code], ways(standing(code), stop.block).possible));
        break;
      case StopKind::Woken: {
        const bool locks = routine().blocks[stop.block].action.kind == ActionKind::CondWait;
        can.push_back(aig_.land(at_[code], locks ? can_relock(standing(code), stop.block) : kTrue));
        break;
      }
      default:
        can.push_back(at_[code]);
    }
  }
  return aig_.lor(can);
}

Literal StepEncoder::live() const {
  return !aig_.lor({at_[kUnborn], at_[kEnded], at_[kJoined]});
}

// The alternative that the circuit's inputs name exists.
void StepEncoder::allow_choices(uint32_t block) {
  const Action& action = routine().blocks[block].action;
  if (action.kind != ActionKind::Choose && action.kind != ActionKind::CondSignal) return;
  const uint32_t code = plan().code_of(StopKind::Action, routine_, block);
  const Path path = standing(code);
  if (action.kind == ActionKind::Choose) {
    const Word count = resized(value(path, action.value), 64);
    const Word choice = resized(e_.choice, 64);
    const Literal fits = aig_.lor(less(aig_, choice, count), !any(aig_, choice));
    e_.allowed.push_back(aig_.implies(aig_.land(e_.execute[slot_], path.guard), fits));
    return;
  }
  const Word choice = resized(e_.choice, 64);
  std::vector<Literal> fits{!any(aig_, choice)};
  for (const Target& target : cells_at(path, action.address)) {
    if (program().cells[target.cell].kind != CellKind::Condition) continue;
    const Word count =
        resized(count_ones(aig_, get(path, e_.fields.cells[target.cell].waiters), 7), 64);
    fits.push_back(aig_.land(target.match, less(aig_, choice, count)));
  }
  e_.allowed.push_back(aig_.implies(aig_.land(e_.execute[slot_], path.guard), aig_.lor(fits)));
}

void StepEncoder::check_arrival(Path& path, uint32_t block) {
  const Action& action = routine().blocks[block].action;
  if (action.kind == ActionKind::Join) return check_join(path, action);
  if (action.kind != ActionKind::MutexLock) return;
  for (const Target& target : cells_at(path, action.address)) {
    const CompiledCell& cell = program().cells[target.cell];
    if (!is_mutex(cell.kind)) continue;
    const Literal again = aig_.lor(is_kind(path, target.cell, CellKind::SpinLock),
                                   is_kind(path, target.cell, CellKind::Mutex));
    fail(path, FindingKind::Deadlock, aig_.land({target.match, mine(path, target.cell), again}));
  }
}

void StepEncoder::check_join(Path& path, const Action& action) {
  const Word handle = value(path, action.value);
  std::vector<Literal> exists;
  for (uint32_t other = 0; other < program().slots; ++other)
    exists.push_back(aig_.land({equal(aig_, handle, handle_of(other)),
                                !stands(path, other, kUnborn), !stands(path, other, kJoined)}));
  fail(path, FindingKind::ThreadMisuse, !aig_.lor(exists));
  beyond(path, equal(aig_, handle, handle_of(slot_)));
  for (uint32_t other = 0; other < program().slots; ++other)
    if (const FieldId detached = e_.fields.slots[other].detached; detached != kNoField)
      fail(path, FindingKind::ThreadMisuse, aig_.land(exists[other], get(path, detached)[0]));
  // Somebody else waits for it already.
  for (uint32_t other = 0; other < program().slots; ++other) {
    if (other == slot_) continue;
    StepEncoder theirs(e_, other);
    for (uint32_t code = 0; code < theirs.plan().stops.size(); ++code) {
      const Stop& stop = theirs.plan().stops[code];
      if (stop.kind != StopKind::Action) continue;
      theirs.routine_ = stop.routine;
      const Action& next = theirs.routine().blocks[stop.block].action;
      if (next.kind != ActionKind::Join) continue;
      const Word waits = theirs.value(theirs.standing(code), next.value);
      fail(path, FindingKind::ThreadMisuse,
           aig_.land(stands(path, other, code), equal(aig_, waits, handle)));
    }
  }
}

// Another thread that is blocked at the object.
Literal StepEncoder::somebody_waits_at(const Path& path, const Word& pointer) {
  std::vector<Literal> waiting;
  for (uint32_t other = 0; other < program().slots; ++other) {
    if (other == slot_) continue;
    StepEncoder theirs(e_, other);
    for (uint32_t code = 0; code < theirs.plan().stops.size(); ++code) {
      const Stop& stop = theirs.plan().stops[code];
      if (stop.kind != StopKind::Action) continue;
      theirs.routine_ = stop.routine;
      const Action& next = theirs.routine().blocks[stop.block].action;
      if (next.kind != ActionKind::SemWait) continue;
      Path there = theirs.standing(code);
      there.after = path.after;
      waiting.push_back(aig_.land({stands(path, other, code),
                                   equal(aig_, theirs.value(there, next.address), pointer),
                                   !theirs.ways(there, stop.block).possible}));
    }
  }
  return aig_.lor(waiting);
}

// As prove/judged_space.cc: cells of whatever width, whether they are there or not.
std::vector<StepEncoder::Access> StepEncoder::about_to_access() {
  struct Lists {
    std::vector<Literal> any, writes, plain;
  };
  std::vector<Lists> of_cell(program().cells.size());
  for (uint32_t code = 0; code < plan().stops.size(); ++code) {
    const Stop& stop = plan().stops[code];
    if (stop.kind != StopKind::Action) continue;
    routine_ = stop.routine;
    const Action& action = routine().blocks[stop.block].action;
    if (action.kind < ActionKind::Load || action.kind > ActionKind::AtomicCas) continue;
    const Path path = standing(code);
    for (const Target& target : cells_at(path, action.address)) {
      Lists& lists = of_cell[target.cell];
      const CompiledCell& cell = program().cells[target.cell];
      const Literal is = aig_.land(at_[code], target.match);
      lists.any.push_back(is);
      if (action.kind == ActionKind::Load || action.kind == ActionKind::Store)
        lists.plain.push_back(is);
      if (action.kind == ActionKind::Load || action.kind == ActionKind::AtomicLoad) continue;
      const bool compares = action.kind == ActionKind::AtomicCas &&
                            cell.kind == CellKind::Integer && cell.bits == action.bits;
      const Literal writes =
          compares ? equal(aig_, read(path, target.cell), value(path, action.second)) : kTrue;
      lists.writes.push_back(aig_.land(is, writes));
    }
  }
  std::vector<Access> result;
  for (const Lists& lists : of_cell)
    result.push_back({aig_.lor(lists.any), aig_.lor(lists.writes), aig_.lor(lists.plain)});
  return result;
}

}  // namespace heddle::circuit
