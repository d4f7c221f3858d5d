// The static half of conditional stubborn sets: "touch now" and "touch now or later" of Kahlon,
// Gupta and Sinha, section 4.2, with the locks that are acquired on the way.
//
// What threads can meet at are the resources of the StateSpace. Locks, conditions, semaphores and
// barriers are cells like variables, and every operation on them is a write. An access to memory
// that is not there from the beginning reads the life of its object as well; free, the end of a
// local variable, and allocation write it. The end of a thread writes the thread: blocked
// joins wait for that.
// A thread that creates another has all that the other may do before it. (Its end is not counted:
// nobody can join a thread that is not there yet.)
//
// Some actions are no steps of their own (initialisation, free, the end of an atomic section): they
// happen in the step of the action before them, and rest_of_step() adds them to that.
#include "explicit/footprints.h"

#include <algorithm>
#include <deque>

namespace heddle::explicit_states {

using graph::ActionKind;
using graph::ExprId;
using graph::index;

namespace {

// Whether the interpreter never stops before it.
bool is_silent(const graph::Action& action) {
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::MutexInit:
    case ActionKind::CondInit:
    case ActionKind::RwInit:
    case ActionKind::SemInit:
    case ActionKind::BarrierInit:
    case ActionKind::Detach:
    case ActionKind::AtomicEnd:
    case ActionKind::Free:
    case ActionKind::OnceBegin:  // stopping there or not is the interpreter's choice
      return true;
    case ActionKind::AtomicBegin:
    case ActionKind::Create:
    case ActionKind::Join:
    case ActionKind::Choose:
      return false;
    default:
      return action.own;
  }
}

}  // namespace

Footprints::Footprints(const StateSpace& space)
    : space_(space),
      program_(space.program()),
      points_to_(program_),
      resources_(space.resource_count()) {
  facts_.resize(program_.routines.size());
  for (uint32_t routine = 0; routine < program_.routines.size(); ++routine) {
    const auto blocks = static_cast<uint32_t>(program_.routines[routine].blocks.size());
    facts_[routine].resize(blocks);
    for (uint32_t block = 0; block < blocks; ++block) look_at(routine, block);
    find_cycles(routine);
  }
}

void Footprints::add_access(Footprint& to, uint32_t routine, const graph::Action& action,
                            ExprId address, bool writes) const {
  const bool is_memory = action.kind >= ActionKind::Load && action.kind <= ActionKind::AtomicCas;
  graph::BitSet cells(resources_);
  points_to_.add_cells(graph::RoutineId{routine}, address, !is_memory, action.bits, cells);
  (writes ? to.writes : to.reads).merge(cells);
  cells.for_each([&](uint32_t cell) {
    const uint32_t object = points_to_.object_of_cell(cell);
    if (program_.objects[object].kind != graph::ObjectKind::Global) {
      to.reads.insert(space_.resource_of_life(graph::ObjectId{object}));
    }
  });
}

uint32_t Footprints::known_lock(uint32_t routine, ExprId address) const {
  return points_to_.only_cell(graph::RoutineId{routine}, address, true, 0);
}

void Footprints::add_life(Footprint& to, uint32_t routine, ExprId address) const {
  points_to_.objects(graph::RoutineId{routine}, address).for_each([&](uint32_t object) {
    add_new_life(to, graph::ObjectId{object});
  });
}

void Footprints::add_new_life(Footprint& to, graph::ObjectId object) const {
  to.writes.insert(space_.resource_of_life(object));
  const size_t cells = program_.objects[index(object)].cells.size();
  for (uint32_t i = 0; i < cells; ++i) to.resets.insert(points_to_.first_cell(object) + i);
}

