#include "frontend/prune.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

#include "frontend/local_accesses.h"
#include "frontend/module.h"

namespace heddle::frontend {
namespace {

// clang's instrumentation takes a part of a local variable for one that nobody else can reach, if
// its own address is not passed on, though that of the whole may be. So we tell of such accesses.
bool is_missed(llvm::Instruction& access) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
  return !llvm::isa<llvm::AllocaInst>(pointer) &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}
void tell(llvm::Instruction& access) {
  llvm::Module& module = *access.getModule();
  const uint64_t size = module.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
  if (size > 16 || !llvm::isPowerOf2_64(size)) return;
  const std::string name =
      std::string(llvm::isa<llvm::StoreInst>(access) ? "__tsan_write" : "__tsan_read") +
      std::to_string(size);
  llvm::IRBuilder<> at(&access);
  at.CreateCall(module.getOrInsertFunction(name, at.getVoidTy(), at.getPtrTy()),
                {llvm::getLoadStorePointerOperand(&access)});
}

}  // namespace

Pruned prune(const Options& options, const std::string& file) {
  Pruned result;
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = compile(options, context, result.sentence);
  if (!module) return result;
  number_accesses(*module);
  const LocalAccesses local = find_local_accesses(*llvm::CloneModule(*module));
  llvm::MDNode* mark = llvm::MDNode::get(context, {});
  std::vector<llvm::Instruction*> missed;
  for (llvm::Function& function : *module)
    for (llvm::Instruction& one : llvm::instructions(function)) {
      const uint64_t number = number_of(one);
      if (number == 0) continue;
      ++result.accesses;
      if (local.numbers.contains(number)) {
        ++result.pruned;
        one.setMetadata(llvm::LLVMContext::MD_nosanitize, mark);
      } else if (is_missed(one)) {
        missed.push_back(&one);
        one.setMetadata(llvm::LLVMContext::MD_nosanitize, mark);
      }
    }
  for (llvm::Instruction* one : missed) tell(*one);
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  if (error) {
    result.sentence = "cannot write " + file;
    return result;
  }
  llvm::WriteBitcodeToFile(*module, out);
  result.made = true;
  return result;
}

}  // namespace heddle::frontend
