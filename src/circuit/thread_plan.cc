#include "circuit/thread_plan.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {
namespace {

using graph::ActionKind;
using graph::index;

// Never a step, whoever takes it (interpreter/machine.cc).
bool is_never_step(ActionKind kind) {
  switch (kind) {
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
      return true;
    default:
      return false;
  }
}

bool stops_before(const graph::Action& action) {
  if (is_never_step(action.kind)) return false;
  return !action.own || !is_always_possible(action.kind);
}

bool waits_inside(ActionKind kind) {
  return kind == ActionKind::CondWait || kind == ActionKind::BarrierWait;
}

RoutinePlan plan_routine(const graph::Routine& routine) {
  RoutinePlan plan;
  const auto count = static_cast<uint32_t>(routine.blocks.size());
  plan.rank.assign(count, RoutinePlan::kUnreached);
  plan.resumes.assign(count, false);
  for (const graph::Block& block : routine.blocks) plan.stops.push_back(stops_before(block.action));
  // Depth first; a block is done when all it leads to are.
  std::vector<bool> seen(count);
  std::vector<std::pair<uint32_t, uint32_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const graph::Jump& jump = routine.blocks[block].jump;
    const graph::BlockId targets[] = {jump.then, jump.otherwise};
    if (next == 2) {
      plan.order.push_back(block);
      stack.pop_back();
      continue;
    }
    const graph::BlockId target = targets[next++];
    if (target == graph::kNoBlock || seen[index(target)]) continue;
    seen[index(target)] = true;
    stack.emplace_back(index(target), 0);
  }
  std::reverse(plan.order.begin(), plan.order.end());
  for (uint32_t i = 0; i < plan.order.size(); ++i) plan.rank[plan.order[i]] = i;
  for (const uint32_t block : plan.order)
    for (const graph::BlockId to :
         {routine.blocks[block].jump.then, routine.blocks[block].jump.otherwise})
      if (to != graph::kNoBlock && plan.rank[index(to)] <= plan.rank[block] &&
          !plan.stops[index(to)])
        plan.resumes[index(to)] = true;
  return plan;
}

// How many threads may have been created before each block, as bits; the last stands for more.
std::vector<uint64_t> creations_before(const graph::Routine& routine, const RoutinePlan& plan) {
  std::vector<uint64_t> counts(routine.blocks.size());
  counts[0] = 1;
  for (bool grown = true; grown;) {
    grown = false;
    for (const uint32_t block : plan.order) {
      uint64_t after = counts[block];
      if (routine.blocks[block].action.kind == ActionKind::Create)
        after = after << 1 | (after & uint64_t{1} << 63);
      for (const graph::BlockId to :
           {routine.blocks[block].jump.then, routine.blocks[block].jump.otherwise}) {
        if (to == graph::kNoBlock) continue;
        grown = grown || (after & ~counts[index(to)]) != 0;
        counts[index(to)] |= after;
      }
    }
  }
  return counts;
}

class Planner {
 public:
  explicit Planner(std::shared_ptr<const CompiledProgram> program) {
    plan_.slots = std::make_shared<ThreadSlots>(program->slots);
    plan_.program = std::move(program);
    plan_.of_slot.resize(plan_.program->slots);
  }

  ThreadPlan run() {
    for (const graph::Routine& routine : source().routines) {
      plan_.of_routine.push_back(plan_routine(routine));
      plan_.liveness.push_back(std::make_unique<graph::Liveness>(routine));
      creations_.push_back(creations_before(routine, plan_.of_routine.back()));
    }
    plan_.of_slot[0].routines = {0};
    for (uint32_t slot = 0; slot < plan_.of_slot.size(); ++slot) give_birth(slot);
    for (SlotPlan& slot : plan_.of_slot) place_stops(slot);
    return std::move(plan_);
  }

 private:
  const graph::Program& source() const { return plan_.program->source; }

