#include "frontend/prepare.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/LowerInvoke.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "frontend/calls.h"
#include "frontend/copies.h"
#include "frontend/cxx_library.h"
#include "frontend/exit_handlers.h"
#include "frontend/fold.h"
#include "frontend/inlined_size.h"
#include "frontend/recursion.h"
#include "frontend/rewrite.h"
#include "frontend/sizes.h"
#include "frontend/verbs.h"

namespace heddle::frontend {
namespace {

constexpr uint64_t kMostInstructions = 50'000;
constexpr uint32_t kMostElements = 32;  // of a block whose size is not constant

class Passes {
 public:
  Passes() {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  template <class... Pass>
  void run(llvm::Module& module, Pass... passes) {
    llvm::FunctionPassManager manager;
    (manager.addPass(std::move(passes)), ...);
    llvm::ModulePassManager whole;
    whole.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(manager)));
    whole.run(module, modules_);
    forget();
  }
  void inline_all(llvm::Module& module) {
    llvm::ModulePassManager whole;
    whole.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
    whole.run(module, modules_);
    forget();
  }

 private:
  // What was found out about a module that is changed by hand in between.
  void forget() {
    functions_.clear();
    components_.clear();
    modules_.clear();
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

// Global constructors run before main does; in that order.
std::vector<llvm::Function*> call_constructors(llvm::Module& module, llvm::Function& main) {
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (list == nullptr || !list->hasInitializer()) return {};
  std::vector<std::pair<uint64_t, llvm::Function*>> constructors;
  if (const auto* rows = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()))
    for (const llvm::Use& row : rows->operands()) {
      const auto* members = llvm::cast<llvm::ConstantStruct>(row.get());
      auto* function = llvm::dyn_cast<llvm::Function>(members->getOperand(1)->stripPointerCasts());
      const auto* priority = llvm::cast<llvm::ConstantInt>(members->getOperand(0));
      if (function != nullptr) constructors.emplace_back(priority->getZExtValue(), function);
    }
  std::stable_sort(constructors.begin(), constructors.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  llvm::BasicBlock& entry = main.getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  if (llvm::DISubprogram* program = main.getSubprogram())
    at.SetCurrentDebugLocation(
        llvm::DILocation::get(module.getContext(), program->getLine(), 0, program));
  std::vector<llvm::Function*> called;
  for (const auto& [priority, function] : constructors) {
    at.CreateCall(function);
    called.push_back(function);
  }
  list->eraseFromParent();
  return called;
}

// The command line of the program is known.
void set_arguments(llvm::Module& module, llvm::Function& main, const Options& options) {
  std::vector<std::string> words = {options.sources.front()};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  llvm::LLVMContext& context = module.getContext();
  if (main.arg_size() > 0)
    main.getArg(0)->replaceAllUsesWith(
        llvm::ConstantInt::get(main.getArg(0)->getType(), words.size()));
  if (main.arg_size() < 2) return;
  std::vector<llvm::Constant*> pointers;
  for (size_t i = 0; i < words.size(); ++i) {
    llvm::Constant* text = llvm::ConstantDataArray::getString(context, words[i]);
    pointers.push_back(new llvm::GlobalVariable(module, text->getType(), false,
                                                llvm::GlobalValue::InternalLinkage, text,
                                                "argv[" + std::to_string(i) + "]"));
  }
  auto* pointer = llvm::PointerType::get(context, 0);
  pointers.push_back(llvm::ConstantPointerNull::get(pointer));
  auto* type = llvm::ArrayType::get(pointer, pointers.size());
  auto* list = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantArray::get(type, pointers), "argv");
  main.getArg(1)->replaceAllUsesWith(list);
}

// A thread-local variable is a local one of each thread's function.
void make_local(llvm::Module& module, const std::vector<llvm::Function*>& roots) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& global : module.globals())
    if (global.isThreadLocal()) variables.push_back(&global);
  for (llvm::GlobalVariable* variable : variables) {
    for (llvm::Function* root : roots) {
      llvm::IRBuilder<> at(&root->getEntryBlock(), root->getEntryBlock().begin());
      llvm::AllocaInst* local = nullptr;
      const auto here = [&] {
        if (local == nullptr) {
          local = at.CreateAlloca(variable->getValueType(), nullptr, variable->getName());
          if (variable->hasInitializer()) at.CreateStore(variable->getInitializer(), local);
        }
        return local;
      };
      std::vector<llvm::Instruction*> all;
      for (llvm::Instruction& one : llvm::instructions(*root)) all.push_back(&one);
      for (llvm::Instruction* one : all) {
        auto* address = llvm::dyn_cast<llvm::IntrinsicInst>(one);
        if (address != nullptr &&
            address->getIntrinsicID() == llvm::Intrinsic::threadlocal_address &&
            address->getArgOperand(0) == variable) {
          address->replaceAllUsesWith(here());
          address->eraseFromParent();
          continue;
        }
        for (llvm::Use& operand : one->operands())
          if (operand.get() == variable) operand.set(here());
      }
    }
  }
}

