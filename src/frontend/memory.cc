#include "frontend/memory.h"

#include <fmt/format.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <tuple>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

using graph::Cell;
using graph::CellKind;
using graph::Object;
using graph::ObjectId;
using graph::ObjectKind;

constexpr uint64_t kMutexKindOffset = 16;  // of the kind in glibc's pthread_mutex_t

const llvm::DIType* type_of(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> list;
  global.getDebugInfo(list);
  return list.empty() ? nullptr : list.front()->getVariable()->getType();
}

const llvm::DILocalVariable* variable_of(const llvm::Instruction& instruction) {
  auto& value = const_cast<llvm::Instruction&>(instruction);
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&value))
    return record->getVariable();
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(&value))
    return declare->getVariable();
  return nullptr;
}

// Variables of the library that are 0 here; natively, too, nobody looks into streams, and the last
// one is 0 while there are several threads.
bool is_known(const llvm::GlobalVariable& global) {
  return global.getName() == "stdout" || global.getName() == "stderr" ||
         global.getName() == "stdin" || global.getName() == "__libc_single_threaded";
}

// Of a static variable of a function: a byte that says whether it has been initialised, and
// whatever the library keeps behind it.
bool is_guard(const llvm::GlobalVariable& global) {
  return global.getName().starts_with("_ZGV");
}
std::vector<Cell> guard_cells() {
  Cell done;
  done.bits = 8;
  Cell once;
  once.kind = CellKind::Once;
  once.offset = kGuardOnce;
  once.name = ".once";
  return {done, once};
}

bool starts_zeroed(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && call->getCalledFunction()->getName() == "calloc";
}

std::optional<uint64_t> size_of_block(const llvm::CallBase& call) {
  uint64_t size = 1;
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "realloc") return std::nullopt;
  const unsigned first = name == "aligned_alloc" ? 1 : 0;
  const unsigned last = name == "calloc" ? 1 : first;
  for (unsigned i = first; i <= last; ++i) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
    if (number == nullptr) return std::nullopt;
    size *= number->getZExtValue();
  }
  return size;
}

// Objects of synchronisation that all zeros do not make ready for use.
bool needs_init(CellKind kind) {
  return kind == CellKind::Semaphore || kind == CellKind::Barrier || kind == CellKind::SpinLock;
}

bool is_byte(const Cell& cell) {
  return cell.kind == CellKind::Integer && cell.bits == 8;
}

// Bytes that lie there become one number, if there is nothing else.
void merge(std::vector<Cell>& cells, uint64_t offset, uint32_t bytes) {
  const auto first = std::find_if(cells.begin(), cells.end(),
                                  [&](const Cell& cell) { return cell.offset == offset; });
  if (bytes > static_cast<size_t>(cells.end() - first)) return;
  for (uint32_t i = 0; i < bytes; ++i)
    if (!is_byte(first[i]) || first[i].offset != offset + i) return;
  first->bits = static_cast<uint8_t>(bytes * 8);
  if (first->name.ends_with("[0]")) first->name.resize(first->name.size() - 3);
  cells.erase(first + 1, first + bytes);
}

// nullptr: it is no load and no store.
const llvm::Value* pointer_of_access(const llvm::Instruction& one) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst>(one) ? llvm::getLoadStorePointerOperand(&one)
                                                         : nullptr;
}

}  // namespace

Memory::Memory(llvm::Module& module, const std::vector<llvm::Function*>& roots,
               const Options& options, graph::Program& program)
    : module_(module),
      roots_(roots),
      options_(options),
      program_(program),
      layouts_(module),
      points_to_(module),
      sharing_(points_to_, roots) {}

uint32_t Memory::file_number(const std::string& name) {
  auto [place, fresh] = files_.try_emplace(name, static_cast<uint32_t>(program_.files.size()));
  if (fresh) program_.files.push_back(name);
  return place->second;
}

graph::Place Memory::place_of(const llvm::DebugLoc& location) {
  if (!location || location.getLine() == 0) return {};
  return {file_number(location->getFilename().str()), location.getLine(), location.getCol()};
}

