#include "frontend/fold.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <vector>

namespace heddle::frontend {
namespace {

bool fold_once(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& one : llvm::instructions(function)) all.push_back(&one);
  bool changed = false;
  for (llvm::Instruction* one : all) {
    if (one->use_empty() || one->mayHaveSideEffects() || llvm::isa<llvm::FreezeInst>(one)) continue;
    llvm::Constant* value = llvm::ConstantFoldInstruction(one, layout);
    if (value == nullptr || llvm::isa<llvm::UndefValue>(value)) continue;
    one->replaceAllUsesWith(value);
    if (!llvm::isa<llvm::CallBase>(one)) one->eraseFromParent();
    changed = true;
  }
  for (llvm::BasicBlock& block : function)
    changed |= llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  return changed;
}

}  // namespace

void fold_constants(llvm::Function& function) {
  if (function.isDeclaration()) return;
  while (fold_once(function)) llvm::removeUnreachableBlocks(function);
  llvm::removeUnreachableBlocks(function);
}

}  // namespace heddle::frontend