void Footprints::look_at(uint32_t routine, uint32_t number) {
  const graph::Block& block = program_.routines[routine].blocks[number];
  const graph::Action& action = block.action;
  BlockFacts& facts = facts_[routine][number];
  facts.action = facts.statements = nothing();
  facts.ends_step = !is_silent(action);
  Footprint& touched = facts.action;
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::Yield:
    case ActionKind::Choose:
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
      break;
    case ActionKind::Load:
    case ActionKind::AtomicLoad:
    case ActionKind::SemValue:
      if (!action.own) add_access(touched, routine, action, action.address, false);
      break;
    case ActionKind::Create:
      facts.starts = index(action.routine);
      break;
    case ActionKind::Join:
      break;  // nobody can disturb it, and only the thread's end make it possible
    case ActionKind::Detach:
      for (uint32_t slot = 0; slot < space_.thread_slots(); ++slot) {
        touched.writes.insert(space_.resource_of_thread(slot));
      }
      break;
    case ActionKind::Free:
      add_access(touched, routine, action, action.address, true);
      add_life(touched, routine, action.address);
      break;
    case ActionKind::MutexInit:
    case ActionKind::RwInit:
      add_access(touched, routine, action, action.address, true);
      touched.resets.merge(touched.writes);
      break;
    case ActionKind::MutexLock:
    case ActionKind::RwRead:
    case ActionKind::RwWrite:
      facts.takes = known_lock(routine, action.address);
      add_access(touched, routine, action, action.address, true);
      break;
    case ActionKind::CondWait:
      facts.takes = known_lock(routine, action.second);
      facts.relocks = true;
      add_access(touched, routine, action, action.address, true);
      add_access(touched, routine, action, action.second, true);
      break;
    default:
      if (!action.own) add_access(touched, routine, action, action.address, true);
      break;
  }
  for (const graph::Statement& statement : block.statements) {
    if (statement.kind == graph::StatementKind::Allocate) facts.allocates.push_back(statement.site);
    if (statement.kind == graph::StatementKind::Release) {
      add_life(facts.statements, routine, statement.value);
    }
  }
  if (block.jump.kind == graph::JumpKind::Goto) facts.next = {index(block.jump.then)};
  if (block.jump.kind == graph::JumpKind::Branch) {
    facts.next = {index(block.jump.then), index(block.jump.otherwise)};
  }
  facts.closes.resize(facts.next.size());
}

// Edges to blocks that are on the path of a depth-first walk: every cycle has one.
void Footprints::find_cycles(uint32_t routine) {
  std::vector<BlockFacts>& blocks = facts_[routine];
  enum class Mark : uint8_t { New, OnPath, Done };
  std::vector<Mark> marks(blocks.size(), Mark::New);
  struct Step {
    uint32_t block;
    size_t edge;
  };
  std::vector<Step> path{{0, 0}};
  marks[0] = Mark::OnPath;
  while (!path.empty()) {
    Step& step = path.back();
    BlockFacts& facts = blocks[step.block];
    if (step.edge == facts.next.size()) {
      marks[step.block] = Mark::Done;
      path.pop_back();
      continue;
    }
    const uint32_t next = facts.next[step.edge];
    facts.closes[step.edge] = marks[next] == Mark::OnPath;
    ++step.edge;
    if (marks[next] == Mark::New) {
      marks[next] = Mark::OnPath;
      path.push_back({next, 0});
    }
  }
}

void Footprints::add_allocations(Footprint& to, uint32_t slot, const BlockFacts& facts) const {
  for (const uint32_t site : facts.allocates) {
    const auto& lists = program_.sites[site].objects;
    for (uint32_t thread = 0; thread < lists.size(); ++thread) {
      if (slot < lists.size() && thread != slot) continue;
      for (const graph::ObjectId object : lists[thread]) add_new_life(to, object);
    }
  }
}

