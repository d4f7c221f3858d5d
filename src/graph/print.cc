#include <set>

#include "graph/builder.h"
#include "graph/text.h"
#include "graph/words.h"

namespace heddle::graph {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string name_text(const std::string& name) {
  return is_plain_name(name) && !is_reserved(name) ? name : quoted(name);
}

// Names that tell things apart: the second "x" is "x#2".
class Names {
 public:
  void add(std::string name, const std::string& otherwise) {
    if (name.empty()) name = otherwise;
    std::string unique = name;
    for (uint32_t n = 2; !taken_.insert(unique).second; ++n)
      unique = name + "#" + std::to_string(n);
    names_.push_back(unique);
  }
  const std::string& operator[](size_t i) const { return names_[i]; }

 private:
  std::set<std::string> taken_;
  std::vector<std::string> names_;
};

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {
    for (const Object& object : program.objects) objects_.add(object.name, "object");
    for (const Site& site : program.sites) sites_.add(site.name, "site");
    for (const Routine& routine : program.routines) routines_.add(routine.name, "routine");
  }

  std::string run() {
    out_ = "program " + name_text(program_.name) + "\nthreads " +
           std::to_string(program_.max_threads) + "\n";
    for (const std::string& bound : program_.bounds) out_ += "bound " + quoted(bound) + "\n";
    for (size_t i = 0; i < program_.objects.size(); ++i) print_object(i);
    for (size_t i = 0; i < program_.sites.size(); ++i) print_site(i);
    for (size_t i = 0; i < program_.routines.size(); ++i) print_routine(i);
    return std::move(out_);
  }

 private:
  std::string place_text(const Place& place) const {
    if (place.line == 0 || place.file >= program_.files.size()) return "";
    std::string text =
        "  @ " + name_text(program_.files[place.file]) + ":" + std::to_string(place.line);
    return place.column == 0 ? text : text + ":" + std::to_string(place.column);
  }

  // As an address, without the &; "" where no cell begins there.
  std::string cell_text(uint64_t pointer) const {
    const uint64_t object = (pointer >> 32) - 1;
    if (object >= program_.objects.size()) return "";
    for (const Cell& cell : program_.objects[object].cells)
      if (cell.offset == (pointer & 0xffffffff)) {
        const std::string full = objects_[object] + cell.name;
        return reference(full);
      }
    return "";
  }
  // Cells are named by what follows the object: letters, digits, points and indices.
  static std::string reference(const std::string& full) {
    bool plain = !full.empty() && begins_name(full.front());
    for (char c : full) plain = plain && (continues_name(c) || c == '[' || c == ']');
    return plain && !is_reserved(full) ? full : quoted(full);
  }

  std::string value_text(uint64_t value, uint32_t bits) const {
    if (bits == 64 && value >> 32 != 0)
      if (std::string cell = cell_text(value); !cell.empty()) return "&" + cell;
    return std::to_string(value);
  }

  // The short forms: one cell that is all of a global, or integers of one width in a row.
  bool is_short(const Object& object) const {
    if (object.kind != ObjectKind::Global || object.constant || object.cells.size() != 1)
      return false;
    const Cell& cell = object.cells.front();
    const uint32_t size = cell.kind == CellKind::Integer ? bytes_of(cell.bits) : kSyncBytes;
    return cell.offset == 0 && cell.name.empty() && cell.initialised && object.size == size;
  }
  bool is_array(const Object& object) const {
    if (object.kind != ObjectKind::Global || object.constant || object.cells.empty()) return false;
    const Cell& first = object.cells.front();
    const uint32_t bytes = first.kind == CellKind::Integer ? bytes_of(first.bits) : kSyncBytes;
    for (uint32_t i = 0; i < object.cells.size(); ++i) {
      const Cell& cell = object.cells[i];
      if (cell.kind != first.kind || cell.bits != first.bits || !cell.initialised ||
          cell.offset != i * bytes || cell.name != "[" + std::to_string(i) + "]")
        return false;
    }
    return object.size == bytes * object.cells.size();
  }

