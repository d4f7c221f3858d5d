#include "frontend/routine.h"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/rewrite.h"

namespace heddle::frontend {

using graph::ActionKind;
using graph::BlockId;
using graph::JumpKind;
using graph::StatementKind;

RoutineTranslator::RoutineTranslator(Context& context, llvm::Function& function,
                                     graph::Routine& routine)
    : context_(context), function_(function), builder_(routine) {}

void RoutineTranslator::translate() {
  declare();
  find_undefined();
  reached_.insert(&function_.getEntryBlock());
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (const llvm::BasicBlock* one : order)
    if (reached_.contains(one)) block(*one);
}

// Names, blocks and the registers of phis and of the parameter.
void RoutineTranslator::declare() {
  for (llvm::Instruction& one : llvm::instructions(function_))
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(one.getDbgRecordRange()))
      if (const llvm::Value* value = record.getVariableLocationOp(0))
        names_.try_emplace(value, record.getVariable()->getName().str());
  for (const llvm::BasicBlock& one : function_) {
    blocks_[&one] = builder_.add_block(one.getName().str());
    for (const llvm::PHINode& phi : one.phis()) {
      const uint32_t bits = bits_of(&phi);
      if (bits == 0) continue;
      const auto name = names_.find(&phi);
      registers_[&phi] = temporary(name == names_.end() ? phi.getName().str() : name->second, bits);
      values_[&phi] = builder_.read(registers_[&phi]);
    }
  }
  if (function_.arg_size() == 0 || &function_ == context_.routines.front()) return;
  const llvm::Argument* argument = function_.getArg(0);
  const graph::RegisterId parameter = builder_.add_register(argument->getName().str(), 64);
  builder_.routine().parameter = parameter;
  const uint32_t bits = bits_of(argument);
  if (bits != 0)
    values_[argument] = builder_.resize(graph::Operator::Truncate, builder_.read(parameter), bits);
}

// A phi may be undefined if something undefined comes in, or another such phi.
void RoutineTranslator::find_undefined() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& one : function_)
      for (const llvm::PHINode& phi : one.phis()) {
        if (defined_.contains(&phi) || !registers_.contains(&phi)) continue;
        for (const llvm::Use& value : phi.incoming_values()) {
          if (!llvm::isa<llvm::UndefValue>(value.get()) && !defined_.contains(value.get()))
            continue;
          const graph::RegisterId flag = temporary(phi.getName().str() + ".defined", 1);
          defined_[&phi] = flag;
          defined_by_register_[graph::index(registers_[&phi])] = flag;
          changed = true;
          break;
        }
      }
  }
}

void RoutineTranslator::block(const llvm::BasicBlock& block) {
  current_ = blocks_.at(&block);
  if (&block == &function_.getEntryBlock()) {
    // The first block has no action of its own: a thread begins before it.
    for (const llvm::Instruction& one : llvm::instructions(function_)) {
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&one);
      if (alloca == nullptr) continue;
      bool marked = false;
      for (const llvm::User* user : alloca->users())
        if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
          marked |= intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      std::string ignored;
      const graph::RegisterId address = temporary("&" + alloca->getName().str(), 64);
      registers_[alloca] = address;
      values_[alloca] = builder_.read(address);
      if (!marked) unmarked_.push_back(alloca);
    }
    for (const llvm::AllocaInst* alloca : unmarked_)
      if (!allocate(*alloca)) return;
  }
  for (const llvm::Instruction& one : block) {
    if (llvm::isa<llvm::PHINode>(one) || llvm::isa<llvm::AllocaInst>(one)) {
      if (llvm::isa<llvm::PHINode>(one) && !registers_.contains(&one) && !one.use_empty())
        return cut("a join of values that are no numbers");
      continue;
    }
    if (one.getDebugLoc() && one.getDebugLoc().getLine() != 0)
      place_ = context_.memory.place_of(one.getDebugLoc());
    if (one.isTerminator()) return terminator(one);
    if (!instruction(one)) return;
  }
}