Footprint Footprints::collect(const Position& position, const LockSet& locks) const {
  const auto held = [&](uint32_t lock) {
    return std::binary_search(locks.begin(), locks.end(), lock);
  };
  // By any thread: those that are created may have any slot.
  constexpr uint32_t kAnySlot = 0xffffffff;
  struct Visit {
    Node node;
    uint32_t slot;
    bool inside;
  };
  Footprint all = nothing();
  all.writes.insert(space_.resource_of_thread(position.slot));
  std::map<std::pair<Node, uint32_t>, bool> seen;
  std::deque<Visit> todo{{{position.routine, position.block}, position.slot, position.inside}};
  while (!todo.empty()) {
    const Visit visit = todo.front();
    todo.pop_front();
    const BlockFacts& here = facts(visit.node);
    const bool waits = here.takes != kNoLock && held(here.takes);
    if (waits && (!here.relocks || visit.inside)) continue;
    all.add(here.action);
    if (waits) continue;
    all.add(here.statements);
    add_allocations(all, visit.slot, here);
    const auto go_to = [&](Node node, uint32_t slot) {
      if (seen.emplace(std::pair{node, slot}, true).second) todo.push_back({node, slot, false});
    };
    for (const uint32_t next : here.next) go_to({visit.node.routine, next}, visit.slot);
    if (here.starts != kNoRoutine) go_to({here.starts, 0}, kAnySlot);
  }
  return all;
}

// From the action of the block on to the next that ends the step; of a section, to its end.
Footprint Footprints::collect_step(const Position& position, bool in_section) const {
  constexpr uint32_t kDeepest = 4;
  struct Visit {
    uint32_t block;
    uint32_t depth;  // sections within sections
  };
  Footprint all = nothing();
  std::map<std::pair<uint32_t, uint32_t>, bool> seen;
  std::deque<Visit> todo;
  const auto leave = [&](uint32_t block, uint32_t depth) {
    const BlockFacts& here = facts_[position.routine][block];
    all.add(here.statements);
    add_allocations(all, position.slot, here);
    for (const uint32_t next : here.next) {
      if (seen.emplace(std::pair{next, depth}, true).second) todo.push_back({next, depth});
    }
  };
  const auto kind_of = [&](uint32_t block) {
    return program_.routines[position.routine].blocks[block].action.kind;
  };
  if (in_section) all.add(facts_[position.routine][position.block].action);
  const bool begins = kind_of(position.block) == ActionKind::AtomicBegin;
  leave(position.block, in_section && !begins ? kDeepest : in_section ? 1 : 0);
  while (!todo.empty()) {
    const Visit visit = todo.front();
    todo.pop_front();
    const BlockFacts& here = facts_[position.routine][visit.block];
    const ActionKind kind = kind_of(visit.block);
    if (here.ends_step && visit.depth == 0) continue;
    all.add(here.action);
    uint32_t depth = visit.depth;
    if (depth > 0 && depth < kDeepest) {
      if (kind == ActionKind::AtomicBegin) ++depth;
      if (kind == ActionKind::AtomicEnd) --depth;
    }
    leave(visit.block, depth);
  }
  return all;
}

const Footprint& Footprints::later(const Position& position) {
  return later_without(position, {});
}

const Footprint& Footprints::later_without(const Position& position, const LockSet& locks) {
  const auto [at, is_new] = later_.try_emplace({position, locks});
  if (is_new) at->second = collect(position, locks);
  return at->second;
}

const Footprint& Footprints::rest_of_step(const Position& position) {
  const auto [at, is_new] = steps_.try_emplace(position);
  if (is_new) at->second = collect_step(position, false);
  return at->second;
}

const Footprint& Footprints::section(const Position& position) {
  const auto [at, is_new] = sections_.try_emplace(position);
  if (is_new) at->second = collect_step(position, true);
  return at->second;
}

bool Footprints::may_close_cycle(uint32_t routine, uint32_t block, bool in_section) {
  const auto [at, is_new] = may_close_.try_emplace({routine, block, in_section});
  if (!is_new) return at->second;
  bool closes = false;
  std::vector<bool> seen(facts_[routine].size());
  std::vector<uint32_t> todo{block};
  while (!todo.empty() && !closes) {
    const BlockFacts& here = facts_[routine][todo.back()];
    todo.pop_back();
    for (size_t edge = 0; edge < here.next.size(); ++edge) {
      const uint32_t next = here.next[edge];
      closes |= here.closes[edge];
      // A section may go on for as long as it likes: all that can be reached counts.
      if ((facts_[routine][next].ends_step && !in_section) || seen[next]) continue;
      seen[next] = true;
      todo.push_back(next);
    }
  }
  at->second = closes;
  return closes;
}

}  // namespace heddle::explicit_states
