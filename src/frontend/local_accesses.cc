// Problem. A search that may switch threads at every access (--visible=all) has steps that nobody
// can notice: on variables of one thread, and on what is only read. SCALE's static analysis leaves
// them out; so do we, for the native engine.
//
// Idea. Points-to sets over the whole program say what each access may touch. A thread is a start
// routine with all functions that it may call; an object that does not escape, or that the code of
// one thread alone touches (which is started once), is that thread's own. An object that nobody
// writes may be read by all.
//
// What is not known is taken for the worst. Whatever is given to a function that is neither in the
// program nor in our tables may be kept, written and called by any thread; a function that no
// thread is seen to call (a handler, a callback) may be run by several. Where it is not known what
// a thread runs, nothing is left out. Blocks of the heap are not left out either, since the
// accesses to them show uses after free; neither are volatile accesses, which mean something to the
// runtime.
#include "frontend/local_accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/Utils/LowerInvoke.h>

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/calls.h"
#include "frontend/cxx_library.h"
#include "frontend/points_to.h"
#include "frontend/rewrite.h"
#include "frontend/verbs.h"

namespace heddle::frontend {
namespace {

constexpr char kNumber[] = "heddle.access";

using Objects = PointsTo::Objects;
using Code = std::set<const llvm::Function*>;

bool is_plain(const llvm::Instruction& one) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one))
    return !load->isAtomic() && !load->isVolatile();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one);
  return store != nullptr && !store->isAtomic() && !store->isVolatile();
}

const llvm::Value* pointer_of(const llvm::Instruction& access) {
  return llvm::getLoadStorePointerOperand(&access);
}

// Functions that keep nothing of what they are given and call nothing of it.
bool keeps_nothing(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return function.isIntrinsic() || name.starts_with("heddle.") || name.starts_with("heddle_v1_") ||
         name.starts_with("__VERIFIER_") || name == "__assert_fail" || name == "abort" ||
         name == "memset" || name == "memcpy" || name == "memmove" || name == "pthread_exit" ||
         is_ignored(std::string_view(name)) || ends_process(std::string_view(name)) ||
         find_verb(std::string_view(name)) != nullptr;
}

// A thread, or several that run the same.
struct Thread {
  Code code;
  bool several = false;
};

class Analysis {
 public:
  explicit Analysis(llvm::Module& module) : module_(module), points_to_(module) {}

  // False: what the threads run is not known.
  bool run() {
    find_unknown();
    if (!find_threads()) return false;
    find_escaped();
    note_uses();
    return true;
  }

  bool is_own(const llvm::Instruction& access) const {
    const bool writes = llvm::isa<llvm::StoreInst>(access);
    const Objects objects = points_to_.objects(pointer_of(access));
    return !objects.empty() && std::all_of(objects.begin(), objects.end(), [&](const auto* object) {
      return is_own(object, writes);
    });
  }

 private:
  struct Use {
    std::set<size_t> threads;
    bool written = false;
  };

  bool is_own(const llvm::Value* object, bool writes) const {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (global == nullptr && !llvm::isa<llvm::AllocaInst>(object)) return false;
    if (global != nullptr && !global->hasInitializer()) return false;
    if (unknown_.contains(object)) return false;
    if (global == nullptr && !escaped_.contains(object)) return true;
    const auto use = uses_.find(object);
    if (use == uses_.end()) return false;
    if (!writes && !use->second.written) return true;
    return use->second.threads.size() == 1 && !threads_[*use->second.threads.begin()].several;
  }

  std::vector<llvm::Function*> callees(const llvm::CallBase& call) const {
    if (llvm::Function* callee = call.getCalledFunction()) return {callee};
    return points_to_.functions(call.getCalledOperand());
  }

  // What functions that are not known are given, and all that they can come to from there.
  void find_unknown() {
    Objects given;
    for (const llvm::Function& function : module_)
      for (const llvm::Instruction& one : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
        if (call == nullptr) continue;
        const std::vector<llvm::Function*> known = callees(*call);
        const bool harmless =
            !known.empty() && std::all_of(known.begin(), known.end(), [&](llvm::Function* callee) {
              return !callee->isDeclaration() || keeps_nothing(*callee) || allocates(*call);
            });
        if (harmless) continue;
        for (const llvm::Use& argument : call->args())
          for (const llvm::Value* object : points_to_.objects(argument.get())) given.insert(object);
      }
    unknown_ = points_to_.reachable(given);
  }