bool RoutineTranslator::instruction(const llvm::Instruction& one) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return true;
  } else if (!llvm::isa<llvm::InsertValueInst>(one)) {
    for (const llvm::Use& operand : one.operands())
      if (llvm::isa<llvm::UndefValue>(operand.get())) {
        cut("the use of an uninitialised variable");
        return false;
      }
  }
  switch (one.getOpcode()) {
    case llvm::Instruction::Load:
      cut_where_undefined(one);
      return load(llvm::cast<llvm::LoadInst>(one));
    case llvm::Instruction::Store:
      cut_where_undefined(one);
      return store(llvm::cast<llvm::StoreInst>(one));
    case llvm::Instruction::AtomicRMW:
      cut_where_undefined(one);
      return update(llvm::cast<llvm::AtomicRMWInst>(one));
    case llvm::Instruction::AtomicCmpXchg:
      cut_where_undefined(one);
      return swap(llvm::cast<llvm::AtomicCmpXchgInst>(one));
    case llvm::Instruction::Fence:
      act(ActionKind::Fence);
      return true;
    case llvm::Instruction::Call:
      cut_where_undefined(one);
      return call(llvm::cast<llvm::CallBase>(one));
    default:
      break;
  }
  if (pure(one)) return true;
  cut(fmt::format("the instruction {}", one.getOpcodeName()));
  return false;
}

void RoutineTranslator::terminator(const llvm::Instruction& one) {
  cut_where_undefined(one);
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&one)) {
    const llvm::BasicBlock& here = *one.getParent();
    if (branch->isUnconditional()) {
      phis(here, *branch->getSuccessor(0));
      reached_.insert(branch->getSuccessor(0));
      builder_.jump(current_, blocks_.at(branch->getSuccessor(0)), place_);
      return;
    }
    if (llvm::isa<llvm::UndefValue>(branch->getCondition()))
      return cut("a branch on an uninitialised variable");
    const ExprId condition = expr(branch->getCondition());
    const BlockId from = current_;
    const BlockId then = edge(here, *branch->getSuccessor(0));
    const BlockId otherwise = edge(here, *branch->getSuccessor(1));
    builder_.branch(from, condition, then, otherwise, place_);
    return;
  }
  if (const auto* leaves = llvm::dyn_cast<llvm::ReturnInst>(&one))
    return leave(leaves->getReturnValue());
  if (llvm::isa<llvm::UnreachableInst>(one)) {
    // Behind a call that does not come back, or by the program's own word.
    return cut("code that cannot be reached");
  }
  cut(fmt::format("the instruction {}", one.getOpcodeName()));
}

// A block that gives the phis of `to` their values on the way from `from`.
BlockId RoutineTranslator::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  reached_.insert(&to);
  if (to.phis().empty()) return blocks_.at(&to);
  const BlockId before = current_;
  const BlockId between = builder_.add_block();
  current_ = between;
  phis(from, to);
  builder_.jump(current_, blocks_.at(&to), place_);
  current_ = before;
  return between;
}

void RoutineTranslator::phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  struct Pair {
    graph::RegisterId into;
    ExprId value;
  };
  std::vector<Pair> pairs;
  for (const llvm::PHINode& phi : to.phis()) {
    const auto into = registers_.find(&phi);
    if (into == registers_.end()) continue;
    const llvm::Value* value = phi.getIncomingValueForBlock(&from);
    const bool undefined = llvm::isa<llvm::UndefValue>(value);
    const ExprId comes = undefined ? builder_.constant(0, bits_of(&phi)) : expr(value);
    pairs.push_back({into->second, comes});
    const auto flag = defined_.find(&phi);
    if (flag == defined_.end()) continue;
    const auto other = defined_.find(value);
    pairs.push_back({flag->second, undefined                 ? builder_.constant(0, 1)
                                   : other == defined_.end() ? builder_.constant(1, 1)
                                                             : builder_.read(other->second)});
  }
  std::erase_if(pairs, [&](const Pair& p) { return builder_.read(p.into) == p.value; });
  // All at once: whatever one of them reads and another writes goes through a register of its own.
  const auto reads = [&](auto&& self, ExprId id, graph::RegisterId reg) -> bool {
    const graph::Expr one = builder_.routine().exprs[graph::index(id)];
    if (one.op == graph::Operator::Register) return one.constant == graph::index(reg);
    for (uint32_t i = 0; i < graph::operand_count(one.op); ++i)
      if (self(self, one.operand[i], reg)) return true;
    return false;
  };
  for (size_t i = 0; i < pairs.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (!reads(reads, pairs[i].value, pairs[j].into)) continue;
      const graph::RegisterId aside = temporary("next", builder_.bits(pairs[i].value));
      builder_.assign(current_, aside, pairs[i].value, place_);
      pairs[i].value = builder_.read(aside);
      break;
    }
  for (const Pair& pair : pairs) builder_.assign(current_, pair.into, pair.value, place_);
}

