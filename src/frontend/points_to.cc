#include "frontend/points_to.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <string_view>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

constexpr std::string_view kAllocators[] = {"malloc",
                                            "calloc",
                                            "_Znwm",
                                            "_Znam",
                                            "aligned_alloc",
                                            "realloc",
                                            "_ZnwmRKSt9nothrow_t",
                                            "_ZnamRKSt9nothrow_t"};
constexpr std::string_view kCopies[] = {"memcpy", "memmove"};

bool is_called(const llvm::CallBase& call, std::string_view name) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && std::string_view(callee->getName()) == name;
}

}  // namespace

bool allocates(const llvm::CallBase& call) {
  for (std::string_view name : kAllocators)
    if (is_called(call, name)) return true;
  return false;
}

PointsTo::PointsTo(llvm::Module& module) : module_(module) {
  facts_.emplace_back();  // what threads return
  thread_results_ = 0;
  for (const llvm::GlobalVariable& global : module.globals())
    if (global.hasInitializer()) initial(global.getInitializer(), contents_node(object(&global)));
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& one : llvm::instructions(function)) instruction(one);
  solve();
}

PointsTo::Node PointsTo::node(const llvm::Value* value) {
  auto [place, fresh] = nodes_.try_emplace(value, static_cast<Node>(facts_.size()));
  const Node number = place->second;
  if (fresh) {
    facts_.emplace_back();
    if (const auto* known = llvm::dyn_cast<llvm::Constant>(value)) constant(known, number);
  }
  return number;
}

unsigned PointsTo::object(const llvm::Value* value) {
  auto [place, fresh] = numbers_.try_emplace(value, static_cast<unsigned>(objects_.size()));
  if (fresh) objects_.push_back(value);
  return place->second;
}

PointsTo::Node PointsTo::contents_node(unsigned object) {
  auto [place, fresh] = contents_.try_emplace(object, static_cast<Node>(facts_.size()));
  if (fresh) facts_.emplace_back();
  return place->second;
}

void PointsTo::point(Node node, unsigned object) {
  if (facts_[node].objects.insert(object).second) todo_.insert(node);
}
void PointsTo::copy(Node from, Node to) {
  if (from != to && facts_[from].copies.insert(to).second) todo_.insert(from);
}
void PointsTo::load(Node pointer, Node to) {
  facts_[pointer].loads.push_back(to);
  todo_.insert(pointer);
}
void PointsTo::store(Node pointer, Node from) {
  facts_[pointer].stores.push_back(from);
  todo_.insert(pointer);
}

void PointsTo::constant(const llvm::Constant* constant, Node node) {
  if (llvm::isa<llvm::GlobalVariable>(constant) || llvm::isa<llvm::Function>(constant)) {
    point(node, object(constant));
  } else if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant)) {
    copy(this->node(alias->getAliasee()), node);
  } else if (llvm::isa<llvm::ConstantExpr>(constant) ||
             llvm::isa<llvm::ConstantAggregate>(constant)) {
    for (const llvm::Use& operand : constant->operands()) copy(this->node(operand.get()), node);
  }
}

void PointsTo::initial(const llvm::Constant* constant, Node contents) {
  copy(node(constant), contents);
}

void PointsTo::instruction(const llvm::Instruction& instruction) {
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    point(node(alloca), object(alloca));
  } else if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(node(read->getPointerOperand()), node(read));
  } else if (const auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(node(write->getPointerOperand()), node(write->getValueOperand()));
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    load(node(update->getPointerOperand()), node(update));
    store(node(update->getPointerOperand()), node(update->getValOperand()));
  } else if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    load(node(swap->getPointerOperand()), node(swap));
    store(node(swap->getPointerOperand()), node(swap->getNewValOperand()));
  } else if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (leave->getReturnValue() != nullptr) {
      auto [place, fresh] =
          results_.try_emplace(leave->getFunction(), static_cast<Node>(facts_.size()));
      if (fresh) facts_.emplace_back();
      copy(node(leave->getReturnValue()), place->second);
    }
  } else if (const auto* one = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    call(*one);
  } else if (!instruction.getType()->isVoidTy() && !llvm::isa<llvm::CmpInst>(instruction)) {
    for (const llvm::Use& operand : instruction.operands())
      if (!llvm::isa<llvm::BasicBlock>(operand.get()))
        copy(node(operand.get()), node(&instruction));
  }
}

