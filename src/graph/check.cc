#include "graph/check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/actions.h"
#include "graph/builder.h"

namespace heddle::graph {
namespace {

constexpr uint32_t kMostThreads = 64;

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    if (program_.routines.empty()) say("there is no routine for main");
    if (program_.max_threads == 0 || program_.max_threads > kMostThreads)
      say("the number of threads is not one of 1 to " + std::to_string(kMostThreads));
    for (const Object& object : program_.objects) check(object);
    for (const Site& site : program_.sites) check(site);
    for (const Routine& routine : program_.routines) check(routine);
    return std::move(problems_);
  }

 private:
  void say(std::string text) { problems_.push_back(std::move(text)); }

  static bool is_width(uint32_t bits) { return bits >= 1 && bits <= 64; }

  void check(const Object& object) {
    uint64_t end = 0;
    for (const Cell& cell : object.cells) {
      const std::string name = object.name + cell.name;
      const bool integer = cell.kind == CellKind::Integer;
      if (integer && !is_width(cell.bits))
        say(name + " has " + std::to_string(cell.bits) + " bits");
      if (cell.offset < end) say(name + " overlaps the cell before it");
      if (integer && (cell.initial & ~mask_of(cell.bits)) != 0)
        say("the initial value of " + name + " has more bits than it");
      end = uint64_t{cell.offset} + (integer ? bytes_of(cell.bits) : 1);
      if (end > object.size) say(name + " lies beyond the end of its object");
      if (object.constant && !integer) say(name + " is constant and can be written");
    }
  }

  void check(const Site& site) {
    if (site.kind == ObjectKind::Global) say("the site " + site.name + " makes global objects");
    for (const std::vector<ObjectId>& objects : site.objects)
      for (ObjectId id : objects) {
        if (index(id) >= program_.objects.size())
          say("the site " + site.name + " has an object that does not exist");
        else if (program_.objects[index(id)].kind != site.kind)
          say("the object " + program_.objects[index(id)].name + " of the site " + site.name +
              " is of another kind than it");
      }
  }

  void check(const Routine& routine) {
    routine_ = &routine;
    where_ = "routine " + routine.name;
    if (routine.blocks.empty()) say(where_ + " has no block");
    for (const Register& r : routine.registers)
      if (!is_width(r.bits))
        say(where_ + ": register " + r.name + " has " + std::to_string(r.bits) + " bits");
    if (routine.parameter != kNoRegister && !is_register(routine.parameter))
      say(where_ + ": its parameter is no register");
    for (uint32_t i = 0; i < routine.exprs.size(); ++i) check_expr(i);
    if (broken_) return;
    for (uint32_t i = 0; i < routine.blocks.size(); ++i) {
      const Block& block = routine.blocks[i];
      where_ = "routine " + routine.name + ", block " +
               (block.name.empty() ? std::to_string(i) : block.name);
      check(block.action);
      for (const Statement& statement : block.statements) check(statement);
      check(block.jump);
    }
  }

  bool is_register(RegisterId id) const { return index(id) < routine_->registers.size(); }

  // Operands stand before what uses them: there are no cycles.
  void check_expr(uint32_t at) {
    const Expr& expr = routine_->exprs[at];
    const uint32_t operands = operand_count(expr.op);
    const auto wrong = [&](const std::string& why) {
      say(where_ + ": expression " + std::to_string(at) + " " + why);
      broken_ = true;
    };
    for (uint32_t i = 0; i < operands; ++i)
      if (index(expr.operand[i]) >= at) return wrong("uses one that does not stand before it");
    if (!is_width(expr.bits)) return wrong("has " + std::to_string(expr.bits) + " bits");
    const auto bits = [&](uint32_t i) { return routine_->exprs[index(expr.operand[i])].bits; };
    if (expr.op == Operator::Constant && (expr.constant & ~mask_of(expr.bits)) != 0)
      return wrong("is a constant with more bits than it has");
    if (expr.op == Operator::Register) {
      if (expr.constant >= routine_->registers.size()) return wrong("reads no register");
      if (routine_->registers[expr.constant].bits != expr.bits)
        return wrong("has another width than its register");
    }
    const bool extends = expr.op == Operator::ZeroExtend || expr.op == Operator::SignExtend;
    if (extends && bits(0) >= expr.bits) return wrong("extends to fewer bits");
    if (expr.op == Operator::Truncate && bits(0) <= expr.bits)
      return wrong("truncates to more bits");
    if (operands == 1 && !extends && expr.op != Operator::Truncate && bits(0) != expr.bits)
      return wrong("has another width than its operand");
    if (operands == 2 && bits(0) != bits(1)) return wrong("has operands of different widths");
    if (operands == 2 && expr.bits != (is_comparison(expr.op) ? 1 : bits(0)))
      return wrong("has another width than its operands");
    if (operands == 3 && (bits(1) != expr.bits || bits(2) != expr.bits))
      return wrong("has another width than its operands");
  }