void RoutineTranslator::leave(const llvm::Value* result) {
  const bool is_main = &function_ == context_.routines.front();
  if (result != nullptr && llvm::isa<llvm::UndefValue>(result)) {
    if (is_main || context_.join_results_used) return cut("a return without a value");
    result = nullptr;
  }
  leave_with(result == nullptr || bits_of(result) == 0 ? graph::kNoExpr : expr64(result));
  if (!is_main) return;
  graph::Block& block = builder_.block(current_);
  block.jump.kind = JumpKind::Exit;
  if (block.jump.condition != graph::kNoExpr)
    block.jump.condition = builder_.resize(graph::Operator::Truncate, block.jump.condition, 32);
}

// The thread ends; its local variables with it.
void RoutineTranslator::leave_with(ExprId result) {
  for (const llvm::AllocaInst* alloca : unmarked_) {
    graph::Statement& release = state(StatementKind::Release);
    release.value = values_.at(alloca);
  }
  builder_.finish(current_, result, place_);
}

BlockId RoutineTranslator::cut_block(const std::string& what) {
  const std::string sentence = fmt::format("cannot model {}{}", what, where());
  std::vector<std::string>& bounds = context_.program.bounds;
  const auto known = std::find(bounds.begin(), bounds.end(), sentence);
  const auto number = static_cast<uint32_t>(known - bounds.begin());
  if (known == bounds.end()) bounds.push_back(sentence);
  const BlockId id = builder_.add_block();
  graph::Jump& jump = builder_.block(id).jump;
  jump.kind = JumpKind::Cut;
  jump.bound = number;
  jump.place = place_;
  return id;
}

void RoutineTranslator::cut(const std::string& what) {
  builder_.jump(current_, cut_block(what), place_);
}

void RoutineTranslator::cut_unless(ExprId holds, const std::string& what) {
  const graph::Expr one = builder_.routine().exprs[graph::index(holds)];
  if (one.op == graph::Operator::Constant && one.constant != 0) return;
  const BlockId elsewhere = cut_block(what);
  const BlockId next = builder_.add_block();
  builder_.branch(current_, holds, next, elsewhere, place_);
  current_ = next;
}

void RoutineTranslator::cut_where_undefined(const llvm::Instruction& instruction) {
  if (defined_by_register_.empty()) return;
  std::set<uint32_t> seen, flags;
  const auto walk = [&](auto&& self, ExprId id) -> void {
    if (!seen.insert(graph::index(id)).second) return;
    const graph::Expr one = builder_.routine().exprs[graph::index(id)];
    if (one.op == graph::Operator::Register) {
      const auto flag = defined_by_register_.find(static_cast<uint32_t>(one.constant));
      if (flag != defined_by_register_.end()) flags.insert(graph::index(flag->second));
    }
    for (uint32_t i = 0; i < graph::operand_count(one.op); ++i) self(self, one.operand[i]);
  };
  for (const llvm::Use& operand : instruction.operands()) {
    const auto value = values_.find(operand.get());
    if (value != values_.end()) walk(walk, value->second);
    const auto parts = parts_.find(operand.get());
    if (parts != parts_.end())
      for (ExprId part : parts->second) walk(walk, part);
  }
  for (uint32_t flag : flags)
    cut_unless(builder_.read(graph::RegisterId{flag}), "the use of an uninitialised variable");
}

void RoutineTranslator::fail(FindingKind kind, const std::string& message) {
  graph::Statement& statement = state(StatementKind::Assert);
  statement.failure = kind;
  statement.message = message;
  statement.value = builder_.constant(0, 1);
  builder_.finish(current_, graph::kNoExpr, place_);
}

graph::Action& RoutineTranslator::act(ActionKind kind) {
  const graph::Block& block = builder_.block(current_);
  const bool entry = graph::index(current_) == 0;
  if (entry || block.action.kind != ActionKind::None || !block.statements.empty()) go_on();
  graph::Action& action = builder_.block(current_).action;
  action.kind = kind;
  action.place = place_;
  return action;
}

void RoutineTranslator::go_on() {
  const BlockId next = builder_.add_block();
  builder_.jump(current_, next, place_);
  current_ = next;
}

// The caller fills in what it needs before anything else is added.
graph::Statement& RoutineTranslator::state(StatementKind kind) {
  graph::Statement statement;
  statement.kind = kind;
  statement.place = place_;
  std::vector<graph::Statement>& list = builder_.block(current_).statements;
  list.push_back(std::move(statement));
  return list.back();
}

graph::RegisterId RoutineTranslator::temporary(const std::string& name, uint32_t bits) {
  return builder_.add_register(name, bits);
}

std::string RoutineTranslator::where() const {
  if (place_.line == 0) return "";
  return fmt::format(" at {}:{}", context_.program.files[place_.file], place_.line);
}

}  // namespace heddle::frontend
