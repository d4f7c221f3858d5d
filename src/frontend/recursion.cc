#include "frontend/recursion.h"

#include <fmt/format.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <vector>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

using Copies = std::map<llvm::Function*, llvm::Function*>;

// Sends the calls in `from` to the copies.
void redirect(llvm::Function& from, const Copies& copies) {
  for (llvm::Instruction& one : llvm::instructions(from)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
    if (call == nullptr || call->getCalledFunction() == nullptr) continue;
    const auto copy = copies.find(call->getCalledFunction());
    if (copy != copies.end()) call->setCalledFunction(copy->second);
  }
}

void cut_calls(llvm::Module& module, llvm::Function& from, const Copies& of, uint32_t depth) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& one : llvm::instructions(from))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&one))
      if (call->getCalledFunction() != nullptr && of.contains(call->getCalledFunction()))
        calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    llvm::IRBuilder<> at(call);
    at.CreateCall(cut(
        module, fmt::format("{} calls itself more than {} times (at {})",
                            call->getCalledFunction()->getName().str(), depth, place_text(*call))));
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();  // what follows is not reached
  }
}

void unroll(llvm::Module& module, const std::vector<llvm::Function*>& component, uint32_t depth) {
  Copies originals;
  for (llvm::Function* function : component) originals[function] = function;
  std::vector<Copies> levels(depth);
  for (uint32_t level = 0; level < depth; ++level)
    for (llvm::Function* function : component) {
      llvm::ValueToValueMapTy values;
      levels[level][function] = llvm::CloneFunction(function, values);
    }
  for (uint32_t level = 0; level < depth; ++level)
    for (auto& [function, copy] : levels[level]) {
      if (level + 1 < depth)
        redirect(*copy, levels[level + 1]);
      else
        cut_calls(module, *copy, originals, depth);
    }
  for (llvm::Function* function : component) redirect(*function, levels[0]);
}

}  // namespace

void bound_recursion(llvm::Module& module, uint32_t depth) {
  const llvm::CallGraph graph(module);
  std::vector<std::vector<llvm::Function*>> components;
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
    if (!it.hasCycle()) continue;
    std::vector<llvm::Function*> component;
    for (const llvm::CallGraphNode* node : *it)
      if (llvm::Function* function = node->getFunction();
          function != nullptr && !function->isDeclaration())
        component.push_back(function);
    if (!component.empty()) components.push_back(component);
  }
  for (const std::vector<llvm::Function*>& component : components) unroll(module, component, depth);
}

}  // namespace heddle::frontend