std::optional<uint64_t> Memory::value_of(const llvm::Constant* constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant))
    return number->getBitWidth() <= 64 ? std::optional(number->getZExtValue()) : std::nullopt;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    const llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    return bits.getBitWidth() <= 64 ? std::optional(bits.getZExtValue()) : std::nullopt;
  }
  if (constant->isNullValue() && layouts_.bits_of(constant->getType()) != 0) return 0;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(constant))
    return graph::pointer_to(object_of(*global));
  if (const auto* function = llvm::dyn_cast<llvm::Function>(constant))
    return graph::pointer_to(object_of(*function));
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant))
    return value_of(alias->getAliasee());
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  if (expression == nullptr) return std::nullopt;
  if (expression->isCast() && expression->getOpcode() != llvm::Instruction::Trunc)
    return value_of(expression->getOperand(0));
  if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    llvm::APInt offset(64, 0);
    const std::optional<uint64_t> base = value_of(expression->getOperand(0));
    if (!base || !element->accumulateConstantOffset(module_.getDataLayout(), offset))
      return std::nullopt;
    return *base + offset.getZExtValue();
  }
  return std::nullopt;
}

ObjectId Memory::object_of(const llvm::Function& function) {
  auto [place, fresh] =
      objects_.try_emplace(&function, ObjectId{static_cast<uint32_t>(program_.objects.size())});
  if (fresh) {
    Object object;
    object.name = llvm::demangle(function.getName().str());
    object.size = 1;
    object.constant = true;
    program_.objects.push_back(std::move(object));
  }
  return place->second;
}

ObjectId Memory::object_of(const llvm::GlobalVariable& global) {
  const auto known = objects_.find(&global);
  if (known != objects_.end()) return known->second;
  const ObjectId id{static_cast<uint32_t>(program_.objects.size())};
  objects_[&global] = id;
  program_.objects.emplace_back();  // what it points to may point back
  Object object;
  fill(global, object);
  program_.objects[graph::index(id)] = std::move(object);
  return id;
}

void Memory::fill(const llvm::GlobalVariable& global, Object& object) {
  object.name = llvm::demangle(global.getName().str());
  object.size =
      static_cast<uint32_t>(module_.getDataLayout().getTypeAllocSize(global.getValueType()));
  object.constant = global.isConstant();
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> list;
  global.getDebugInfo(list);
  if (!list.empty()) {
    const llvm::DIGlobalVariable* variable = list.front()->getVariable();
    object.place = {file_number(variable->getFilename().str()), variable->getLine(), 0};
    if (!variable->getName().empty()) object.name = variable->getName().str();
  }
  if (is_guard(global))
    object.cells = guard_cells();
  else if (!layouts_.flatten(global.getValueType(), type_of(global), object.cells))
    object.cells.clear();  // too many: every access leaves the graph
  cells_[&global] = object.cells;
  for (Cell& cell : object.cells) {
    if (global.hasInitializer())
      set_initial(global.getInitializer(), cell);
    else if (!is_known(global))
      cell.initialised = false;
  }
}

void Memory::set_initial(const llvm::Constant* whole, Cell& cell) {
  llvm::LLVMContext& context = module_.getContext();
  const auto read = [&](unsigned bits, uint64_t offset) -> llvm::Constant* {
    return llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(whole),
                                           llvm::IntegerType::get(context, bits),
                                           llvm::APInt(64, offset), module_.getDataLayout());
  };
  if (cell.kind == CellKind::Integer) {
    llvm::Constant* value = nullptr;
    if (cell.bits == 64)  // perhaps a pointer
      value = llvm::ConstantFoldLoadFromConst(
          const_cast<llvm::Constant*>(whole), llvm::PointerType::get(context, 0),
          llvm::APInt(64, cell.offset), module_.getDataLayout());
    std::optional<uint64_t> number = value == nullptr ? std::nullopt : value_of(value);
    if (!number) {
      value = read(cell.bits, cell.offset);
      if (value != nullptr) number = value_of(value);
    }
    if (number)
      cell.initial = *number;
    else
      cell.initialised = false;
    return;
  }
  cell.initialised = !needs_init(cell.kind);
  if (cell.kind != CellKind::Mutex) return;
  const auto* kind =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(read(32, cell.offset + kMutexKindOffset));
  if (kind == nullptr) return;
  if (kind->getZExtValue() == 1) cell.kind = CellKind::RecursiveMutex;
  if (kind->getZExtValue() == 2) cell.kind = CellKind::ErrorCheckMutex;
}

