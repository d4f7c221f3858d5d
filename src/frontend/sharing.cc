#include "frontend/sharing.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

bool is_call_of(const llvm::Instruction& instruction, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == name;
}

}  // namespace

bool in_cycle(const llvm::BasicBlock* block) {
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::BasicBlock*> todo(llvm::succ_begin(block), llvm::succ_end(block));
  while (!todo.empty()) {
    const llvm::BasicBlock* next = todo.back();
    todo.pop_back();
    if (next == block) return true;
    if (seen.insert(next).second)
      todo.insert(todo.end(), llvm::succ_begin(next), llvm::succ_end(next));
  }
  return false;
}

Sharing::Sharing(const PointsTo& points_to, const std::vector<llvm::Function*>& roots)
    : points_to_(points_to) {
  count_threads(roots);
  for (const llvm::Function* root : roots) note_uses(*root);
  find_escaped(roots);
}

void Sharing::count_threads(const std::vector<llvm::Function*>& roots) {
  std::map<const llvm::Function*, unsigned> starts;
  std::vector<std::pair<const llvm::Function*, const llvm::Function*>> started;  // by, what
  for (const llvm::Function* root : roots)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      if (!is_call_of(one, kCreate)) continue;
      const auto* routine =
          llvm::dyn_cast<llvm::Function>(llvm::cast<llvm::CallBase>(one).getArgOperand(0));
      if (routine == nullptr) continue;
      starts[routine] += in_cycle(one.getParent()) ? 2 : 1;
      started.emplace_back(root, routine);
    }
  for (const auto& [routine, count] : starts)
    if (count > 1) many_.insert(routine);
  for (size_t before = many_.size() + 1; before != many_.size();) {
    before = many_.size();
    for (const auto& [by, routine] : started)
      if (many_.contains(by) || by == routine) many_.insert(routine);
  }
}

void Sharing::note(const llvm::Function& routine, const llvm::Value* pointer, bool writes) {
  for (const llvm::Value* object : points_to_.objects(pointer)) {
    Use& use = uses_[object];
    use.routines.insert(&routine);
    use.written |= writes;
  }
}

void Sharing::note_uses(const llvm::Function& routine) {
  for (const llvm::Instruction& one : llvm::instructions(routine)) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
      note(routine, load->getPointerOperand(), false);
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
      note(routine, store->getPointerOperand(), true);
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&one)) {
      note(routine, update->getPointerOperand(), true);
    } else if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&one)) {
      note(routine, swap->getPointerOperand(), true);
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) {
      // Whatever it is given, it may write: memset, memcpy, free.
      if (!is_call_of(one, kCreate))
        for (const llvm::Use& argument : call->args())
          if (argument->getType()->isPointerTy()) note(routine, argument.get(), true);
    }
  }
}

void Sharing::find_escaped(const std::vector<llvm::Function*>& roots) {
  PointsTo::Objects from;
  for (const llvm::GlobalVariable& global : roots.front()->getParent()->globals())
    from.insert(&global);
  const auto add = [&](const llvm::Value* pointer) {
    for (const llvm::Value* object : points_to_.objects(pointer)) from.insert(object);
  };
  for (const llvm::Function* root : roots)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      if (is_call_of(one, kCreate)) add(llvm::cast<llvm::CallBase>(one).getArgOperand(1));
      if (is_call_of(one, "pthread_exit")) add(llvm::cast<llvm::CallBase>(one).getArgOperand(0));
      const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&one);
      if (leave != nullptr && leave->getReturnValue() != nullptr) add(leave->getReturnValue());
    }
  escaped_ = points_to_.reachable(from);
}

bool Sharing::private_to_one(const llvm::Value* object) const {
  if (!escaped_.contains(object)) return true;
  const auto use = uses_.find(object);
  return use != uses_.end() && use->second.routines.size() == 1 &&
         !many_.contains(*use->second.routines.begin());
}

bool Sharing::is_own(const llvm::Value* pointer, bool writes) const {
  const PointsTo::Objects objects = points_to_.objects(pointer);
  if (objects.empty()) return false;
  for (const llvm::Value* object : objects) {
    const auto use = uses_.find(object);
    const bool read_only = !writes && (use == uses_.end() || !use->second.written);
    if (!read_only && !private_to_one(object)) return false;
  }
  return true;
}

}  // namespace heddle::frontend
