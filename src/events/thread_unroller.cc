#include "events/thread_unroller.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "graph/builder.h"
#include "interpreter/state_space.h"

namespace heddle::events {

using circuit::constant_word;
using circuit::kFalse;
using circuit::kTrue;
using graph::index;

namespace {

constexpr uint32_t kMostBlocks = 200'000;

}  // namespace

ThreadUnroller::ThreadUnroller(Unrolling& shared, uint32_t slot, uint32_t routine)
    : shared_(shared),
      out_(shared.out),
      aig_(shared.out.aig),
      slot_(slot),
      routine_(routine),
      loops_(shared.out.plan.program->source.routines[routine],
             shared.out.plan.of_routine[routine]),
      merger_(aig_) {
  if (!loops_.is_reducible())
    throw Refusal{"a loop that is entered at several places has no encoding by events"};
}

void ThreadUnroller::run(const Beginning* beginning) {
  Walk walk;
  walk.guard = kTrue;
  walk.after.resize(out_.slots);
  for (const graph::Register& each : routine().registers)
    walk.registers.push_back(constant_word(0, each.bits));
  if (beginning != nullptr) {
    const Event& creation = out_.events[beginning->creation];
    walk.guard = creation.taken;
    walk.after = creation.after;
    walk.after[creation.slot] = creation.number + 1;
    assign(walk, routine().parameter, beginning->argument);
    out_.start[slot_] = begin_event(walk, EventKind::Start, {});
  }
  go_to(std::move(walk), 0, graph::BlockId{0});
  while (!open_.empty()) {
    auto first = open_.extract(open_.begin());
    auto& [block, walks] = first.mapped();
    const graph::RegisterSet& live =
        out_.plan.liveness[routine_]->before_action(graph::BlockId{block});
    if (!merger_.merge(walks, live, [&](uint32_t cell) { return shared_.words.initial(cell); }))
      throw Refusal{"threads that are created on some ways only have no encoding by events"};
    take_block(block, std::move(walks.front()));
  }
  end_all();
}

void ThreadUnroller::take_block(uint32_t block, Walk walk) {
  if (++blocks_taken_ > kMostBlocks || out_.events.size() > shared_.options.most_events)
    throw Refusal{"the unrolled program has too many events"};
  if (loops_.is_header(block)) walk.loops.back().way = walk.way;
  const graph::Block& text = routine().blocks[block];
  perform(walk, text.action);
  if (walk.guard == kFalse) return;
  run_statements(walk, text);
  run_jump(std::move(walk), block);
}

void ThreadUnroller::run_statements(Walk& walk, const graph::Block& block) {
  for (const graph::Statement& statement : block.statements) {
    switch (statement.kind) {
      case graph::StatementKind::Assign:
        assign(walk, statement.into, value(walk, statement.value));
        break;
      case graph::StatementKind::Input: {
        const Word word =
            circuit::input_word(aig_, "", routine().registers[index(statement.into)].bits);
        out_.inputs[slot_].push_back({walk.guard, word});
        assign(walk, statement.into, word);
        break;
      }
      case graph::StatementKind::Assume: {
        const Literal broken = !any(aig_, value(walk, statement.value));
        out_.dismissed.push_back(aig_.land(walk.guard, broken));
        walk.guard = aig_.land(walk.guard, !broken);
        break;
      }
      case graph::StatementKind::Assert:
        fail(walk, statement.failure, !any(aig_, value(walk, statement.value)));
        break;
      case graph::StatementKind::Allocate:
        allocate(walk, statement);
        break;
      case graph::StatementKind::Self:
        assign(walk, statement.into, constant_word(handle_of(slot_), 64));
        break;
      case graph::StatementKind::Release:
        release(walk, value(walk, statement.value));
        break;
    }
    if (walk.guard == kFalse) return;
  }
}

void ThreadUnroller::run_jump(Walk walk, uint32_t block) {
  const graph::Jump& jump = routine().blocks[block].jump;
  if (walk.guard == kFalse) return;
  switch (jump.kind) {
    case graph::JumpKind::Goto:
      return go_to(std::move(walk), block, jump.then);
    case graph::JumpKind::Branch:
      return branch(std::move(walk), block, jump);
    case graph::JumpKind::Return: {
      const Word result = value_or_zero(walk, jump.condition, 64);
      return end(std::move(walk), result);
    }
    case graph::JumpKind::Exit:
      return exit(walk, jump);
    case graph::JumpKind::Cut:
      return go_beyond(walk, kTrue, out_.plan.program->source.bounds[jump.bound]);
  }
}

void ThreadUnroller::branch(Walk walk, uint32_t block, const graph::Jump& jump) {
  const Literal taken = any(aig_, value(walk, jump.condition));
  if (taken == kTrue) return go_to(std::move(walk), block, jump.then);
  if (taken == kFalse) return go_to(std::move(walk), block, jump.otherwise);
  Walk then = walk;
  for (const auto& [side, decision] : {std::pair{&then, taken}, std::pair{&walk, !taken}}) {
    side->guard = aig_.land(side->guard, decision);
    Decisions& way = side->way;
    const auto at = std::ranges::lower_bound(way, decision.code);
    if (at == way.end() || *at != decision.code) way.insert(at, decision.code);
  }
  go_to(std::move(then), block, jump.then);
  go_to(std::move(walk), block, jump.otherwise);
}

// The loops around the new block: those that both are in, one of them with one more round.
void ThreadUnroller::go_to(Walk walk, uint32_t from, graph::BlockId target) {
  if (walk.guard == kFalse) return;
  const uint32_t to = index(target);
  const std::vector<uint32_t>& around = loops_.around(to);
  size_t common = 0;
  while (common < walk.loops.size() && common < around.size() &&
         walk.loops[common].header == around[common])
    ++common;
  walk.loops.resize(common);
  const circuit::RoutinePlan& plan = out_.plan.of_routine[routine_];
  const bool back =
      loops_.is_header(to) && common == around.size() && plan.rank[to] <= plan.rank[from];
  if (back && !next_round(walk, to)) return;
  for (size_t i = common; i < around.size(); ++i) walk.loops.push_back({around[i], 0, 0, walk.way});
  auto& [block, walks] = open_[key_of(walk, to)];
  block = to;
  walks.push_back(std::move(walk));
}

bool ThreadUnroller::next_round(Walk& walk, uint32_t /*header*/) {
  Round& round = walk.loops.back();
  ++round.number;
  if (walk.way == round.way) return true;
  if (round.uncertain++ < shared_.options.rounds) return true;
  out_.unwound.push_back(walk.guard);
  return false;
}

// Smaller keys are taken first. A loop stands where its header does among what is around it.
ThreadUnroller::Key ThreadUnroller::key_of(const Walk& walk, uint32_t block) const {
  const circuit::RoutinePlan& plan = out_.plan.of_routine[routine_];
  Key key;
  for (const Round& round : walk.loops) {
    key.push_back(plan.rank[round.header]);
    key.push_back(round.number);
  }
  key.push_back(plan.rank[block]);
  return key;
}

void ThreadUnroller::end(Walk walk, const Word& result) {
  ends_.emplace_back(std::move(walk), result);
}

// All ways to the end of the thread meet in one event.
void ThreadUnroller::end_all() {
  if (ends_.empty()) return;
  uint32_t children = 0;
  for (const auto& [walk, result] : ends_) children = std::max(children, walk.children);
  std::vector<Walk> walks;
  for (auto& [walk, result] : ends_) {
    walk.loops.clear();
    walk.registers.assign(1, result);
    walk.cells.clear();
    walk.children = children;
    walks.push_back(std::move(walk));
  }
  graph::RegisterSet live(1);
  live.insert(0);
  merger_.merge(walks, live, [&](uint32_t cell) { return shared_.words.initial(cell); });
  Walk& walk = walks.front();
  const uint32_t event = begin_event(walk, EventKind::End, {});
  out_.end[slot_] = event;
  out_.ended[slot_] = walk.guard;
  if (shared_.results[slot_].empty()) return;
  out_.constraints.push_back(aig_.implies(
      walk.guard, circuit::equal(aig_, shared_.results[slot_], walk.registers.front())));
}

void ThreadUnroller::exit(Walk& walk, const graph::Jump& jump) {
  const Literal wrong = any(aig_, value_or_zero(walk, jump.condition, 8));
  out_.exits.push_back(aig_.land(walk.guard, !wrong));
  walk.guard = aig_.land(walk.guard, wrong);
  if (walk.guard == kFalse) return;
  begin_event(walk, EventKind::Exit, {});
  fail(walk, FindingKind::ExitStatus, kTrue);
}

void ThreadUnroller::fail(Walk& walk, FindingKind kind, Literal when) {
  const Literal failed = aig_.land(walk.guard, when);
  walk.guard = aig_.land(walk.guard, !when);
  if (failed != kFalse) out_.failures.push_back({kind, slot_, failed});
}

void ThreadUnroller::go_beyond(Walk& walk, Literal when, const std::string& what) {
  const Literal left = aig_.land(walk.guard, when);
  walk.guard = aig_.land(walk.guard, !when);
  if (left != kFalse) out_.beyond.push_back({left, what});
}

// ---- values ----

Word ThreadUnroller::value(const Walk& walk, graph::ExprId id) const {
  const std::vector<graph::Expr>& exprs = routine().exprs;
  std::unordered_map<uint32_t, Word> known;
  const auto compute = [&](auto&& self, uint32_t at) -> const Word& {
    if (const auto found = known.find(at); found != known.end()) return found->second;
    const graph::Expr& expr = exprs[at];
    Word result;
    if (expr.op == graph::Operator::Constant) {
      result = constant_word(expr.constant, expr.bits);
    } else if (expr.op == graph::Operator::Register) {
      result = walk.registers[expr.constant];
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

Word ThreadUnroller::value_or_zero(const Walk& walk, graph::ExprId id, uint32_t bits) const {
  return id == graph::kNoExpr ? constant_word(0, bits) : circuit::resized(value(walk, id), bits);
}

void ThreadUnroller::assign(Walk& walk, graph::RegisterId into, const Word& value) {
  if (into == graph::kNoRegister) return;
  walk.registers[index(into)] = circuit::resized(value, routine().registers[index(into)].bits);
}

}  // namespace heddle::events
