// How a thread runs through its blocks (interpreter/machine.cc).
#include <algorithm>

#include "base/check.h"
#include "circuit/step_encoder.h"
#include "graph/builder.h"

namespace heddle::circuit {

using graph::ActionKind;
using graph::index;

StepEncoder::StepEncoder(Encoding& encoding, uint32_t slot)
    : e_(encoding), aig_(encoding.system.aig), slot_(slot) {
  for (uint32_t code = 0; code < plan().stops.size(); ++code)
    at_.push_back(equal(aig_, e_.fields.now(e_.fields.slots[slot].code), code));
}

void StepEncoder::encode() {
  // The end of the thread belongs to no routine.
  Path ending = standing(kExiting);
  const FieldId result = e_.fields.slots[slot_].result;
  end_thread(ending, result == kNoField ? Word{} : e_.fields.now(result));
  for (const uint32_t r : plan().routines) encode_routine(r);
}

void StepEncoder::encode_routine(uint32_t number) {
  routine_ = number;
  entering_.assign(routine().blocks.size(), {});
  arriving_.assign(routine().blocks.size(), {});
  Path begin = starting(number);
  go_to(begin, RoutinePlan::kUnreached, graph::BlockId{0});
  const RoutinePlan& order = e_.plan.of_routine[number];
  for (const uint32_t block : order.order) encode_block(block);
  for (const uint32_t block : order.order)
    if (!arriving_[block].empty()) arrive(block, arriving_[block]);
}

// It stands there. Whether it is the one that steps is added at the end of each way.
Path StepEncoder::standing(uint32_t code) const {
  Path path;
  path.guard = at_[code];
  const Stop& stop = plan().stops[code];
  if (stop.kind < StopKind::Starting) return path;
  path.registers.resize(program().source.routines[stop.routine].registers.size());
  stop.live.for_each([&](uint32_t i) {
    path.registers[i] = e_.fields.now(e_.fields.slots[slot_].registers[stop.routine][i]);
  });
  return path;
}

Path StepEncoder::starting(uint32_t number) const {
  Path path = standing(plan().code_of(StopKind::Starting, number, 0));
  for (uint32_t i = 0; i < path.registers.size(); ++i)
    if (path.registers[i].empty())
      path.registers[i] = constant_word(0, routine().registers[i].bits);
  return path;
}

void StepEncoder::encode_block(uint32_t block) {
  const RoutinePlan& order = e_.plan.of_routine[routine_];
  const Action& action = routine().blocks[block].action;
  const graph::RegisterSet& live = e_.plan.liveness[routine_]->before_action(graph::BlockId{block});
  std::vector<Path> after;
  if (order.stops[block]) {
    after.push_back(standing(plan().code_of(StopKind::Action, routine_, block)));
    allow_choices(block);
    perform(after.back(), block);
  } else {
    std::vector<Path>& before = entering_[block];
    if (order.resumes[block])
      before.push_back(standing(plan().code_of(StopKind::Resume, routine_, block)));
    if (before.empty()) return;
    after.push_back(merge(aig_, e_.fields, before, live));
    before.clear();
    perform(after.back(), block);
  }
  if (order.stops[block] &&
      (action.kind == ActionKind::CondWait || action.kind == ActionKind::BarrierWait)) {
    Path woken = standing(plan().code_of(StopKind::Woken, routine_, block));
    if (action.kind == ActionKind::CondWait) {
      relock(woken, action);
    } else {
      assign(woken, action.into, constant_word(0, 32));
    }
    after.push_back(std::move(woken));
  }
  Path path = merge(aig_, e_.fields, after,
                    e_.plan.liveness[routine_]->before_statement(graph::BlockId{block}, 0));
  run_statements(path, block);
  run_jump(path, block);
  if (routine().blocks[block].jump.kind == graph::JumpKind::Exit) encode_ends_of_process(block);
}

void StepEncoder::run_statements(Path& path, uint32_t block) {
  for (uint32_t i = 0; i < routine().blocks[block].statements.size(); ++i)
    run_statement(path, block, i);
}

void StepEncoder::run_statement(Path& path, uint32_t block, uint32_t number) {
  const graph::Statement& statement = routine().blocks[block].statements[number];
  switch (statement.kind) {
    case graph::StatementKind::Assign:
      return assign(path, statement.into, value(path, statement.value));
    case graph::StatementKind::Input:
      return assign(path, statement.into, take_input(path, block, number));
    case graph::StatementKind::Self:
      return assign(path, statement.into, constant_word(handle_of(slot_), 64));
    case graph::StatementKind::Assume: {
      const Literal broken = !any(aig_, value(path, statement.value));
      end_run(e_.dismissed, leave(aig_, path, broken));
      return;
    }
    case graph::StatementKind::Assert:
      return fail(path, statement.failure, !any(aig_, value(path, statement.value)));
    case graph::StatementKind::Allocate:
      return allocate(path, statement);
    case graph::StatementKind::Release:
      return release(path, statement.value);
  }
}

// All threads share the circuit's inputs of a statement: only one of them steps.
Word StepEncoder::take_input(Path& path, uint32_t block, uint32_t number) {
  uint32_t at = 0;
  while (at < e_.inputs.size() &&
         (e_.inputs[at].routine != routine_ || e_.inputs[at].block != block ||
          e_.inputs[at].statement != number))
    ++at;
  if (at == e_.inputs.size()) {
    const graph::RegisterId into = routine().blocks[block].statements[number].into;
    const graph::Register& r = routine().registers[index(into)];
    e_.inputs.push_back({routine_, block, number,
                         input_word(aig_,
                                    "input." + routine().name + "." + r.name + "." +
                                        std::to_string(block) + "." + std::to_string(number),
                                    r.bits)});
  }
  e_.inputs_taken.push_back({slot_, at, aig_.land(e_.execute[slot_], path.guard)});
  return e_.inputs[at].word;
}

void StepEncoder::run_jump(Path& path, uint32_t block) {
  const graph::Jump& jump = routine().blocks[block].jump;
  switch (jump.kind) {
    case graph::JumpKind::Goto:
      return go_to(std::move(path), block, jump.then);
    case graph::JumpKind::Branch: {
      const Literal taken = any(aig_, value(path, jump.condition));
      Path then = path;
      then.guard = aig_.land(path.guard, taken);
      path.guard = aig_.land(path.guard, !taken);
      go_to(std::move(then), block, jump.then);
      return go_to(std::move(path), block, jump.otherwise);
    }
    case graph::JumpKind::Return:
      return reach_end(path, value_or_zero(path, jump.condition, 64));
    case graph::JumpKind::Exit: {
      const Literal parks = aig_.land(concurrent(path), !in_section(path));
      stop(path, parks, plan().code_of(StopKind::ExitTurn, routine_, block), kFalse, kTrue);
      return exit_process(path, value_or_zero(path, jump.condition, 8));
    }
    case graph::JumpKind::Cut:
      return beyond(path, kTrue);
  }
}

void StepEncoder::go_to(Path path, uint32_t from, graph::BlockId to) {
  if (path.guard == kFalse) return;
  const RoutinePlan& order = e_.plan.of_routine[routine_];
  const bool back = from != RoutinePlan::kUnreached && order.rank[index(to)] <= order.rank[from];
  if (order.stops[index(to)]) {
    arriving_[index(to)].push_back(std::move(path));
  } else if (back) {
    stop(path, kTrue, plan().code_of(StopKind::Resume, routine_, index(to)), kTrue, kTrue);
  } else {
    entering_[index(to)].push_back(std::move(path));
  }
}

// It comes to an action that may be a step, and stops there, if only for a moment.
void StepEncoder::arrive(uint32_t block, const std::vector<Path>& paths) {
  Path path = merge(aig_, e_.fields, paths,
                    e_.plan.liveness[routine_]->before_action(graph::BlockId{block}));
  check_arrival(path, block);
  const Ways now = ways(path, block);
  const Literal step = is_step(path, block);
  const Literal stays = aig_.land(in_section(path), aig_.land(now.possible, now.only_one));
  const Literal goes_on = aig_.mux(step, stays, now.possible);
  stop(path, kTrue, plan().code_of(StopKind::Action, routine_, block), goes_on, now.possible);
}

Literal StepEncoder::in_section(const Path& path) {
  const FieldId sections = e_.fields.slots[slot_].sections;
  return sections == kNoField ? kFalse : any(aig_, get(path, sections));
}

Literal StepEncoder::stands(const Path& path, uint32_t slot, uint32_t code) {
  return equal(aig_, get(path, e_.fields.slots[slot].code), code);
}

// Others than main are never alone.
Literal StepEncoder::concurrent(const Path& path) {
  if (slot_ != 0) return kTrue;
  std::vector<Literal> there;
  for (uint32_t other = 1; other < program().slots; ++other)
    there.push_back(aig_.land(!stands(path, other, kUnborn), !stands(path, other, kJoined)));
  return aig_.lor(there);
}

Literal StepEncoder::is_step(Path& path, uint32_t block) {
  const Action& action = routine().blocks[block].action;
  switch (action.kind) {
    case ActionKind::Create:
    case ActionKind::Join:
    case ActionKind::Choose:
      return kTrue;
    case ActionKind::AtomicBegin:
      return aig_.land(!in_section(path), concurrent(path));
    case ActionKind::OnceBegin:
      return concurrent(path);
    case ActionKind::RwRead:
    case ActionKind::RwWrite: {
      if (action.own) return kFalse;
      std::vector<Literal> held;
      for (const Target& target : cells_at(path, action.address))
        if (program().cells[target.cell].kind == graph::CellKind::RwLock)
          held.push_back(aig_.land(target.match, mine(path, target.cell)));
      return aig_.land(!aig_.lor(held), concurrent(path));
    }
    default:
      return action.own ? kFalse : concurrent(path);
  }
}

// ---- ends ----

void StepEncoder::reach_end(Path& path, const Word& result) {
  const FieldId kept = e_.fields.slots[slot_].result;
  const Literal parks = aig_.land(concurrent(path), !in_section(path));
  Path parked = path;
  if (kept != kNoField) parked.set(kept, resized(result, 64));
  stop(parked, parks, kExiting, kFalse, kTrue);
  leave(aig_, path, parks);
  end_thread(path, result);
}

// The last thread takes the process with it.
void StepEncoder::end_thread(Path& path, const Word& result) {
  std::vector<Literal> others;
  for (uint32_t other = 0; other < program().slots; ++other) {
    if (other == slot_) continue;
    others.push_back(!aig_.lor(
        {stands(path, other, kUnborn), stands(path, other, kEnded), stands(path, other, kJoined)}));
  }
  end_run(e_.ended, leave(aig_, path, !aig_.lor(others)));
  const SlotFields& mine = e_.fields.slots[slot_];
  const Word detached = mine.detached == kNoField ? Word{} : get(path, mine.detached);
  clear_slot(path, kTrue, slot_);
  if (mine.detached != kNoField) path.set(mine.detached, detached);
  if (mine.result != kNoField) path.set(mine.result, resized(result, 64));
  stop(path, kTrue, kEnded, kFalse, kFalse);
}

void StepEncoder::encode_ends_of_process(uint32_t block) {
  Path turn = standing(plan().code_of(StopKind::ExitTurn, routine_, block));
  stop(turn, kTrue, plan().code_of(StopKind::ProcessExit, routine_, block), kFalse, kTrue);
  Path exit = standing(plan().code_of(StopKind::ProcessExit, routine_, block));
  exit_process(exit, value_or_zero(exit, routine().blocks[block].jump.condition, 8));
}

void StepEncoder::exit_process(Path& path, const Word& status) {
  fail(path, FindingKind::ExitStatus, any(aig_, resized(status, 8)));
  end_run(e_.ended, leave(aig_, path, kTrue));
}

// ---- what ends a way ----

Literal StepEncoder::leave(Aig& aig, Path& path, Literal when) {
  const Literal left = aig.land(path.guard, when);
  path.guard = aig.land(path.guard, !when);
  return left;
}

void StepEncoder::end_run(std::vector<Literal>& list, Literal left) {
  e_.ends_run[slot_].push_back(left);
  list.push_back(aig_.land(e_.execute[slot_], left));
}

void StepEncoder::fail(Path& path, FindingKind kind, Literal when) {
  if (const Literal failed = leave(aig_, path, when); failed != kFalse)
    end_run(e_.failures[kind], failed);
}

void StepEncoder::beyond(Path& path, Literal when) {
  if (const Literal left = leave(aig_, path, when); left != kFalse) end_run(e_.beyond, left);
}

// Registers that are of no more use are 0.
void StepEncoder::stop(Path& path, Literal when, uint32_t code, Literal running, Literal able) {
  Path end;
  end.guard = aig_.land(e_.execute[slot_], aig_.land(path.guard, when));
  if (end.guard == kFalse) return;
  end.after = path.after;
  const SlotFields& mine = e_.fields.slots[slot_];
  const Stop& at = plan().stops[code];
  end.set(mine.code, constant_word(code, e_.fields.bits(mine.code)));
  for (const uint32_t r : plan().routines)
    for (uint32_t i = 0; i < mine.registers[r].size(); ++i) {
      const FieldId field = mine.registers[r][i];
      if (field == kNoField) continue;
      const bool kept = at.kind >= StopKind::Starting && at.routine == r && at.live.contains(i);
      end.set(field, kept ? path.registers[i] : constant_word(0, e_.fields.bits(field)));
    }
  Word runs = constant_word(0, program().slots);
  runs[slot_] = running;
  end.set(e_.fields.running, runs);
  if (e_.fields.exclusive != kNoField) {
    Word keeps_out = constant_word(0, program().slots);
    keeps_out[slot_] = aig_.land(in_section(end), able);
    end.set(e_.fields.exclusive, keeps_out);
  }
  e_.ends.push_back(std::move(end));
  path.guard = aig_.land(path.guard, !when);
}

// ---- values ----

Word StepEncoder::value(const Path& path, graph::ExprId id) {
  const std::vector<graph::Expr>& exprs = routine().exprs;
  // Operands stand before what uses them.
  std::unordered_map<uint32_t, Word> known;
  const auto compute = [&](auto&& self, uint32_t at) -> const Word& {
    if (const auto found = known.find(at); found != known.end()) return found->second;
    const graph::Expr& expr = exprs[at];
    Word result;
    if (expr.op == graph::Operator::Constant) {
      result = constant_word(expr.constant, expr.bits);
    } else if (expr.op == graph::Operator::Register) {
      result = path.registers[expr.constant];
      HEDDLE_CHECK(result.size() == expr.bits);
    } else {
      Word operands[3];
      for (uint32_t i = 0; i < graph::operand_count(expr.op); ++i)
        operands[i] = self(self, index(expr.operand[i]));
      const uint32_t from =
          exprs[index(expr.operand[expr.op == graph::Operator::Select ? 1 : 0])].bits;
      result = apply(aig_, expr.op, from, expr.bits, operands[0], operands[1], operands[2]);
    }
    return known.emplace(at, std::move(result)).first->second;
  };
  return compute(compute, index(id));
}

Word StepEncoder::value_or_zero(const Path& path, graph::ExprId id, uint32_t bits) {
  return id == graph::kNoExpr ? constant_word(0, bits) : resized(value(path, id), bits);
}

void StepEncoder::assign(Path& path, graph::RegisterId into, const Word& value) {
  if (into == graph::kNoRegister) return;
  path.registers[index(into)] = resized(value, routine().registers[index(into)].bits);
}

void StepEncoder::set_bit_if(Path& path, Literal condition, FieldId id, uint32_t bit,
                             Literal value) {
  Word word = get(path, id);
  word[bit] = aig_.mux(condition, value, word[bit]);
  path.set(id, std::move(word));
}

}  // namespace heddle::circuit
