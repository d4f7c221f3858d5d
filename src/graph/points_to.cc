#include "graph/points_to.h"

#include "graph/builder.h"

namespace heddle::graph {
namespace {

// Inputs wider than this may be anything, a pointer too.
constexpr uint32_t kMostBitsOfNumbers = 32;

}  // namespace

PointsTo::PointsTo(const Program& program) : program_(program), returned_(program.objects.size()) {
  for (uint32_t o = 0; o < program.objects.size(); ++o) {
    first_cell_.push_back(cell_count_);
    cell_count_ += static_cast<uint32_t>(program.objects[o].cells.size());
    object_of_cell_.resize(cell_count_, o);
  }
  contents_.assign(cell_count_, BitSet(program.objects.size()));
  for (uint32_t o = 0; o < program.objects.size(); ++o)
    for (uint32_t c = 0; c < program.objects[o].cells.size(); ++c) {
      const Cell& cell = program.objects[o].cells[c];
      const uint64_t object = (cell.initial >> 32) - 1;
      if (cell.kind == CellKind::Integer && object < program.objects.size())
        contents_[first_cell_[o] + c].insert(static_cast<uint32_t>(object));
    }
  for (const Routine& routine : program.routines)
    registers_.emplace_back(routine.registers.size(), BitSet(program.objects.size()));
  propagate();
}

BitSet PointsTo::objects(RoutineId routine, ExprId id) const {
  BitSet result(program_.objects.size());
  if (id == kNoExpr) return result;
  // Operands stand before what uses them: what is needed is marked from the end to the beginning.
  const std::vector<Expr>& exprs = program_.routines[index(routine)].exprs;
  std::vector<bool> needed(index(id) + 1);
  needed[index(id)] = true;
  for (uint32_t i = index(id) + 1; i > 0; --i) {
    if (!needed[i - 1]) continue;
    const Expr& expr = exprs[i - 1];
    if (expr.op == Operator::Constant) {
      const uint64_t object = (expr.constant >> 32) - 1;
      if (object < program_.objects.size()) result.insert(static_cast<uint32_t>(object));
    } else if (expr.op == Operator::Register) {
      result.merge(registers_[index(routine)][expr.constant]);
    }
    const bool compares = expr.op >= Operator::Equal && expr.op <= Operator::SLessEq;
    for (uint32_t k = expr.op == Operator::Select ? 1 : 0; k < operand_count(expr.op) && !compares;
         ++k)
      needed[index(expr.operand[k])] = true;
  }
  return result;
}

void PointsTo::add_cells(RoutineId routine, ExprId address, bool sync, uint32_t bits,
                         BitSet& cells) const {
  const Expr& expr = program_.routines[index(routine)].exprs[index(address)];
  const bool constant = expr.op == Operator::Constant;
  objects(routine, address).for_each([&](uint32_t o) {
    for (uint32_t c = 0; c < program_.objects[o].cells.size(); ++c) {
      const Cell& cell = program_.objects[o].cells[c];
      const bool integer = cell.kind == CellKind::Integer;
      const bool fits = sync ? !integer : integer && cell.bits == bits;
      if (fits && (!constant || cell.offset == (expr.constant & 0xffffffff)))
        cells.insert(first_cell_[o] + c);
    }
  });
}

uint32_t PointsTo::only_cell(RoutineId routine, ExprId address, bool sync, uint32_t bits) const {
  BitSet cells(cell_count_);
  add_cells(routine, address, sync, bits, cells);
  uint32_t found = kNoCell;
  if (cells.count() == 1) cells.for_each([&](uint32_t cell) { found = cell; });
  return found;
}

bool PointsTo::flow_into(uint32_t routine, RegisterId into, const BitSet& objects) {
  return into != kNoRegister && registers_[routine][index(into)].merge(objects);
}

bool PointsTo::propagate_block(uint32_t number, const Block& block) {
  const RoutineId routine{number};
  const Action& action = block.action;
  bool grown = false;
  switch (action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::AtomicLoad:
    case ActionKind::AtomicStore:
    case ActionKind::AtomicUpdate:
    case ActionKind::AtomicCas: {
      BitSet cells(cell_count_);
      add_cells(routine, action.address, false, action.bits, cells);
      const BitSet stored = objects(routine, action.value);
      cells.for_each([&](uint32_t cell) {
        grown |= flow_into(number, action.into, contents_[cell]);
        grown |= contents_[cell].merge(stored);
      });
      break;
    }
    case ActionKind::Create:
      grown |= flow_into(index(action.routine), program_.routines[index(action.routine)].parameter,
                         objects(routine, action.value));
      break;
    case ActionKind::Join:
      grown |= flow_into(number, action.into, returned_);
      break;
    default:
      break;
  }
  for (const Statement& statement : block.statements) {
    if (statement.kind == StatementKind::Assign) {
      grown |= flow_into(number, statement.into, objects(routine, statement.value));
    } else if (statement.kind == StatementKind::Allocate) {
      BitSet made(program_.objects.size());
      for (const std::vector<ObjectId>& list : program_.sites[statement.site].objects)
        for (ObjectId id : list) made.insert(index(id));
      grown |= flow_into(number, statement.into, made);
    } else if (statement.kind == StatementKind::Input &&
               program_.routines[number].registers[index(statement.into)].bits >
                   kMostBitsOfNumbers) {
      BitSet all(program_.objects.size());
      all.insert_all(program_.objects.size());
      grown |= flow_into(number, statement.into, all);
    }
  }
  if (block.jump.kind == JumpKind::Return)
    grown |= returned_.merge(objects(routine, block.jump.condition));
  return grown;
}

void PointsTo::propagate() {
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t r = 0; r < program_.routines.size(); ++r)
      for (const Block& block : program_.routines[r].blocks) grown |= propagate_block(r, block);
  }
}

}  // namespace heddle::graph