  Code code_from(const llvm::Function* start) const {
    Code code = {start};
    std::vector<const llvm::Function*> todo = {start};
    while (!todo.empty()) {
      const llvm::Function* function = todo.back();
      todo.pop_back();
      for (const llvm::Instruction& one : llvm::instructions(*function))
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one))
          for (const llvm::Function* callee : callees(*call))
            if (!callee->isDeclaration() && code.insert(callee).second) todo.push_back(callee);
    }
    return code;
  }

  // The start routines and how often each is started at most: 2 for any number.
  bool find_starts(std::map<const llvm::Function*, unsigned>& starts) const {
    const llvm::Function* create = module_.getFunction(kCreate);
    if (create == nullptr) return true;
    for (const llvm::User* user : create->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledFunction() != create) return false;
      const std::vector<llvm::Function*> found = points_to_.functions(call->getArgOperand(0));
      if (found.empty()) return false;
      for (const llvm::Function* start : found) {
        if (start->isDeclaration()) return false;
        // A place in main itself, outside of loops, is passed once.
        const bool once =
            call->getFunction()->getName() == "main" && !is_repeated(*call->getParent());
        starts[start] += once ? 1 : 2;
      }
    }
    return true;
  }

  static bool is_repeated(const llvm::BasicBlock& block) {
    std::set<const llvm::BasicBlock*> seen;
    std::vector<const llvm::BasicBlock*> todo = {&block};
    while (!todo.empty()) {
      const llvm::BasicBlock* next = todo.back();
      todo.pop_back();
      for (const llvm::BasicBlock* after : llvm::successors(next)) {
        if (after == &block) return true;
        if (seen.insert(after).second) todo.push_back(after);
      }
    }
    return false;
  }

  bool find_threads() {
    const llvm::Function* main = module_.getFunction("main");
    std::map<const llvm::Function*, unsigned> starts;
    if (main == nullptr || main->isDeclaration() || !find_starts(starts)) return false;
    threads_.push_back({code_from(main), main->hasNUsesOrMore(1)});
    for (const llvm::Function* constructor : constructors())  // main's thread runs them
      threads_.front().code.merge(code_from(constructor));
    Code seen = threads_.front().code;
    for (const llvm::Function& function : module_) {  // in an order that does not change
      const auto start = starts.find(&function);
      if (start == starts.end()) continue;
      threads_.push_back({code_from(&function), start->second > 1});
      seen.insert(threads_.back().code.begin(), threads_.back().code.end());
    }
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration() && (unknown_.contains(&function) || !seen.contains(&function)))
        threads_.push_back({code_from(&function), true});
    return true;
  }

  std::vector<const llvm::Function*> constructors() const {
    std::vector<const llvm::Function*> found;
    const llvm::GlobalVariable* list = module_.getNamedGlobal("llvm.global_ctors");
    if (list == nullptr || !list->hasInitializer()) return found;
    for (const llvm::Use& row : list->getInitializer()->operands())
      if (const auto* members = llvm::dyn_cast<llvm::ConstantStruct>(row.get()))
        if (const auto* function =
                llvm::dyn_cast<llvm::Function>(members->getOperand(1)->stripPointerCasts()))
          found.push_back(function);
    return found;
  }

  void find_escaped() {
    Objects from = unknown_;
    const auto add = [&](const llvm::Value* pointer) {
      for (const llvm::Value* object : points_to_.objects(pointer)) from.insert(object);
    };
    for (const llvm::GlobalVariable& global : module_.globals()) from.insert(&global);
    for (const llvm::Function& function : module_)
      for (const llvm::Instruction& one : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
        const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
        if (callee != nullptr && callee->getName() == kCreate) add(call->getArgOperand(1));
        if (callee != nullptr && callee->getName() == "pthread_exit") add(call->getArgOperand(0));
        const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&one);
        if (leave != nullptr && leave->getReturnValue() != nullptr) add(leave->getReturnValue());
      }
    escaped_ = points_to_.reachable(from);
  }

  void note_uses() {
    for (size_t i = 0; i < threads_.size(); ++i)
      for (const llvm::Function* function : threads_[i].code)
        for (const llvm::Instruction& one : llvm::instructions(*function)) note_use(i, one);
  }

  void note_use(size_t thread, const llvm::Instruction& one) {
    const auto note = [&](const llvm::Value* pointer, bool writes) {
      for (const llvm::Value* object : points_to_.objects(pointer)) {
        Use& use = uses_[object];
        use.threads.insert(thread);
        use.written |= writes;
      }
    };
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
      note(load->getPointerOperand(), false);
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
      note(store->getPointerOperand(), true);
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&one)) {
      note(update->getPointerOperand(), true);
    } else if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&one)) {
      note(swap->getPointerOperand(), true);
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) {
      for (const llvm::Use& argument : call->args()) note(argument.get(), true);
    }
  }

  llvm::Module& module_;
  const PointsTo points_to_;
  Objects unknown_, escaped_;
  std::vector<Thread> threads_;  // main's first
  std::map<const llvm::Value*, Use> uses_;
};

void lower_invokes(llvm::Module& module) {
  llvm::FunctionAnalysisManager none;
  none.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) llvm::LowerInvokePass().run(function, none);
}

}  // namespace

void number_accesses(llvm::Module& module) {
  uint64_t next = 0;
  llvm::LLVMContext& context = module.getContext();
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function)) {
      if (!is_plain(one)) continue;
      llvm::Constant* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), ++next);
      one.setMetadata(kNumber, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
    }
}

uint64_t number_of(const llvm::Instruction& access) {
  const llvm::MDNode* node = access.getMetadata(kNumber);
  return node == nullptr
             ? 0
             : llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

LocalAccesses find_local_accesses(llvm::Module& module) {
  lower_invokes(module);
  rewrite_cxx_library(module);
  rewrite_calls(module);
  type_hooks(module);
  Analysis analysis(module);
  LocalAccesses found;
  const bool known = analysis.run();
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& one : llvm::instructions(function)) {
      const uint64_t number = number_of(one);
      if (number == 0) continue;
      ++found.all;
      if (known && analysis.is_own(one)) found.numbers.insert(number);
    }
  return found;
}

}  // namespace heddle::frontend