  // An expression that is there, and as wide as asked for (0: any width).
  bool check_value(ExprId id, std::string_view what, uint32_t bits) {
    if (index(id) >= routine_->exprs.size()) {
      say(where_ + ": " + std::string(what) + " is missing");
      return false;
    }
    const uint32_t has = routine_->exprs[index(id)].bits;
    if (bits != 0 && has != bits)
      say(where_ + ": " + std::string(what) + " has " + std::to_string(has) + " bits, not " +
          std::to_string(bits));
    return true;
  }
  void check_into(RegisterId id, std::string_view what, uint32_t bits) {
    if (!is_register(id))
      say(where_ + ": " + std::string(what) + " is no register");
    else if (bits != 0 && routine_->registers[index(id)].bits != bits)
      say(where_ + ": the register " + routine_->registers[index(id)].name + " has " +
          std::to_string(routine_->registers[index(id)].bits) + " bits, not " +
          std::to_string(bits));
  }

  void check(const Action& action) {
    const ActionShape& shape = shape_of(action.kind);
    const uint32_t width = shape.sized ? action.bits : 0;
    if (shape.sized && !is_width(action.bits))
      return say(where_ + ": an access of " + std::to_string(action.bits) + " bits");
    check_operand(shape.address, action.address, "the address", 64);
    check_operand(shape.second, action.second, "the second operand", shape.sized ? width : 64);
    check_operand(shape.value, action.value, "the value", shape.sized ? width : shape.value_bits);
    check_result(shape.into, action.into, width);
    check_result(shape.second_into, action.second_into, 0);
    if (action.kind == ActionKind::Create && index(action.routine) >= program_.routines.size())
      say(where_ + ": creates a thread of a routine that does not exist");
  }
  void check_operand(Needs needs, ExprId id, std::string_view what, uint32_t bits) {
    if (needs == Needs::Never && id != kNoExpr)
      say(where_ + ": " + std::string(what) + " is not used");
    if (needs == Needs::Always || (needs == Needs::Maybe && id != kNoExpr))
      check_value(id, what, bits);
  }
  void check_result(Needs needs, RegisterId id, uint32_t bits) {
    if (needs == Needs::Never && id != kNoRegister) say(where_ + ": there is no such result");
    if (needs == Needs::Always || (needs == Needs::Maybe && id != kNoRegister))
      check_into(id, "the result", bits);
  }

  void check(const Statement& statement) {
    switch (statement.kind) {
      case StatementKind::Assign: {
        if (!check_value(statement.value, "the value", 0)) return;
        return check_into(statement.into, "what is assigned",
                          routine_->exprs[index(statement.value)].bits);
      }
      case StatementKind::Input:
        return check_into(statement.into, "the input", 0);
      case StatementKind::Self:
        return check_into(statement.into, "the handle", 64);
      case StatementKind::Assume:
      case StatementKind::Assert:
        check_value(statement.value, "the condition", 0);
        return;
      case StatementKind::Allocate:
        check_into(statement.into, "the address", 64);
        if (statement.value != kNoExpr) check_value(statement.value, "the condition", 0);
        if (statement.site >= program_.sites.size()) say(where_ + ": allocates at no site");
        return;
      case StatementKind::Release:
        check_value(statement.value, "the address", 64);
        return;
    }
  }

  bool is_block(BlockId id) const { return index(id) < routine_->blocks.size(); }

  void check(const Jump& jump) {
    const bool branch = jump.kind == JumpKind::Branch;
    if ((branch || jump.kind == JumpKind::Goto) && !is_block(jump.then))
      say(where_ + ": jumps to no block");
    if (branch && !is_block(jump.otherwise)) say(where_ + ": jumps to no block otherwise");
    if (branch || jump.condition != kNoExpr) check_value(jump.condition, "the condition", 0);
    if (jump.kind == JumpKind::Cut && jump.bound >= program_.bounds.size())
      say(where_ + ": goes beyond a bound that does not exist");
  }

  const Program& program_;
  const Routine* routine_ = nullptr;
  std::string where_;
  bool broken_ = false;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problems_of(const Program& program) {
  return Checker(program).run();
}

}  // namespace heddle::graph