  // All children get their numbers now: in the order of the parents' numbers.
  void give_birth(uint32_t number) {
    std::vector<std::vector<uint32_t>> of_child;  // routines
    for (size_t i = 0; i < plan_.of_slot[number].routines.size(); ++i) {
      const uint32_t r = plan_.of_slot[number].routines[i];
      for (const uint32_t block : plan_.of_routine[r].order) {
        const graph::Action& action = source().routines[r].blocks[block].action;
        if (action.kind != ActionKind::Create) continue;
        for (uint64_t left = creations_[r][block]; left != 0; left &= left - 1) {
          const auto before = static_cast<size_t>(std::countr_zero(left));
          if (of_child.size() <= before) of_child.resize(before + 1);
          of_child[before].push_back(index(action.routine));
        }
      }
    }
    for (uint32_t n = 0; n < of_child.size(); ++n) {
      const uint32_t child = plan_.slots->child(number, n + 1);
      plan_.of_slot[number].creates = true;
      plan_.of_slot[number].children.push_back(child);
      if (child == 0) break;
      for (const uint32_t routine : of_child[n]) {
        std::vector<uint32_t>& routines = plan_.of_slot[child].routines;
        if (std::ranges::find(routines, routine) == routines.end()) routines.push_back(routine);
      }
    }
  }

  void place_stops(SlotPlan& slot) {
    for (const StopKind kind :
         {StopKind::Unborn, StopKind::Ended, StopKind::Joined, StopKind::Exiting})
      slot.stops.push_back({.kind = kind, .location = fixed_location(kind)});
    for (const uint32_t r : slot.routines) {
      add(slot, {.kind = StopKind::Starting,
                 .routine = r,
                 .block = 0,
                 .location = plan_.program->routines[r].starting});
      for (const uint32_t b : plan_.of_routine[r].order) place_in_block(slot, r, b);
    }
  }
  static uint32_t fixed_location(StopKind kind) {
    switch (kind) {
      case StopKind::Ended:
        return static_cast<uint32_t>(FixedLocation::Ended);
      case StopKind::Joined:
        return static_cast<uint32_t>(FixedLocation::Joined);
      case StopKind::Exiting:
        return static_cast<uint32_t>(FixedLocation::Exiting);
      default:
        return static_cast<uint32_t>(FixedLocation::Unborn);
    }
  }

  void place_in_block(SlotPlan& slot, uint32_t r, uint32_t b) {
    const RoutinePlan& routine = plan_.of_routine[r];
    const CompiledBlock& block = plan_.program->routines[r].blocks[b];
    if (routine.stops[b])
      add(slot, {.kind = StopKind::Action, .routine = r, .block = b, .location = block.at});
    if (routine.stops[b] && waits_inside(block.action.kind)) {
      add(slot, {.kind = StopKind::Blocked, .routine = r, .block = b, .location = block.blocked});
      add(slot, {.kind = StopKind::Woken,
                 .routine = r,
                 .block = b,
                 .location = block.woken});  // wakes by the next code
    }
    if (routine.resumes[b]) {
      Stop stop{StopKind::Resume, r, b, 0, plan_.liveness[r]->before_action(graph::BlockId{b})};
      slot.stops.push_back(std::move(stop));
    }
    if (source().routines[r].blocks[b].jump.kind != graph::JumpKind::Exit) return;
    uint32_t turn = 0;
    const std::vector<Location>& locations = plan_.program->locations;
    while (locations[turn].phase != Phase::ExitTurn || locations[turn].routine != r ||
           locations[turn].block != b)
      ++turn;
    add(slot, {.kind = StopKind::ExitTurn, .routine = r, .block = b, .location = turn});
    add(slot, {.kind = StopKind::ProcessExit, .routine = r, .block = b, .location = turn + 1});
  }

  void add(SlotPlan& slot, Stop stop) {
    const Location& at = plan_.program->locations[stop.location];
    stop.live = graph::RegisterSet(source().routines[stop.routine].registers.size());
    for (uint32_t i = 0; i < at.field_count; ++i)
      stop.live.insert(plan_.program->fields[at.first_field + i].value);
    slot.stops.push_back(std::move(stop));
  }

  ThreadPlan plan_;
  std::vector<std::vector<uint64_t>> creations_;
};

}  // namespace

uint32_t SlotPlan::code_of(StopKind kind, uint32_t routine, uint32_t block) const {
  for (uint32_t code = 0; code < stops.size(); ++code)
    if (stops[code].kind == kind && stops[code].routine == routine && stops[code].block == block)
      return code;
  HEDDLE_CHECK(!"a place where threads stop");
}

uint32_t SlotPlan::bits() const {
  return static_cast<uint32_t>(std::bit_width(stops.size() - 1));
}

ThreadPlan plan_threads(std::shared_ptr<const CompiledProgram> program) {
  return Planner(std::move(program)).run();
}

}  // namespace heddle::circuit
