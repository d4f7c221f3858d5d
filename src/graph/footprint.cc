#include "graph/footprint.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::graph {
namespace {

// Sections are followed into each other so deep.
constexpr uint32_t kMostDepth = 3;

bool accesses_memory(ActionKind kind) {
  return kind >= ActionKind::Load && kind <= ActionKind::AtomicCas;
}

bool only_reads(ActionKind kind) {
  switch (kind) {
    case ActionKind::Load:
    case ActionKind::AtomicLoad:
    case ActionKind::RwRead:  // as the table of operations has it: readers do not meet
    case ActionKind::RwTryRead:
    case ActionKind::SemValue:
      return true;
    default:
      return false;
  }
}

bool takes_lock(ActionKind kind) {
  return kind == ActionKind::MutexLock || kind == ActionKind::RwRead || kind == ActionKind::RwWrite;
}
bool tries_lock(ActionKind kind) {
  return kind == ActionKind::MutexTryLock || kind == ActionKind::RwTryRead ||
         kind == ActionKind::RwTryWrite;
}

}  // namespace

bool TouchSet::merge(const TouchSet& other) {
  const auto flag = [](bool& mine, bool theirs) {
    const bool grows = theirs && !mine;
    mine = mine || theirs;
    return grows;
  };
  bool grown = reads.merge(other.reads);
  grown |= writes.merge(other.writes);
  grown |= flag(creates, other.creates);
  grown |= flag(joins, other.joins);
  grown |= flag(ends, other.ends);
  grown |= flag(meets_everything, other.meets_everything);
  return grown;
}

// Follows a routine from one place to the next steps.
class FootprintMaker {
 public:
  FootprintMaker(const Footprints& footprints, const Program& program, uint32_t routine)
      : all_(footprints), program_(program), id_{routine}, routine_(program.routines[routine]) {
    find_depths();
  }

  StepFootprint from(Stand stand) {
    begin();
    if (stand.leaves) {
      out_.rest.meets_everything = true;
      return finish();
    }
    const Block& block = routine_.blocks[index(stand.block)];
    uint32_t depth = depths_[index(stand.block)];
    if (!stand.inside) {
      add_action(block.action, out_.touches);
      note_locks(block.action, true);
      depth = after(block.action, depth);
    }
    go_on_after_action(index(stand.block), depth, stand.inside);
    return finish();
  }

  StepFootprint from_start() {
    begin();
    visit(0, 0);
    return finish();
  }

 private:
  void begin() {
    out_ = StepFootprint();
    out_.touches = out_.rest = TouchSet(all_.resource_count());
    out_.may_acquire = BitSet(all_.resource_count());
    seen_.clear();
  }
  StepFootprint finish() {
    out_.touches.merge(out_.rest);
    return std::move(out_);
  }

  static uint32_t after(const Action& action, uint32_t depth) {
    if (action.kind == ActionKind::AtomicBegin) return std::min(depth + 1, kMostDepth);
    if (action.kind == ActionKind::AtomicEnd) return depth == 0 ? 0 : depth - 1;
    return depth;
  }

  // In how many sections a thread may be before each block, at most.
  void find_depths() {
    depths_.assign(routine_.blocks.size(), 0);
    for (bool grown = true; grown;) {
      grown = false;
      for (uint32_t b = 0; b < routine_.blocks.size(); ++b) {
        const Block& block = routine_.blocks[b];
        const uint32_t depth = after(block.action, depths_[b]);
        for (BlockId next : {block.jump.then, block.jump.otherwise}) {
          if (next == kNoBlock || depths_[index(next)] >= depth) continue;
          depths_[index(next)] = depth;
          grown = true;
        }
      }
    }
  }

