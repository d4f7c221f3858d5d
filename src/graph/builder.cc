#include "graph/builder.h"

#include <utility>

#include "base/check.h"

namespace heddle::graph {

size_t RoutineBuilder::Hash::operator()(const Expr& e) const {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t word : {uint64_t{static_cast<uint8_t>(e.op)}, uint64_t{e.bits}, e.constant,
                        uint64_t{index(e.operand[0])}, uint64_t{index(e.operand[1])},
                        uint64_t{index(e.operand[2])}})
    hash = (hash ^ word ^ hash >> 29) * 0x100000001b3;
  return hash;
}

bool RoutineBuilder::Same::operator()(const Expr& a, const Expr& b) const {
  return a.op == b.op && a.bits == b.bits && a.constant == b.constant &&
         a.operand[0] == b.operand[0] && a.operand[1] == b.operand[1] &&
         a.operand[2] == b.operand[2];
}

RoutineBuilder::RoutineBuilder(Routine& routine) : routine_(routine) {
  for (uint32_t i = 0; i < routine.exprs.size(); ++i) known_.emplace(routine.exprs[i], ExprId{i});
}

ExprId RoutineBuilder::intern(const Expr& expr) {
  const auto [at, is_new] =
      known_.emplace(expr, ExprId{static_cast<uint32_t>(routine_.exprs.size())});
  if (is_new) routine_.exprs.push_back(expr);
  return at->second;
}

bool RoutineBuilder::constant_value(ExprId id, uint64_t& value) const {
  const Expr& expr = routine_.exprs[index(id)];
  value = expr.constant;
  return expr.op == Operator::Constant;
}

ExprId RoutineBuilder::constant(uint64_t value, uint32_t bits) {
  return intern({Operator::Constant, static_cast<uint8_t>(bits), value & mask_of(bits), {}});
}

ExprId RoutineBuilder::read(RegisterId id) {
  return intern({Operator::Register, routine_.registers[index(id)].bits, index(id), {}});
}

ExprId RoutineBuilder::unary(Operator op, ExprId a) {
  uint64_t value = 0;
  if (constant_value(a, value)) return constant(evaluate(op, bits(a), bits(a), value), bits(a));
  return intern({op, static_cast<uint8_t>(bits(a)), 0, {a, kNoExpr, kNoExpr}});
}

ExprId RoutineBuilder::resize(Operator op, ExprId a, uint32_t to) {
  if (bits(a) == to) return a;
  uint64_t value = 0;
  if (constant_value(a, value)) return constant(evaluate(op, bits(a), to, value), to);
  return intern({op, static_cast<uint8_t>(to), 0, {a, kNoExpr, kNoExpr}});
}

ExprId RoutineBuilder::binary(Operator op, ExprId a, ExprId b) {
  HEDDLE_CHECK(bits(a) == bits(b));
  const uint32_t width = is_comparison(op) ? 1 : bits(a);
  uint64_t x = 0, y = 0;
  const bool known_x = constant_value(a, x), known_y = constant_value(b, y);
  if (known_x && known_y) return constant(evaluate(op, bits(a), width, x, y), width);
  const bool adds = op == Operator::Add || op == Operator::Or || op == Operator::Xor;
  const bool shifts =
      op == Operator::Sub || op == Operator::Shl || op == Operator::LShr || op == Operator::AShr;
  if (known_y && y == 0 && (adds || shifts)) return a;
  if (known_x && x == 0 && adds) return b;
  if (op == Operator::Mul && known_y && y == 1) return a;
  if (op == Operator::Mul && known_x && x == 1) return b;
  if ((op == Operator::And || op == Operator::Mul) && ((known_y && y == 0) || (known_x && x == 0)))
    return constant(0, width);
  if (op == Operator::And && known_y && y == mask_of(width)) return a;
  return intern({op, static_cast<uint8_t>(width), 0, {a, b, kNoExpr}});
}

ExprId RoutineBuilder::select(ExprId condition, ExprId then, ExprId otherwise) {
  HEDDLE_CHECK(bits(then) == bits(otherwise));
  uint64_t value = 0;
  if (constant_value(condition, value)) return value != 0 ? then : otherwise;
  if (then == otherwise) return then;
  return intern(
      {Operator::Select, static_cast<uint8_t>(bits(then)), 0, {condition, then, otherwise}});
}

ExprId RoutineBuilder::truth(ExprId a) {
  return bits(a) == 1 ? a : binary(Operator::NotEqual, a, constant(0, bits(a)));
}

RegisterId RoutineBuilder::add_register(std::string name, uint32_t bits) {
  routine_.registers.push_back({std::move(name), static_cast<uint8_t>(bits)});
  return RegisterId{static_cast<uint32_t>(routine_.registers.size() - 1)};
}

BlockId RoutineBuilder::add_block(std::string name) {
  routine_.blocks.emplace_back().name = std::move(name);
  return BlockId{static_cast<uint32_t>(routine_.blocks.size() - 1)};
}

void RoutineBuilder::assign(BlockId at, RegisterId into, ExprId value, Place place) {
  Statement& statement = block(at).statements.emplace_back();
  statement.into = into;
  statement.value = value;
  statement.place = place;
}

void RoutineBuilder::jump(BlockId from, BlockId to, Place place) {
  block(from).jump = {.kind = JumpKind::Goto, .then = to, .place = place};
}

void RoutineBuilder::branch(BlockId from, ExprId condition, BlockId then, BlockId otherwise,
                            Place place) {
  block(from).jump = {.kind = JumpKind::Branch,
                      .condition = condition,
                      .then = then,
                      .otherwise = otherwise,
                      .place = place};
}

void RoutineBuilder::finish(BlockId from, ExprId value, Place place) {
  block(from).jump = {.kind = JumpKind::Return, .condition = value, .place = place};
}

ObjectId add_global(Program& program, std::string name, uint32_t bits, uint64_t initial) {
  Object& object = program.objects.emplace_back();
  object.name = std::move(name);
  object.size = bytes_of(bits);
  object.cells.push_back({.bits = static_cast<uint8_t>(bits), .initial = initial, .name = ""});
  return ObjectId{static_cast<uint32_t>(program.objects.size() - 1)};
}

ObjectId add_sync(Program& program, std::string name, CellKind kind, uint64_t initial) {
  Object& object = program.objects.emplace_back();
  object.name = std::move(name);
  object.size = kSyncBytes;
  object.cells.push_back({.kind = kind, .initial = initial, .name = ""});
  return ObjectId{static_cast<uint32_t>(program.objects.size() - 1)};
}

ObjectId add_array(Program& program, std::string name, uint32_t count, uint32_t bits) {
  Object& object = program.objects.emplace_back();
  object.name = std::move(name);
  object.size = count * bytes_of(bits);
  for (uint32_t i = 0; i < count; ++i)
    object.cells.push_back({.offset = i * bytes_of(bits),
                            .bits = static_cast<uint8_t>(bits),
                            .name = "[" + std::to_string(i) + "]"});
  return ObjectId{static_cast<uint32_t>(program.objects.size() - 1)};
}

ObjectId add_sync_array(Program& program, std::string name, uint32_t count, CellKind kind) {
  Object& object = program.objects.emplace_back();
  object.name = std::move(name);
  object.size = count * kSyncBytes;
  for (uint32_t i = 0; i < count; ++i)
    object.cells.push_back(
        {.kind = kind, .offset = i * kSyncBytes, .name = "[" + std::to_string(i) + "]"});
  return ObjectId{static_cast<uint32_t>(program.objects.size() - 1)};
}

}  // namespace heddle::graph
