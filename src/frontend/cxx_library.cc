#include "frontend/cxx_library.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

// Gives a function that is only declared a body.
llvm::IRBuilder<> define(llvm::Function& function) {
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(function.getContext(), "", &function);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return llvm::IRBuilder<>(entry);
}

void finish(llvm::IRBuilder<>& at, llvm::Function& function) {
  if (function.getReturnType()->isVoidTy())
    at.CreateRetVoid();
  else
    at.CreateRet(llvm::Constant::getNullValue(function.getReturnType()));
}

// What a thread of std::thread runs: its state has a table of virtual functions, the two
// destructors and then _M_run.
llvm::Function* thread_routine(llvm::Module& module) {
  constexpr char kName[] = "heddle.std_thread";
  if (llvm::Function* known = module.getFunction(kName)) return known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function* function =
      llvm::Function::Create(llvm::FunctionType::get(pointer, {pointer}, false),
                             llvm::GlobalValue::InternalLinkage, kName, module);
  llvm::IRBuilder<> at = define(*function);
  auto* type = llvm::FunctionType::get(at.getVoidTy(), {pointer}, false);
  for (int slot : {2, 1}) {  // run it, then delete it
    llvm::Value* table = at.CreateLoad(pointer, function->getArg(0));
    llvm::Value* place = at.CreateConstGEP1_64(pointer, table, static_cast<uint64_t>(slot));
    at.CreateCall(type, at.CreateLoad(pointer, place), {function->getArg(0)});
  }
  finish(at, *function);
  return function;
}

void start_thread(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  auto* pointer = at.getPtrTy();
  llvm::Value* state = at.CreateLoad(pointer, function.getArg(1));
  at.CreateStore(llvm::ConstantPointerNull::get(pointer), function.getArg(1));
  llvm::FunctionCallee create =
      module.getOrInsertFunction(kCreate, at.getInt64Ty(), pointer, pointer);
  llvm::Value* handle = at.CreateCall(create, {thread_routine(module), state});
  at.CreateStore(handle, function.getArg(0));
  finish(at, function);
}

void join_thread(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  llvm::Value* handle = at.CreateLoad(at.getInt64Ty(), function.getArg(0));
  at.CreateCall(module.getOrInsertFunction(kJoin, at.getInt64Ty(), at.getInt64Ty()), {handle});
  at.CreateStore(at.getInt64(0), function.getArg(0));
  finish(at, function);
}

void detach_thread(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  llvm::Value* handle = at.CreateLoad(at.getInt64Ty(), function.getArg(0));
  at.CreateCall(
      module.getOrInsertFunction(kDetachIf, at.getVoidTy(), at.getInt64Ty(), at.getInt32Ty()),
      {handle, at.getInt32(1)});
  at.CreateStore(at.getInt64(0), function.getArg(0));
  finish(at, function);
}

void nothing(llvm::Module&, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  finish(at, function);
}

void call_with_object(llvm::Module& module, llvm::Function& function, const char* name) {
  llvm::IRBuilder<> at = define(function);
  at.CreateCall(module.getOrInsertFunction(name, at.getInt32Ty(), at.getPtrTy()),
                {function.getArg(0)});
  finish(at, function);
}
void notify_one(llvm::Module& module, llvm::Function& function) {
  call_with_object(module, function, "pthread_cond_signal");
}
void notify_all(llvm::Module& module, llvm::Function& function) {
  call_with_object(module, function, "pthread_cond_broadcast");
}

void make_condition(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  at.CreateCall(module.getOrInsertFunction("pthread_cond_init", at.getInt32Ty(), at.getPtrTy(),
                                           at.getPtrTy()),
                {function.getArg(0), llvm::ConstantPointerNull::get(at.getPtrTy())});
  finish(at, function);
}

// The lock begins with a pointer to its mutex.
void wait(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  llvm::Value* mutex = at.CreateLoad(at.getPtrTy(), function.getArg(1));
  at.CreateCall(module.getOrInsertFunction("pthread_cond_wait", at.getInt32Ty(), at.getPtrTy(),
                                           at.getPtrTy()),
                {function.getArg(0), mutex});
  finish(at, function);
}