// From here on no pass may take an access away or add one.
void keep_accesses(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) load->setVolatile(true);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) store->setVolatile(true);
    }
}

// Start routines, too, since they may be called; they themselves stay.
void allow_inlining(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.setComdat(nullptr);
    function.setPersonalityFn(nullptr);
    for (llvm::Instruction& one : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) {
        call->removeFnAttr(llvm::Attribute::NoInline);
        call->removeFnAttr(llvm::Attribute::OptimizeNone);
      }
  }
}

void drop_bodies(llvm::Module& module, const std::vector<llvm::Function*>& roots) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() &&
        std::find(roots.begin(), roots.end(), &function) == roots.end())
      function.deleteBody();
}

// What only goes into output need not be computed.
void drop_output(llvm::Module& module) {
  std::vector<llvm::Instruction*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one))
        if (const llvm::Function* callee = call->getCalledFunction();
            callee != nullptr && callee->isDeclaration() && call->use_empty() &&
            is_ignored(std::string_view(callee->getName())))
          calls.push_back(&one);
  for (llvm::Instruction* call : calls) call->eraseFromParent();
}

void fold_all(llvm::Module& module) {
  for (llvm::Function& function : module) fold_constants(function);
}

}  // namespace

Prepared prepare(llvm::Module& module, const Options& options) {
  llvm::Function* main = module.getFunction("main");
  if (main == nullptr || main->isDeclaration())
    return {Answer::CannotCompile, "there is no function main in the sources", {}};
  if (module.getNamedGlobal("llvm.global_dtors") != nullptr)
    return {Answer::CannotModel, "cannot model functions that run when the program ends", {}};
  const std::vector<llvm::Function*> constructors = call_constructors(module, *main);
  set_arguments(module, *main, options);
  Passes passes;
  passes.run(module, llvm::LowerInvokePass());
  fold_all(module);
  rewrite_cxx_library(module);
  run_destructors_at_exit(module, *main, constructors);
  rewrite_calls(module);
  drop_output(module);
  split_copies(module);
  passes.run(module, llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  type_hooks(module);
  fold_all(module);
  std::vector<llvm::Function*> roots = resolve_calls(module, *main);
  bound_recursion(module, options.recursion);
  if (const uint64_t size = inlined_size(roots); size > kMostInstructions)
    return {
        Answer::CannotModel,
        fmt::format("the program is too large: {} instructions when all calls are inlined, more "
                    "than {}",
                    size, kMostInstructions),
        {}};
  allow_inlining(module);
  passes.inline_all(module);
  drop_bodies(module, roots);
  make_local(module, roots);
  fold_all(module);
  // Twice: what the first makes registers of may be the index into what the second can then split.
  for (int i = 0; i < 2; ++i) {
    split_copies(module);
    passes.run(module, llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    fold_all(module);
  }
  tell_sizes_apart(module, std::min(options.allocations, kMostElements));
  keep_accesses(module);
  passes.run(module, llvm::LowerSwitchPass(), llvm::DCEPass());
  fold_all(module);
  return {Answer::Graph, "", std::move(roots)};
}

}  // namespace heddle::frontend
