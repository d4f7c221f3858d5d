#include "frontend/rewrite.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string_view>
#include <vector>

namespace heddle::frontend {
namespace {

using llvm::CallInst;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

class Rewriter {
 public:
  Rewriter(llvm::Module& module, CallInst& call) : module_(module), call_(call), at_(&call) {}

  Value* argument(unsigned i) const { return call_.getArgOperand(i); }
  bool is_null(unsigned i) const { return llvm::isa<llvm::ConstantPointerNull>(argument(i)); }

  Value* made(const char* name, Type* result, llvm::ArrayRef<Value*> arguments) {
    std::vector<Type*> types;
    for (Value* value : arguments) types.push_back(value->getType());
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    return at_.CreateCall(callee, arguments);
  }

  // Into *pointer unless that is null.
  void store(Value* value, Value* pointer) {
    if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return;
    if (known_object(pointer)) {
      silent(at_.CreateStore(value, pointer));
      return;
    }
    Value* some = at_.CreateIsNotNull(pointer);
    llvm::Instruction* then =
        llvm::SplitBlockAndInsertIfThen(some, call_.getIterator(), /*Unreachable=*/false);
    IRBuilder<> inside(then);
    inside.SetCurrentDebugLocation(call_.getDebugLoc());
    silent(inside.CreateStore(value, pointer));
    at_.SetInsertPoint(&call_);
  }

  // *pointer, or `otherwise` where it is null.
  Value* load(Type* type, Value* pointer, Value* otherwise) {
    if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return otherwise;
    return silent(at_.CreateLoad(type, pointer));
  }

  void replace(Value* result) {
    if (!call_.getType()->isVoidTy())
      call_.replaceAllUsesWith(at_.CreateZExtOrTrunc(result, call_.getType()));
    call_.eraseFromParent();
  }
  void replace(int result) {
    if (call_.getType()->isVoidTy())
      call_.eraseFromParent();
    else
      replace(llvm::ConstantInt::get(call_.getType(), static_cast<uint64_t>(result), true));
  }

  IRBuilder<>& at() { return at_; }
  CallInst& call() { return call_; }
  llvm::Module& module() { return module_; }

 private:
  static bool known_object(Value* pointer) {
    pointer = pointer->stripInBoundsOffsets();
    return llvm::isa<llvm::AllocaInst>(pointer) || llvm::isa<llvm::GlobalVariable>(pointer);
  }
  template <class Access>
  Access* silent(Access* access) {
    access->setMetadata(kSilent, llvm::MDNode::get(module_.getContext(), {}));
    return access;
  }