void PointsTo::call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    facts_[node(call.getCalledOperand())].calls.push_back(&call);
    todo_.insert(node(call.getCalledOperand()));
    return;
  }
  if (!callee->isDeclaration()) return connect(call, *callee);
  if (allocates(call)) point(node(&call), object(&call));
  if (is_called(call, kCreate)) {
    const Node start = node(call.getArgOperand(0));
    facts_[start].creates.push_back(&call);
    todo_.insert(start);
    return;
  }
  if (is_called(call, kJoin)) return copy(thread_results_, node(&call));
  if (is_called(call, "pthread_exit")) return copy(node(call.getArgOperand(0)), thread_results_);
  const bool copies = llvm::isa<llvm::MemTransferInst>(call) || is_called(call, kCopies[0]) ||
                      is_called(call, kCopies[1]);
  if (copies) {
    facts_.emplace_back();
    const Node between = static_cast<Node>(facts_.size()) - 1;
    load(node(call.getArgOperand(1)), between);
    store(node(call.getArgOperand(0)), between);
  }
  // What others return may come from what they were given.
  if (!call.getType()->isVoidTy())
    for (const llvm::Use& argument : call.args()) copy(node(argument.get()), node(&call));
}

void PointsTo::connect(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.isDeclaration()) return;
  for (unsigned i = 0; i < call.arg_size() && i < callee.arg_size(); ++i)
    copy(node(call.getArgOperand(i)), node(callee.getArg(i)));
  auto [place, fresh] = results_.try_emplace(&callee, static_cast<Node>(facts_.size()));
  if (fresh) facts_.emplace_back();
  if (!call.getType()->isVoidTy()) copy(place->second, node(&call));
}

void PointsTo::connect_thread(const llvm::CallBase& call, const llvm::Function& start) {
  if (start.arg_size() > 0) copy(node(call.getArgOperand(1)), node(start.getArg(0)));
  auto [place, fresh] = results_.try_emplace(&start, static_cast<Node>(facts_.size()));
  if (fresh) facts_.emplace_back();
  copy(place->second, thread_results_);
}

void PointsTo::visit(Node number) {
  const Facts now = facts_[number];
  for (unsigned target : now.objects) {
    for (Node to : now.loads) copy(contents_node(target), to);
    for (Node from : now.stores) copy(from, contents_node(target));
    const auto* function = llvm::dyn_cast<llvm::Function>(objects_[target]);
    if (function == nullptr) continue;
    for (const llvm::CallBase* call : now.calls) connect(*call, *function);
    for (const llvm::CallBase* call : now.creates) connect_thread(*call, *function);
  }
  for (Node to : now.copies)
    for (unsigned target : now.objects) point(to, target);
}

void PointsTo::solve() {
  while (!todo_.empty()) {
    const Node next = *todo_.begin();
    todo_.erase(todo_.begin());
    visit(next);
  }
}

PointsTo::Objects PointsTo::objects(const llvm::Value* pointer) const {
  Objects found;
  if (const auto place = nodes_.find(pointer); place != nodes_.end())
    for (unsigned object : facts_[place->second].objects) found.insert(objects_[object]);
  return found;
}

PointsTo::Objects PointsTo::contents(const llvm::Value* object) const {
  Objects found;
  const auto number = numbers_.find(object);
  if (number == numbers_.end()) return found;
  const auto place = contents_.find(number->second);
  if (place == contents_.end()) return found;
  for (unsigned target : facts_[place->second].objects) found.insert(objects_[target]);
  return found;
}

std::vector<llvm::Function*> PointsTo::functions(const llvm::Value* pointer) const {
  const Objects found = objects(pointer);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module_)
    if (found.contains(&function)) functions.push_back(&function);
  return functions;
}

PointsTo::Objects PointsTo::reachable(const Objects& from) const {
  Objects seen = from;
  std::vector<const llvm::Value*> todo(from.begin(), from.end());
  while (!todo.empty()) {
    const llvm::Value* object = todo.back();
    todo.pop_back();
    for (const llvm::Value* next : contents(object))
      if (seen.insert(next).second) todo.push_back(next);
  }
  return seen;
}

}  // namespace heddle::frontend
