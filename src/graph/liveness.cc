#include "graph/liveness.h"

namespace heddle::graph {

void Liveness::add_uses(ExprId id, RegisterSet& set) const {
  if (id != kNoExpr) set.merge(uses_[index(id)]);
}

RegisterSet Liveness::before_jump(const Block& block) const {
  RegisterSet live(routine_.registers.size());
  for (BlockId next : {block.jump.then, block.jump.otherwise})
    if (next != kNoBlock) live.merge(before_[index(next)]);
  add_uses(block.jump.condition, live);
  return live;
}

RegisterSet Liveness::before_statement(BlockId id, size_t statement) const {
  const Block& block = routine_.blocks[index(id)];
  RegisterSet live = before_jump(block);
  for (size_t i = block.statements.size(); i > statement; --i) {
    const Statement& s = block.statements[i - 1];
    if (s.into != kNoRegister) live.erase(index(s.into));
    add_uses(s.value, live);
  }
  return live;
}

Liveness::Liveness(const Routine& routine)
    : routine_(routine),
      uses_(routine.exprs.size(), RegisterSet(routine.registers.size())),
      before_(routine.blocks.size(), RegisterSet(routine.registers.size())) {
  for (size_t i = 0; i < routine.exprs.size(); ++i) {
    const Expr& expr = routine.exprs[i];
    if (expr.op == Operator::Register) uses_[i].insert(static_cast<uint32_t>(expr.constant));
    for (ExprId operand : expr.operand) add_uses(operand, uses_[i]);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = routine.blocks.size(); i > 0; --i) {
      const BlockId id{static_cast<uint32_t>(i - 1)};
      const Action& action = routine.blocks[i - 1].action;
      RegisterSet live = before_statement(id, 0);
      // The value of an update may read what was loaded.
      const bool late =
          action.kind == ActionKind::AtomicUpdate || action.kind == ActionKind::AtomicCas;
      if (late) add_uses(action.value, live);
      for (RegisterId into : {action.into, action.second_into})
        if (into != kNoRegister) live.erase(index(into));
      if (!late) add_uses(action.value, live);
      add_uses(action.address, live);
      add_uses(action.second, live);
      grown |= before_[i - 1].merge(live);
    }
  }
}

}  // namespace heddle::graph