  llvm::Module& module_;
  CallInst& call_;
  IRBuilder<> at_;
};

void create(Rewriter& r, Value* attributes, unsigned start, unsigned argument) {
  Value* handle = r.made(kCreate, r.at().getInt64Ty(), {r.argument(start), r.argument(argument)});
  r.store(handle, r.argument(0));
  if (attributes != nullptr && !llvm::isa<llvm::ConstantPointerNull>(attributes)) {
    Value* state = r.load(r.at().getInt32Ty(), attributes, r.at().getInt32(0));
    r.made(kDetachIf, r.at().getVoidTy(), {handle, state});
  }
  r.replace(0);
}

void pthread_create(Rewriter& r) {
  create(r, r.argument(1), 2, 3);
}
void thrd_create(Rewriter& r) {
  create(r, nullptr, 1, 2);
}

void join(Rewriter& r, Type* result) {
  Value* value = r.made(kJoin, r.at().getInt64Ty(), {r.argument(0)});
  if (result->isPointerTy())
    value = r.is_null(1) ? nullptr : r.at().CreateIntToPtr(value, result);
  else
    value = r.at().CreateTrunc(value, result);
  if (value != nullptr) r.store(value, r.argument(1));
  r.replace(0);
}
void pthread_join(Rewriter& r) {
  join(r, r.at().getPtrTy());
}
void thrd_join(Rewriter& r) {
  join(r, r.at().getInt32Ty());
}

// Attributes are kept as one number in their first bytes.
void attribute_init(Rewriter& r) {
  r.store(r.at().getInt32(0), r.argument(0));
  r.replace(0);
}
void attribute_set(Rewriter& r) {
  r.store(r.argument(1), r.argument(0));
  r.replace(0);
}
void ignored(Rewriter& r) {
  r.replace(0);
}

void pthread_mutex_init(Rewriter& r) {
  Value* kind = r.load(r.at().getInt32Ty(), r.argument(1), r.at().getInt32(0));
  r.replace(r.made(kMutexInit, r.at().getInt32Ty(), {r.argument(0), kind}));
}
void mtx_init(Rewriter& r) {
  Value* kind = r.at().CreateAnd(r.argument(1), r.at().getInt32(1));
  r.replace(r.made(kMutexInit, r.at().getInt32Ty(), {r.argument(0), kind}));
}

void sem_getvalue(Rewriter& r) {
  r.store(r.made(kSemValue, r.at().getInt32Ty(), {r.argument(0)}), r.argument(1));
  r.replace(0);
}

llvm::GlobalVariable* errno_of(llvm::Module& module) {
  if (llvm::GlobalVariable* known = module.getNamedGlobal(kErrno)) return known;
  Type* type = Type::getInt32Ty(module.getContext());
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantInt::get(type, 0), kErrno, nullptr,
                                  llvm::GlobalValue::GeneralDynamicTLSModel);
}

void sem_trywait(Rewriter& r) {
  Value* error = r.made(kSemTryWait, r.at().getInt32Ty(), {r.argument(0)});
  Value* failed = r.at().CreateIsNotNull(error);
  llvm::GlobalVariable* place = errno_of(r.module());
  Value* old = r.at().CreateLoad(error->getType(), place);
  r.at().CreateStore(r.at().CreateSelect(failed, error, old), place);
  r.replace(r.at().CreateSExt(failed, r.at().getInt32Ty()));
}

void errno_location(Rewriter& r) {
  r.call().replaceAllUsesWith(errno_of(r.module()));
  r.call().eraseFromParent();
}

void once(Rewriter& r) {
  Value* first = r.made(kOnceBegin, r.at().getInt1Ty(), {r.argument(0)});
  llvm::Instruction* then =
      llvm::SplitBlockAndInsertIfThen(first, r.call().getIterator(), /*Unreachable=*/false);
  IRBuilder<> inside(then);
  inside.SetCurrentDebugLocation(r.call().getDebugLoc());
  inside.CreateCall(llvm::FunctionType::get(inside.getVoidTy(), false), r.argument(1));
  inside.CreateCall(r.module().getOrInsertFunction(kOnceEnd, inside.getVoidTy(), inside.getPtrTy()),
                    {r.argument(0)});
  r.at().SetInsertPoint(&r.call());
  r.replace(0);
}

Value* guard_once(Rewriter& r) {
  return r.at().CreateConstGEP1_64(r.at().getInt8Ty(), r.argument(0), kGuardOnce);
}
void guard_acquire(Rewriter& r) {
  r.replace(r.made(kOnceBegin, r.at().getInt1Ty(), {guard_once(r)}));
}
void guard_release(Rewriter& r) {
  r.at().CreateStore(r.at().getInt8(1), r.argument(0))->setAtomic(llvm::AtomicOrdering::Release);
  r.made(kOnceEnd, r.at().getVoidTy(), {guard_once(r)});
  r.replace(0);
}

void self(Rewriter& r) {
  r.replace(r.made(kSelf, r.at().getInt64Ty(), {}));
}

void equal(Rewriter& r) {
  r.replace(r.at().CreateICmpEQ(r.argument(0), r.argument(1)));
}

struct Row {
  std::string_view name;
  unsigned arguments;
  void (*rewrite)(Rewriter&);
};
constexpr Row kRows[] = {
    {"pthread_create", 4, pthread_create},
    {"thrd_create", 3, thrd_create},
    {"pthread_join", 2, pthread_join},
    {"thrd_join", 2, thrd_join},
    {"pthread_attr_init", 1, attribute_init},
    {"pthread_attr_setdetachstate", 2, attribute_set},
    {"pthread_attr_setstacksize", 2, ignored},
    {"pthread_attr_setscope", 2, ignored},
    {"pthread_attr_destroy", 1, ignored},
    {"pthread_mutexattr_init", 1, attribute_init},
    {"pthread_mutexattr_settype", 2, attribute_set},
    {"pthread_mutexattr_setpshared", 2, ignored},
    {"pthread_mutexattr_destroy", 1, ignored},
    {"pthread_condattr_init", 1, ignored},
    {"pthread_condattr_setclock", 2, ignored},
    {"pthread_condattr_setpshared", 2, ignored},
    {"pthread_condattr_destroy", 1, ignored},
    {"pthread_rwlockattr_init", 1, ignored},
    {"pthread_rwlockattr_setpshared", 2, ignored},
    {"pthread_rwlockattr_destroy", 1, ignored},
    {"pthread_barrierattr_init", 1, ignored},
    {"pthread_barrierattr_destroy", 1, ignored},
    {"pthread_setconcurrency", 1, ignored},
    {"pthread_mutex_init", 2, pthread_mutex_init},
    {"mtx_init", 2, mtx_init},
    {"sem_getvalue", 2, sem_getvalue},
    {"sem_trywait", 1, sem_trywait},
    {"pthread_once", 2, once},
    {"call_once", 2, once},
    {"__cxa_guard_acquire", 1, guard_acquire},
    {"__cxa_guard_release", 1, guard_release},
    {"pthread_self", 0, self},
    {"thrd_current", 0, self},
    {"pthread_equal", 2, equal},
    {"thrd_equal", 2, equal},
    {"__errno_location", 0, errno_location},
};

// The address of a function of Heddle's library, which heddle/heddle.h asks the linker for in
// assembly: ".weak NAME" is its first line.
void rewrite_hook(llvm::Module& module, CallInst& call) {
  const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (assembly == nullptr) return;
  llvm::StringRef text = assembly->getAsmString();
  if (!text.consume_front(".weak heddle_v1_")) return;
  const std::string name = ("heddle_v1_" + text.take_until([](char c) { return c == '\n'; })).str();
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr)
    function =
        llvm::Function::Create(llvm::FunctionType::get(Type::getVoidTy(module.getContext()), false),
                               llvm::GlobalValue::ExternalLinkage, name, module);
  call.replaceAllUsesWith(function);
  call.eraseFromParent();
}