// The type that the program sees in a block: the largest record that some pointer to it is taken
// for and that fits, else the number that it is used as.
llvm::Type* Memory::type_of_block(const llvm::CallBase& call, uint64_t size) const {
  const llvm::DataLayout& data = module_.getDataLayout();
  std::map<llvm::Type*, double> votes;
  std::vector<llvm::Type*> types;  // in the order in which they occur
  const auto offer = [&](llvm::Type* type, const llvm::Value* pointer) {
    const PointsTo::Objects objects = points_to_.objects(pointer);
    if (!objects.contains(&call) || !type->isSized() || data.getTypeAllocSize(type) == 0) return;
    const uint64_t bytes = data.getTypeAllocSize(type);
    if (bytes > size || size % bytes != 0) return;
    if (!votes.contains(type)) types.push_back(type);
    // Who may point to many things says little about each.
    votes[type] += 1.0 / static_cast<double>(objects.size());
  };
  for (const llvm::Function* root : roots_)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&one)) {
        offer(element->getSourceElementType(), element->getPointerOperand());
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
        offer(load->getType(), load->getPointerOperand());
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
        offer(store->getValueOperand()->getType(), store->getPointerOperand());
      }
    }
  llvm::Type* best = nullptr;
  const auto rank = [&](llvm::Type* type) {
    return std::tuple(type->isStructTy(), votes[type], data.getTypeAllocSize(type).getFixedValue());
  };
  for (llvm::Type* type : types)
    if (best == nullptr || rank(type) > rank(best)) best = type;
  return best;
}

// A block that is only ever given to functions of one kind of objects of synchronisation.
const SyncType* Memory::sync_of_block(const llvm::CallBase& call, uint64_t size) const {
  for (const llvm::Function* root : roots_)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      const auto* user = llvm::dyn_cast<llvm::CallBase>(&one);
      const llvm::Function* callee = user == nullptr ? nullptr : user->getCalledFunction();
      if (callee == nullptr || user->arg_empty()) continue;
      const SyncType* type = type_of_argument(callee->getName());
      if (type != nullptr && size % type->size == 0 &&
          points_to_.objects(user->getArgOperand(0)).contains(&call))
        return type;
    }
  return nullptr;
}

// Storage that containers make of bytes (the value of a list's node) holds what is read and
// written there. Where several things are, the first one counts: who takes it for another is told.
void Memory::merge_bytes(const llvm::CallBase& call, uint64_t size, uint64_t period,
                         std::vector<Cell>& cells) const {
  const llvm::DataLayout& data = module_.getDataLayout();
  for (const llvm::Function* root : roots_)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      const llvm::Value* pointer = pointer_of_access(one);
      if (pointer == nullptr) continue;
      const uint32_t bytes =
          layouts_.bits_of(llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&one))) / 8;
      llvm::APInt offset(64, 0);
      const llvm::Value* base =
          pointer->stripAndAccumulateConstantOffsets(data, offset, /*AllowNonInbounds=*/true);
      if (bytes < 2 || offset.uge(size) || !points_to_.objects(base).contains(&call)) continue;
      for (uint64_t at = offset.urem(period); at < size; at += period) merge(cells, at, bytes);
    }
}

bool Memory::heap_cells(const llvm::CallBase& call, uint64_t size, std::vector<Cell>& cells) const {
  llvm::Type* type = type_of_block(call, size);
  if (type == nullptr || !type->isStructTy())
    if (const SyncType* sync = sync_of_block(call, size)) {
      for (uint64_t i = 0; i < size / sync->size; ++i) {
        Cell cell;
        cell.kind = sync->kind;
        cell.offset = static_cast<uint32_t>(i * sync->size);
        if (size > sync->size) cell.name = fmt::format("[{}]", i);
        cells.push_back(cell);
      }
      return cells.size() <= kMostCells;
    }
  if (type == nullptr) return true;  // nobody looks into it
  const uint64_t bytes = module_.getDataLayout().getTypeAllocSize(type);
  const uint64_t count = size / bytes;
  if (!layouts_.flatten(count == 1 ? type : llvm::ArrayType::get(type, count), nullptr, cells))
    return false;
  if (std::any_of(cells.begin(), cells.end(), is_byte)) merge_bytes(call, size, bytes, cells);
  return true;
}