  void print_object(size_t i) {
    const Object& object = program_.objects[i];
    const std::string name = name_text(objects_[i]);
    if (is_short(object)) {
      const Cell& cell = object.cells.front();
      out_ += std::string(kCellWords[static_cast<size_t>(cell.kind)]) + " " + name;
      if (cell.kind == CellKind::Integer) out_ += ": " + std::to_string(cell.bits);
      if (cell.initial != 0) out_ += " = " + value_text(cell.initial, cell.bits);
    } else if (is_array(object)) {
      const Cell& first = object.cells.front();
      out_ += "array " + name + ": " +
              (first.kind == CellKind::Integer
                   ? std::to_string(first.bits)
                   : std::string(kCellWords[static_cast<size_t>(first.kind)])) +
              " [" + std::to_string(object.cells.size()) + "]";
      size_t used = object.cells.size();
      while (used > 0 && object.cells[used - 1].initial == 0) --used;
      for (size_t c = 0; c < used; ++c)
        out_ += (c == 0 ? " = " : ", ") + value_text(object.cells[c].initial, object.cells[c].bits);
    } else {
      print_cells(object, name);
      return;
    }
    out_ += place_text(object.place) + "\n";
  }

  void print_cells(const Object& object, const std::string& name) {
    out_ += "object " + name + " " + std::string(kObjectWords[static_cast<size_t>(object.kind)]) +
            " " + std::to_string(object.size) + (object.constant ? " const" : "") +
            place_text(object.place) + " {\n";
    for (const Cell& cell : object.cells) {
      const bool integer = cell.kind == CellKind::Integer;
      out_ += "  " + quoted(cell.name) + ": " +
              (integer ? std::to_string(cell.bits)
                       : std::string(kCellWords[static_cast<size_t>(cell.kind)])) +
              " at " + std::to_string(cell.offset);
      if (cell.initial != 0) out_ += " = " + value_text(cell.initial, integer ? cell.bits : 32);
      out_ += cell.initialised ? "\n" : " uninitialised\n";
    }
    out_ += "}\n";
  }

  void print_site(size_t i) {
    const Site& site = program_.sites[i];
    out_ += "site " + name_text(sites_[i]) + " " +
            std::string(kObjectWords[static_cast<size_t>(site.kind)]) + place_text(site.place) +
            " {\n";
    for (size_t slot = 0; slot < site.objects.size(); ++slot) {
      if (site.objects[slot].empty()) continue;
      out_ += "  " + std::to_string(slot) + ":";
      for (ObjectId id : site.objects[slot]) out_ += " " + name_text(objects_[index(id)]);
      out_ += "\n";
    }
    out_ += "}\n";
  }

  // ---- routines ----

  void print_routine(size_t number) {
    routine_ = &program_.routines[number];
    registers_ = Names();
    blocks_ = Names();
    for (const Register& r : routine_->registers) registers_.add(r.name, "r");
    for (size_t i = 0; i < routine_->blocks.size(); ++i)
      blocks_.add(routine_->blocks[i].name, "b" + std::to_string(i));
    out_ += "\nroutine " + name_text(routines_[number]) + "(";
    if (routine_->parameter != kNoRegister) {
      out_ += register_text(routine_->parameter) + ": " +
              std::to_string(routine_->registers[index(routine_->parameter)].bits);
    }
    out_ += ") {\n";
    for (uint32_t i = 0; i < routine_->registers.size(); ++i)
      if (RegisterId{i} != routine_->parameter)
        out_ += "  reg " + register_text(RegisterId{i}) + ": " +
                std::to_string(routine_->registers[i].bits) + "\n";
    for (size_t i = 0; i < routine_->blocks.size(); ++i) {
      const Block& block = routine_->blocks[i];
      out_ += name_text(blocks_[i]) + ":\n";
      if (block.action.kind != ActionKind::None) print_action(block.action);
      for (const Statement& statement : block.statements) print_statement(statement);
      print_jump(block.jump);
    }
    out_ += "}\n";
  }

  std::string register_text(RegisterId id) const { return name_text(registers_[index(id)]); }
  std::string block_text(BlockId id) const { return name_text(blocks_[index(id)]); }

  // Whether the expression has a width of its own, or takes it from what it stands with.
  bool has_width(ExprId id) const {
    const Expr& expr = routine_->exprs[index(id)];
    return expr.op != Operator::Constant || constant_text(expr).front() == '&';
  }
  std::string constant_text(const Expr& expr) const { return value_text(expr.constant, expr.bits); }

