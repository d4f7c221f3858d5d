#include "frontend/calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include <algorithm>

#include "frontend/points_to.h"
#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

std::vector<llvm::CallInst*> calls_of(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one)) calls.push_back(call);
  return calls;
}

// No function that the pointer may be is left.
void fail_instead(llvm::Module& module, llvm::CallInst& call) {
  llvm::IRBuilder<> at(&call);
  at.CreateCall(module.getOrInsertFunction(kBadCall, at.getVoidTy()));
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(llvm::Constant::getNullValue(call.getType()));
  call.eraseFromParent();  // what follows is not reached: kBadCall does not come back
}

void resolve_indirect(llvm::Module& module, llvm::CallInst& call,
                      const std::vector<llvm::Function*>& candidates) {
  for (llvm::Function* function : candidates)
    if (llvm::isLegalToPromote(call, function)) llvm::promoteCallWithIfThenElse(call, function);
  fail_instead(module, call);
}

// heddle.create with a start routine that is not known: one for each that it may be.
void resolve_create(llvm::Module& module, llvm::CallInst& call,
                    const std::vector<llvm::Function*>& candidates) {
  for (llvm::Function* function : candidates) {
    llvm::IRBuilder<> at(&call);
    llvm::Value* same = at.CreateICmpEQ(call.getArgOperand(0), function);
    llvm::Instruction* then = nullptr;
    llvm::Instruction* otherwise = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(same, call.getIterator(), &then, &otherwise);
    auto* known = llvm::cast<llvm::CallInst>(call.clone());
    known->insertBefore(then);
    known->setArgOperand(0, function);
    llvm::BasicBlock* after = call.getParent();
    call.moveBefore(otherwise);
    llvm::IRBuilder<> join(after, after->begin());
    llvm::PHINode* handle = join.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(handle);
    handle->addIncoming(known, then->getParent());
    handle->addIncoming(&call, otherwise->getParent());
  }
  fail_instead(module, call);
}

bool is_create(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName() == kCreate;
}

}  // namespace

void type_hooks(llvm::Module& module) {
  for (llvm::CallInst* call : calls_of(module)) {
    auto* hook = llvm::dyn_cast<llvm::Function>(call->getCalledOperand());
    if (hook == nullptr || !hook->getName().starts_with("heddle_v1_") ||
        hook->getFunctionType() == call->getFunctionType())
      continue;
    llvm::Function* typed = llvm::Function::Create(call->getFunctionType(),
                                                   llvm::GlobalValue::ExternalLinkage, "", module);
    typed->takeName(hook);
    hook->replaceAllUsesWith(typed);
    hook->eraseFromParent();
  }
}

std::vector<llvm::Function*> resolve_calls(llvm::Module& module, llvm::Function& main) {
  const PointsTo points_to(module);
  // All answers first: what is changed below is not known to the analysis.
  std::vector<std::pair<llvm::CallInst*, std::vector<llvm::Function*>>> indirect, creates;
  std::vector<llvm::Function*> roots = {&main};
  for (llvm::CallInst* call : calls_of(module)) {
    if (is_create(*call)) {
      std::vector<llvm::Function*> starts = points_to.functions(call->getArgOperand(0));
      std::erase_if(starts, [](llvm::Function* f) { return f->isDeclaration(); });
      for (llvm::Function* start : starts)
        if (std::find(roots.begin(), roots.end(), start) == roots.end()) roots.push_back(start);
      if (!llvm::isa<llvm::Function>(call->getArgOperand(0))) creates.emplace_back(call, starts);
    } else if (call->getCalledFunction() == nullptr && !call->isInlineAsm() &&
               !llvm::isa<llvm::Function>(call->getCalledOperand())) {
      indirect.emplace_back(call, points_to.functions(call->getCalledOperand()));
    }
  }
  for (auto& [call, starts] : creates) resolve_create(module, *call, starts);
  for (auto& [call, functions] : indirect) resolve_indirect(module, *call, functions);
  return roots;
}

}  // namespace heddle::frontend
