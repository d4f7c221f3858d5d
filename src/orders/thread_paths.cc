#include "orders/thread_paths.h"

#include <map>

namespace heddle::orders {
namespace {

using graph::ActionKind;
using graph::index;

bool may_block(ActionKind kind) {
  switch (kind) {
    case ActionKind::MutexLock:
    case ActionKind::RwRead:
    case ActionKind::RwWrite:
    case ActionKind::SemWait:
    case ActionKind::Join:
    case ActionKind::OnceBegin:
      return true;
    default:
      return false;
  }
}

class Paths {
 public:
  Paths(const graph::Program& program, const graph::Footprints& footprints,
        graph::RoutineId routine, uint32_t unwind, size_t most)
      : blocks_(program.routines[index(routine)].blocks),
        footprints_(footprints),
        routine_(routine),
        unwind_(unwind),
        most_(most),
        exprs_(program.routines[index(routine)].exprs),
        is_handle_(program.routines[index(routine)].registers.size(), true) {
    for (const graph::Block& block : blocks_) {
      const graph::Action& action = block.action;
      if (action.kind != ActionKind::Create) is_no_handle(action.into);
      is_no_handle(action.second_into);
      for (const graph::Statement& statement : block.statements) is_no_handle(statement.into);
    }
    is_no_handle(program.routines[index(routine)].parameter);
  }

  std::optional<std::vector<ThreadPath>> all() {
    const graph::StepFootprint& start = footprints_.start(routine_);
    steps_.push_back({.kind = StepKind::Start,
                      .stand = {},
                      .touches = &start.touches,
                      .joins_unknown = start.touches.joins});
    go_on(start);
    if (paths_.size() > most_) return std::nullopt;
    return std::move(paths_);
  }

 private:
  void is_no_handle(graph::RegisterId reg) {
    if (reg != graph::kNoRegister) is_handle_[index(reg)] = false;
  }

  // Of the thread that is created or joined; kNoRegister if it is not known.
  graph::RegisterId handle_of(const graph::Action& action) const {
    if (action.kind == ActionKind::Create) return action.into;
    if (action.kind != ActionKind::Join) return graph::kNoRegister;
    const graph::Expr& expr = exprs_[index(action.value)];
    if (expr.op != graph::Operator::Register || !is_handle_[expr.constant]) {
      return graph::kNoRegister;
    }
    return graph::RegisterId{static_cast<uint32_t>(expr.constant)};
  }

  void end(PathEnd how, graph::Stand stand = {}, graph::RegisterId handle = graph::kNoRegister) {
    if (paths_.size() <= most_) paths_.push_back({steps_, how, stand, handle});
  }

  // After a step: whatever may come next.
  void go_on(const graph::StepFootprint& step) {
    if (paths_.size() > most_) return;
    if (step.touches.ends) {
      steps_.push_back({.kind = StepKind::Exit});
      end(PathEnd::Returned);
      steps_.pop_back();
    }
    for (const graph::Stand& next : step.next) from(next);
    if (step.next.empty() && !step.touches.ends) end(PathEnd::Last);
  }

  void from(graph::Stand stand) {
    uint32_t& passed = passed_[{index(stand.block), stand.inside + stand.leaves}];
    if (passed == unwind_) {
      end(PathEnd::Cut, stand);
      return;
    }
    ++passed;
    const graph::Action& action = blocks_[index(stand.block)].action;
    const ActionKind kind = stand.inside ? ActionKind::None : action.kind;
    const graph::StepFootprint& step = footprints_.step(routine_, stand);
    const graph::RegisterId handle = stand.inside ? graph::kNoRegister : handle_of(action);
    if (may_block(kind)) end(PathEnd::Blocked, stand, handle);
    PathStep taken{
        .kind = StepKind::Action, .stand = stand, .touches = &step.touches, .handle = handle};
    const bool joins_known = kind == ActionKind::Join && handle != graph::kNoRegister;
    taken.joins_unknown = joins_known ? step.rest.joins : step.touches.joins;
    if (kind == ActionKind::Create) taken.creates = action.routine;
    steps_.push_back(taken);
    const bool waits = kind == ActionKind::CondWait || kind == ActionKind::BarrierWait;
    if (kind != ActionKind::CondWait) go_on(step);
    if (waits) {
      end(PathEnd::Blocked, stand);
      steps_.push_back({.kind = StepKind::Woken,
                        .stand = stand,
                        .touches = &step.touches,
                        .joins_unknown = step.touches.joins});
      go_on(step);
      steps_.pop_back();
    }
    steps_.pop_back();
    --passed_[{index(stand.block), stand.inside + stand.leaves}];
  }

  const std::vector<graph::Block>& blocks_;
  const graph::Footprints& footprints_;
  graph::RoutineId routine_;
  uint32_t unwind_;
  size_t most_;
  const std::vector<graph::Expr>& exprs_;
  std::vector<bool> is_handle_;  // by register: only creations assign to it
  std::map<std::pair<uint32_t, int>, uint32_t> passed_;
  std::vector<PathStep> steps_;
  std::vector<ThreadPath> paths_;
};

}  // namespace

std::optional<std::vector<ThreadPath>> paths_of(const graph::Program& program,
                                                const graph::Footprints& footprints,
                                                graph::RoutineId routine, uint32_t unwind,
                                                size_t most) {
  return Paths(program, footprints, routine, unwind, most).all();
}

}  // namespace heddle::orders
