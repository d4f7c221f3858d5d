#include "frontend/exit_handlers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <string_view>

namespace heddle::frontend {
namespace {

using llvm::CallInst;

// The function that clang makes for each global variable that needs more than a constant.
constexpr llvm::StringRef kInitialiser = "__cxx_global_var_init";

CallInst* call_of(llvm::Instruction& one, std::string_view name) {
  auto* call = llvm::dyn_cast<CallInst>(&one);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && std::string_view(callee->getName()) == name ? call : nullptr;
}

bool calls_any(llvm::Module& module, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const llvm::Function* function = module.getFunction(name);
        function != nullptr && !function->use_empty())
      return true;
  return false;
}

// What runs each time, in that order: not what is under a condition or in a loop.
std::vector<llvm::Instruction*> always(llvm::Function& function) {
  std::vector<llvm::Instruction*> all;
  llvm::BasicBlock* block = &function.getEntryBlock();
  while (block != nullptr) {
    for (llvm::Instruction& one : *block) all.push_back(&one);
    llvm::BasicBlock* next = block->getSingleSuccessor();
    block = next != nullptr && next->getSinglePredecessor() == block ? next : nullptr;
  }
  return all;
}

std::vector<CallInst*> registrations(const std::vector<llvm::Function*>& constructors) {
  std::vector<CallInst*> found;
  for (llvm::Function* constructor : constructors)
    for (llvm::Instruction* one : always(*constructor)) {
      auto* call = llvm::dyn_cast<CallInst>(one);
      llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr || callee->isDeclaration() ||
          !callee->getName().starts_with(kInitialiser) || !callee->hasOneUse())
        continue;
      for (llvm::Instruction* inner : always(*callee))
        if (CallInst* registers = call_of(*inner, "__cxa_atexit")) found.push_back(registers);
    }
  return found;
}

struct Handler {
  llvm::Function* function;
  llvm::Value* object;
};

void call_before(llvm::Instruction& end, const std::vector<Handler>& handlers) {
  llvm::IRBuilder<> at(&end);
  auto* type = llvm::FunctionType::get(at.getVoidTy(), {at.getPtrTy()}, false);
  for (size_t i = handlers.size(); i > 0; --i)
    at.CreateCall(type, handlers[i - 1].function, {handlers[i - 1].object});
}

}  // namespace

void run_destructors_at_exit(llvm::Module& module, llvm::Function& main,
                             const std::vector<llvm::Function*>& constructors) {
  // Whatever else runs at the end stands somewhere between these, in an order that is not known.
  if (calls_any(module, {"atexit", "at_quick_exit", "pthread_exit", "thrd_exit"})) return;
  const std::vector<CallInst*> all = registrations(constructors);
  const llvm::Function* registers = module.getFunction("__cxa_atexit");
  if (all.empty() || registers->getNumUses() != all.size()) return;
  std::vector<Handler> handlers;
  for (CallInst* one : all) {
    auto* function = llvm::dyn_cast<llvm::Function>(one->getArgOperand(0));
    if (function == nullptr || !llvm::isa<llvm::Constant>(one->getArgOperand(1))) return;
    handlers.push_back({function, one->getArgOperand(1)});
  }
  for (CallInst* one : all) {
    one->replaceAllUsesWith(llvm::ConstantInt::get(one->getType(), 0));
    one->eraseFromParent();
  }
  std::vector<llvm::Instruction*> ends;
  for (llvm::Instruction& one : llvm::instructions(main))
    if (llvm::isa<llvm::ReturnInst>(one)) ends.push_back(&one);
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function))
      if (CallInst* call = call_of(one, "exit")) ends.push_back(call);
  for (llvm::Instruction* end : ends) call_before(*end, handlers);
}

}  // namespace heddle::frontend