  // `binding`: of what stands around it; `known`: a number's width can be told from there.
  std::string text(ExprId id, uint8_t binding = 0, bool known = false) const {
    const Expr& expr = routine_->exprs[index(id)];
    const OperatorWord& word = kOperatorWords[static_cast<size_t>(expr.op)];
    const auto in_brackets = [](const std::string& inner, bool wanted) {
      return wanted ? "(" + inner + ")" : inner;
    };
    switch (expr.op) {
      case Operator::Constant: {
        std::string number = constant_text(expr);
        const bool plain = number.front() == '&' || known;
        return plain ? number : number + ":" + std::to_string(expr.bits);
      }
      case Operator::Register:
        return register_text(RegisterId{static_cast<uint32_t>(expr.constant)});
      case Operator::Not:
      case Operator::Negate:
        return std::string(word.text) + text(expr.operand[0], 20);
      case Operator::ZeroExtend:
      case Operator::SignExtend:
      case Operator::Truncate:
        return std::string(word.text) + "(" + text(expr.operand[0]) + ", " +
               std::to_string(expr.bits) + ")";
      case Operator::Select: {
        const bool told = has_width(expr.operand[1]) || has_width(expr.operand[2]);
        return in_brackets(text(expr.operand[0], 1) + " ? " + text(expr.operand[1], 1, told) +
                               " : " + text(expr.operand[2], 0, told),
                           binding > 0);
      }
      default: {
        const bool told = has_width(expr.operand[0]) || has_width(expr.operand[1]);
        return in_brackets(text(expr.operand[0], word.binding, told) + " " +
                               std::string(word.text) + " " +
                               text(expr.operand[1], word.binding + 1, told),
                           binding > word.binding);
      }
    }
  }

  std::string address_text(ExprId id) const {
    const Expr& expr = routine_->exprs[index(id)];
    if (expr.op == Operator::Constant)
      if (std::string cell = cell_text(expr.constant); !cell.empty()) return cell;
    return "[" + text(id) + "]";
  }

  void print_action(const Action& action) {
    out_ += "  ";
    if (action.into != kNoRegister || action.second_into != kNoRegister) {
      out_ += action.into == kNoRegister ? "_" : register_text(action.into);
      if (action.second_into != kNoRegister) out_ += ", " + register_text(action.second_into);
      out_ += " = ";
    }
    const ActionShape& shape = shape_of(action.kind);
    out_ += (action.own ? "own " : "") + std::string(shape.name);
    const char* between = " ";
    const auto operand = [&](const std::string& text) {
      out_ += between + text;
      between = ", ";
    };
    if (action.kind == ActionKind::Create) operand(name_text(routines_[index(action.routine)]));
    if (action.address != kNoExpr) operand(address_text(action.address));
    if (action.second != kNoExpr)
      operand(shape.sized ? text(action.second) : address_text(action.second));
    if (action.value != kNoExpr) operand(text(action.value));
    out_ += place_text(action.place) + "\n";
  }

  void print_statement(const Statement& statement) {
    out_ += "  ";
    switch (statement.kind) {
      case StatementKind::Assign:
        out_ += register_text(statement.into) + " = " + text(statement.value, 0, true);
        break;
      case StatementKind::Input:
        out_ += register_text(statement.into) + " = input";
        break;
      case StatementKind::Self:
        out_ += register_text(statement.into) + " = self";
        break;
      case StatementKind::Assume:
        out_ += "assume " + text(statement.value);
        break;
      case StatementKind::Assert:
        out_ += "assert " + text(statement.value);
        if (!statement.message.empty()) out_ += ", " + quoted(statement.message);
        if (statement.failure != FindingKind::Assertion)
          out_ += ", " + std::string(name(statement.failure));
        break;
      case StatementKind::Allocate:
        out_ += register_text(statement.into) + " = allocate " + name_text(sites_[statement.site]);
        if (statement.value != kNoExpr) out_ += " if " + text(statement.value);
        break;
      case StatementKind::Release:
        out_ += "release " + text(statement.value);
        break;
    }
    out_ += place_text(statement.place) + "\n";
  }

  void print_jump(const Jump& jump) {
    out_ += "  ";
    switch (jump.kind) {
      case JumpKind::Goto:
        out_ += "goto " + block_text(jump.then);
        break;
      case JumpKind::Branch:
        out_ += "if " + text(jump.condition) + " goto " + block_text(jump.then) + " else " +
                block_text(jump.otherwise);
        break;
      case JumpKind::Return:
      case JumpKind::Exit:
        out_ += jump.kind == JumpKind::Return ? "return" : "exit";
        if (jump.condition != kNoExpr) out_ += " " + text(jump.condition);
        break;
      case JumpKind::Cut:
        out_ += "cut " + std::to_string(jump.bound);
        break;
    }
    out_ += place_text(jump.place) + "\n";
  }

  const Program& program_;
  const Routine* routine_ = nullptr;
  Names objects_, sites_, routines_, registers_, blocks_;
  std::string out_;
};

}  // namespace

std::string to_text(const Program& program) {
  return Printer(program).run();
}

}  // namespace heddle::graph