  static bool takes_input(const Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(),
                       [](const Statement& s) { return s.kind == StatementKind::Input; });
  }

  void stop_at(Stand stand) {
    if (std::find(out_.next.begin(), out_.next.end(), stand) == out_.next.end())
      out_.next.push_back(stand);
  }

  void visit(uint32_t number, uint32_t depth) {
    if (!seen_.insert({number, depth}).second) return;
    const Action& action = routine_.blocks[number].action;
    if (action.kind != ActionKind::None) {
      if (all_.may_be_step(action)) {
        stop_at({BlockId{number}, false});
        if (depth == 0) return;
      }
      add_action(action, out_.rest);
      note_locks(action, false);
      depth = after(action, depth);
    }
    go_on_after_action(number, depth, false);
  }

  void go_on_after_action(uint32_t number, uint32_t depth, bool inside) {
    const Block& block = routine_.blocks[number];
    for (const Statement& statement : block.statements) {
      if (statement.kind == StatementKind::Release) end_objects(statement.value, ObjectKind::Stack);
      if (statement.kind == StatementKind::Input) {
        stop_at({BlockId{number}, true});
        if (!inside) return;  // else it may be the one that it stands before
      }
    }
    switch (block.jump.kind) {
      case JumpKind::Goto:
      case JumpKind::Branch:
        for (BlockId next : {block.jump.then, block.jump.otherwise})
          if (next != kNoBlock) visit(index(next), depth);
        return;
      case JumpKind::Return:
        out_.rest.ends = true;
        return;
      case JumpKind::Exit:
        if (depth > 0) out_.rest.meets_everything = true;
        // Where it stands before an input, its exit is another step.
        if (!inside || takes_input(block)) stop_at({BlockId{number}, true});
        if (inside) stop_at({BlockId{number}, true, true});
        return;
      case JumpKind::Cut:
        return;
    }
  }

  void touch(ExprId address, bool sync, uint32_t bits, bool writes, TouchSet& to) const {
    BitSet cells(all_.resource_count());
    all_.points_to().add_cells(id_, address, sync, bits, cells);
    (writes ? to.writes : to.reads).merge(cells);
    cells.for_each([&](uint32_t cell) {
      const uint32_t object = all_.points_to().object_of_cell(cell);
      if (program_.objects[object].kind != ObjectKind::Global)
        to.reads.insert(all_.points_to().cell_count() + object);
    });
  }

  void end_objects(ExprId address, ObjectKind kind) {
    all_.points_to().objects(id_, address).for_each([&](uint32_t object) {
      if (program_.objects[object].kind != kind) return;
      out_.rest.writes.insert(all_.points_to().cell_count() + object);
      const uint32_t first = all_.points_to().first_cell(ObjectId{object});
      for (uint32_t c = 0; c < program_.objects[object].cells.size(); ++c)
        out_.rest.writes.insert(first + c);
    });
  }

  void add_action(const Action& action, TouchSet& to) {
    if (action.kind == ActionKind::Free) return end_objects(action.address, ObjectKind::Heap);
    to.creates |= action.kind == ActionKind::Create;
    to.joins |= action.kind == ActionKind::Join || action.kind == ActionKind::Detach;
    if (action.own || action.address == kNoExpr) return;
    const bool sync = !accesses_memory(action.kind);
    touch(action.address, sync, action.bits, !only_reads(action.kind), to);
    if (action.kind == ActionKind::CondWait) touch(action.second, true, 0, true, to);
  }

  void note_locks(const Action& action, bool first) {
    const bool takes = takes_lock(action.kind), relocks = action.kind == ActionKind::CondWait;
    if (!takes && !relocks && !tries_lock(action.kind)) return;
    const ExprId address = relocks ? action.second : action.address;
    all_.points_to().add_cells(id_, address, true, 0, out_.may_acquire);
    if (first && takes) out_.acquires = all_.points_to().only_cell(id_, address, true, 0);
  }

  const Footprints& all_;
  const Program& program_;
  RoutineId id_;
  const Routine& routine_;
  std::vector<uint32_t> depths_;
  StepFootprint out_;
  std::set<std::pair<uint32_t, uint32_t>> seen_;
};

Footprints::Footprints(const Program& program)
    : program_(program),
      points_to_(program),
      resources_(points_to_.cell_count() + program.objects.size()) {
  for (uint32_t r = 0; r < program.routines.size(); ++r) {
    first_.push_back(steps_.size());
    FootprintMaker maker(*this, program, r);
    for (uint32_t b = 0; b < program.routines[r].blocks.size(); ++b)
      for (const Stand stand :
           {Stand{BlockId{b}}, Stand{BlockId{b}, true}, Stand{BlockId{b}, true, true}})
        steps_.push_back(maker.from(stand));
    starts_.push_back(maker.from_start());
  }
  for (const StepFootprint& step : steps_) later_.push_back(step.touches);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t r = 0; r < program.routines.size(); ++r)
      for (size_t i = kStands * program.routines[r].blocks.size(); i > 0; --i) {
        const size_t from = first_[r] + i - 1;
        for (const Stand& next : steps_[from].next)
          grown |= later_[from].merge(later_[at(RoutineId{r}, next)]);
      }
  }
  for (uint32_t r = 0; r < program.routines.size(); ++r) {
    TouchSet all = starts_[r].touches;
    for (const Stand& next : starts_[r].next) all.merge(later_[at(RoutineId{r}, next)]);
    later_starts_.push_back(std::move(all));
  }
}

bool Footprints::may_be_step(const Action& action) {
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
      return false;
    case ActionKind::Create:
    case ActionKind::Join:
    case ActionKind::Choose:
      return true;
    default:
      return !action.own;
  }
}

const StepFootprint& Footprints::step(RoutineId routine, Stand stand) const {
  return steps_[at(routine, stand)];
}

const TouchSet& Footprints::later(RoutineId routine, Stand stand) const {
  return later_[at(routine, stand)];
}

void Footprints::later_without(RoutineId routine, Stand stand, std::span<const uint32_t> locks,
                               TouchSet& into) const {
  std::vector<bool> seen(kStands * program_.routines[index(routine)].blocks.size());
  std::vector<Stand> todo{stand};
  while (!todo.empty()) {
    const Stand from = todo.back();
    todo.pop_back();
    const size_t number = at(routine, from) - first_[index(routine)];
    if (seen[number]) continue;
    seen[number] = true;
    const StepFootprint& step = steps_[at(routine, from)];
    if (std::find(locks.begin(), locks.end(), step.acquires) != locks.end()) continue;
    into.merge(step.touches);
    todo.insert(todo.end(), step.next.begin(), step.next.end());
  }
}

uint32_t Footprints::relocks(RoutineId routine, BlockId block) const {
  const Action& action = program_.routines[index(routine)].blocks[index(block)].action;
  if (action.kind != ActionKind::CondWait) return kNoResource;
  return points_to_.only_cell(routine, action.second, true, 0);
}

}  // namespace heddle::graph