void rewrite_call(llvm::Module& module, CallInst& call) {
  if (call.isInlineAsm()) return rewrite_hook(module, call);
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return;
  for (const Row& row : kRows) {
    if (std::string_view(callee->getName()) != row.name || call.arg_size() != row.arguments)
      continue;
    Rewriter rewriter(module, call);
    return row.rewrite(rewriter);
  }
}

// The body of a function named __VERIFIER_atomic_* is one atomic section.
void make_section(llvm::Module& module, llvm::Function& function) {
  Type* none = Type::getVoidTy(module.getContext());
  llvm::FunctionCallee begin = module.getOrInsertFunction(kAtomicBegin, none);
  llvm::FunctionCallee end = module.getOrInsertFunction(kAtomicEnd, none);
  llvm::BasicBlock& entry = function.getEntryBlock();
  IRBuilder<> first(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  if (llvm::DISubprogram* program = function.getSubprogram())
    first.SetCurrentDebugLocation(
        llvm::DILocation::get(module.getContext(), program->getLine(), 0, program));
  first.CreateCall(begin);
  for (llvm::BasicBlock& block : function)
    if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      IRBuilder<>(leave).CreateCall(end);
}

}  // namespace

void rewrite_calls(llvm::Module& module) {
  std::vector<CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<CallInst>(&instruction)) calls.push_back(call);
  for (CallInst* call : calls) rewrite_call(module, *call);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getName().starts_with("__VERIFIER_atomic_"))
      make_section(module, function);
}

llvm::FunctionCallee cut(llvm::Module& module, const std::string& sentence) {
  return module.getOrInsertFunction(kCut + sentence, Type::getVoidTy(module.getContext()));
}

std::string place_text(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  if (!location || location.getLine() == 0) return "";
  return fmt::format("{}:{}", location->getFilename().str(), location.getLine());
}

}  // namespace heddle::frontend