void make_mutex(llvm::Module& module, llvm::Function& function, uint32_t kind) {
  llvm::IRBuilder<> at = define(function);
  at.CreateCall(
      module.getOrInsertFunction(kMutexInit, at.getInt32Ty(), at.getPtrTy(), at.getInt32Ty()),
      {function.getArg(0), at.getInt32(kind)});
  finish(at, function);
}
void make_plain_mutex(llvm::Module& module, llvm::Function& function) {
  make_mutex(module, function, 0);
}
void make_recursive_mutex(llvm::Module& module, llvm::Function& function) {
  make_mutex(module, function, 1);
}
void make_shared_mutex(llvm::Module& module, llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  at.CreateCall(module.getOrInsertFunction("pthread_rwlock_init", at.getInt32Ty(), at.getPtrTy(),
                                           at.getPtrTy()),
                {function.getArg(0), llvm::ConstantPointerNull::get(at.getPtrTy())});
  finish(at, function);
}

struct Row {
  std::string_view name;
  void (*define)(llvm::Module&, llvm::Function&);
};
constexpr Row kRows[] = {
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
     start_thread},
    {"_ZNSt6thread4joinEv", join_thread},
    {"_ZNSt6thread6detachEv", detach_thread},
    {"_ZNSt6thread6_StateD2Ev", nothing},
    {"_ZNSt8ios_base4InitC1Ev", nothing},
    {"_ZNSt8ios_base4InitD1Ev", nothing},
    {"_ZNSt18condition_variableC1Ev", make_condition},
    {"_ZNSt18condition_variableD1Ev", nothing},
    {"_ZNSt18condition_variable10notify_oneEv", notify_one},
    {"_ZNSt18condition_variable10notify_allEv", notify_all},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", wait},
    {"_ZNSt12__mutex_baseC2Ev", make_plain_mutex},
    {"_ZNSt22__recursive_mutex_baseC2Ev", make_recursive_mutex},
    {"_ZNSt22__shared_mutex_pthreadC2Ev", make_shared_mutex},
};

// Output goes to the stream that is given back. What is written is a value or a string, which
// printing in C is not asked for either.
void give_stream_back(llvm::Function& function) {
  llvm::IRBuilder<> at = define(function);
  at.CreateRet(function.getArg(0));
}
constexpr std::string_view kOutput[] = {
    "_ZNSolsE",                                           // numbers, and endl and its like
    "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_E",  // characters and strings of C
    "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamI",
    "_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamI",
    "_ZNSo5flushEv",
    "_ZNSo3putEc",
};

bool is_output(llvm::StringRef name) {
  return std::any_of(std::begin(kOutput), std::end(kOutput),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

void drop_output(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!is_output(function.getName()) || function.arg_empty()) continue;
    if (function.getReturnType() != function.getArg(0)->getType()) continue;
    function.deleteBody();  // in the headers
    function.setComdat(nullptr);
    give_stream_back(function);
  }
}

// Registered for the end of the program: destructors that do nothing need not run.
void drop_registrations(llvm::Module& module) {
  llvm::Function* registers = module.getFunction("__cxa_atexit");
  if (registers == nullptr || !registers->isDeclaration()) return;
  for (llvm::User* user : llvm::make_early_inc_range(registers->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != registers) continue;
    const auto* destructor = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0));
    const bool idle =
        destructor != nullptr && (destructor->getName() == "_ZNSt8ios_base4InitD1Ev" ||
                                  destructor->getName() == "_ZNSt18condition_variableD1Ev");
    if (!idle) continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
}

}  // namespace

void rewrite_cxx_library(llvm::Module& module) {
  drop_registrations(module);
  drop_output(module);
  for (const Row& row : kRows)
    if (llvm::Function* function = module.getFunction(row.name)) {
      function->deleteBody();  // constructors of locks are in the headers
      function->setComdat(nullptr);
      row.define(module, *function);
    }
}

}  // namespace heddle::frontend