std::optional<Object> Memory::model_of(const llvm::Instruction& instruction, std::string& why) {
  Object object;
  object.place = place_of(instruction.getDebugLoc());
  bool fits = false;
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    const auto* count = llvm::dyn_cast<llvm::ConstantInt>(alloca->getArraySize());
    if (count == nullptr) {
      why = "an array whose size is not constant";
      return std::nullopt;
    }
    llvm::Type* type = alloca->getAllocatedType();
    if (!count->isOne()) type = llvm::ArrayType::get(type, count->getZExtValue());
    const llvm::DILocalVariable* variable = variable_of(instruction);
    object.kind = ObjectKind::Stack;
    object.size = static_cast<uint32_t>(module_.getDataLayout().getTypeAllocSize(type));
    object.name = variable != nullptr ? variable->getName().str() : alloca->getName().str();
    if (variable != nullptr)
      object.place = {file_number(variable->getFilename().str()), variable->getLine(), 0};
    fits =
        layouts_.flatten(type, variable == nullptr ? nullptr : variable->getType(), object.cells);
  } else {
    const auto& call = llvm::cast<llvm::CallBase>(instruction);
    const std::optional<uint64_t> size = size_of_block(call);
    if (!size || *size > UINT32_MAX) {
      why = fmt::format("{} of a size that is not constant",
                        llvm::demangle(call.getCalledFunction()->getName().str()));
      return std::nullopt;
    }
    object.kind = ObjectKind::Heap;
    object.size = static_cast<uint32_t>(*size);
    object.name = fmt::format("block of {}", place_text(instruction));
    fits = heap_cells(call, *size, object.cells);
  }
  if (!fits) {
    why = fmt::format("{}, which has too many parts", object.name);
    return std::nullopt;
  }
  for (Cell& cell : object.cells)
    cell.initialised = starts_zeroed(instruction) && !needs_init(cell.kind);
  return object;
}

std::optional<uint32_t> Memory::site_of(const llvm::Instruction& instruction, std::string& why) {
  const auto known = sites_.find(&instruction);
  if (known != sites_.end()) return known->second;
  std::optional<Object> model = model_of(instruction, why);
  if (!model) return std::nullopt;
  cells_[&instruction] = model->cells;
  graph::Site site;
  site.name = model->name;
  site.kind = model->kind;
  site.place = model->place;
  site.objects.resize(options_.max_threads);
  const bool of_main = instruction.getFunction() == roots_.front();
  const uint32_t count = model->kind == ObjectKind::Heap && in_cycle(instruction.getParent())
                             ? options_.allocations
                             : 1;
  for (uint32_t slot = of_main ? 0 : 1; slot < (of_main ? 1 : options_.max_threads); ++slot)
    for (uint32_t i = 0; i < count; ++i) {
      site.objects[slot].push_back(ObjectId{static_cast<uint32_t>(program_.objects.size())});
      program_.objects.push_back(*model);
    }
  const auto number = static_cast<uint32_t>(program_.sites.size());
  program_.sites.push_back(std::move(site));
  sites_[&instruction] = number;
  return number;
}

const std::vector<Cell>* Memory::cells_of(const llvm::Value* pointer) {
  const std::vector<Cell>* found = nullptr;
  const auto same = [](const std::vector<Cell>& a, const std::vector<Cell>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Cell& x, const Cell& y) {
      return x.offset == y.offset && x.bits == y.bits && x.kind == y.kind;
    });
  };
  for (const llvm::Value* object : points_to_.objects(pointer)) {
    std::string ignored;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      object_of(*global);
    else if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(object);
             instruction == nullptr || !site_of(*instruction, ignored))
      return nullptr;
    const std::vector<Cell>& cells = cells_[object];
    if (found != nullptr && !same(*found, cells)) return nullptr;
    found = &cells;
  }
  return found;
}

}  // namespace heddle::frontend
