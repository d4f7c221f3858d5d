// Events, and what they access. A cell that only this thread ever accesses, and any cell as long as
// main is alone, has a value that is known from the walk: no event has to be asked for it.
#include <fmt/format.h>

#include "events/thread_unroller.h"
#include "interpreter/state_space.h"

namespace heddle::events {

using circuit::kFalse;
using graph::ActionKind;

uint32_t ThreadUnroller::begin_event(Walk& walk, EventKind kind, const graph::Action& action) {
  reached_ = walk.guard;
  if (alone(walk)) return kNoEvent;
  const auto number = static_cast<uint32_t>(out_.events.size());
  Event event;
  event.kind = kind;
  event.action = action.kind;
  event.slot = slot_;
  event.number = static_cast<uint32_t>(out_.of_slot[slot_].size());
  event.reached = walk.guard;
  event.taken = aig_.land(walk.guard, aig_.add_input(""));
  event.after = walk.after;
  walk.guard = event.taken;
  out_.events.push_back(std::move(event));
  out_.of_slot[slot_].push_back(number);
  return number;
}

// Of what belongs to the step before: the thread does not stop there.
uint32_t ThreadUnroller::begin_silent(Walk& walk) {
  const Literal before = walk.guard;
  const uint32_t number = begin_event(walk, EventKind::Action, {});
  if (number == kNoEvent) return number;
  out_.events[number].silent = true;
  out_.events[number].taken = walk.guard = before;
  return number;
}

uint32_t ThreadUnroller::event_for(Walk& walk, const graph::Action& action,
                                   const std::vector<Target>& targets) {
  if (!action.own) return begin_event(walk, EventKind::Action, action);
  for (const Target& target : targets)
    if (!is_known_here(walk, target.cell)) return begin_silent(walk);
  reached_ = walk.guard;
  return kNoEvent;
}

std::vector<ThreadUnroller::Target> ThreadUnroller::targets(const Walk& walk,
                                                            const graph::Action& action,
                                                            graph::ExprId address, bool sync) {
  const CompiledProgram& program = *out_.plan.program;
  graph::BitSet cells(program.cells.size());
  shared_.sharing.add_targets(slot_, routine_, address, sync, action.bits, action.own, cells);
  const Word pointer = value(walk, address);
  std::vector<Target> found;
  cells.for_each([&](uint32_t cell) {
    const uint32_t object = program.cells[cell].object;
    const graph::Cell& text =
        program.source.objects[object].cells[cell - program.objects[object].first_cell];
    const Literal match =
        circuit::equal(aig_, pointer, graph::pointer_to(graph::ObjectId{object}, text.offset));
    if (match != kFalse) found.push_back({cell, match});
  });
  return found;
}

void ThreadUnroller::require_target(Walk& walk, uint32_t event, const std::vector<Target>& targets,
                                    const graph::Place& place) {
  const CompiledProgram& program = *out_.plan.program;
  std::vector<Literal> good;
  for (const Target& target : targets) {
    const uint32_t object = program.cells[target.cell].object;
    Literal there = target.match;
    if (program.objects[object].life != 0) {
      const Word lives = see(walk, event, {shared_.words.life_of(object), target.match});
      there = aig_.land(there, lives.front());
    }
    good.push_back(there);
  }
  go_beyond(walk, !aig_.lor(good),
            fmt::format("line {}: whether memory is there is not decided by events", place.line));
}

bool ThreadUnroller::is_known_here(const Walk& walk, uint32_t cell) const {
  return alone(walk) || !shared_.sharing.is_shared(cell);
}

const Word& ThreadUnroller::known(Walk& walk, uint32_t cell) {
  const auto [found, is_new] = walk.cells.try_emplace(cell);
  if (is_new) found->second = shared_.words.initial(cell);
  return found->second;
}

Access& ThreadUnroller::access(uint32_t event, const Target& target) {
  Event& e = out_.events[event];
  for (Access& each : e.accesses)
    if (each.cell == target.cell) return each;
  e.accesses.push_back({target.cell, aig_.land(e.taken, target.match), false, false, {}, {}});
  return e.accesses.back();
}

Word ThreadUnroller::see(Walk& walk, uint32_t event, const Target& target) {
  if (is_known_here(walk, target.cell)) return known(walk, target.cell);
  if (!shared_.sharing.changes(target.cell)) return out_.initial.at(target.cell);
  Access& a = access(event, target);
  if (!a.reads) {
    a.reads = true;
    a.seen = circuit::input_word(aig_, "", shared_.words.bits(target.cell));
  }
  return a.seen;
}

void ThreadUnroller::put(Walk& walk, uint32_t event, const Target& target, const Word& word) {
  if (is_known_here(walk, target.cell)) {
    Word changed = circuit::choose(aig_, target.match, word, known(walk, target.cell));
    walk.cells[target.cell] = std::move(changed);
    return;
  }
  Access& a = access(event, target);
  a.writes = true;
  a.stored = word;
}

void ThreadUnroller::must_be_possible(Walk& walk, uint32_t event, ActionKind action, EventKind kind,
                                      const Target& target, const Word& seen) {
  const Literal possible = shared_.words.possible(action, kind, seen, slot_);
  if (is_known_here(walk, target.cell)) {
    const Literal never = aig_.land(target.match, !possible);
    out_.stuck.emplace_back(slot_, aig_.land(reached_, never));
    if (event != kNoEvent) out_.constraints.push_back(aig_.implies(walk.guard, !never));
    walk.guard = aig_.land(walk.guard, !never);
    return;
  }
  const Event& e = out_.events[event];
  out_.constraints.push_back(aig_.implies(aig_.land(e.taken, target.match), possible));
  out_.waits.push_back(
      {slot_, target.cell, aig_.land({e.reached, !e.taken, target.match}), action, kind});
}

Literal ThreadUnroller::holds(const Walk& walk, uint32_t cell) const {
  const auto found = walk.holds.find(cell);
  return found == walk.holds.end() ? kFalse : found->second;
}

void ThreadUnroller::set_holds(Walk& walk, const Target& target, bool held) {
  walk.holds[target.cell] =
      aig_.mux(target.match, circuit::constant(held), holds(walk, target.cell));
}

// Whether the lock is one that was free or held when the first thread was created.
bool ThreadUnroller::is_initialised(uint32_t cell) {
  const Word& word = out_.initial.at(cell);
  return circuit::equal(aig_, word, shared_.words.uninitialised_lock()) == kFalse &&
         circuit::equal(aig_, word, shared_.words.destroyed_lock()) == kFalse;
}

void ThreadUnroller::note_standing(uint32_t event, const graph::Action& action,
                                   const std::vector<Target>& targets) {
  if (event == kNoEvent || out_.events[event].silent) return;
  const Event& e = out_.events[event];
  const bool writes = action.kind != ActionKind::Load && action.kind != ActionKind::AtomicLoad;
  const bool plain = action.kind == ActionKind::Load || action.kind == ActionKind::Store;
  for (const Target& target : targets)
    if (shared_.sharing.is_shared(target.cell))
      out_.standing.push_back(
          {slot_, target.cell, aig_.land({e.reached, !e.taken, target.match}), writes, plain});
}

}  // namespace heddle::events
