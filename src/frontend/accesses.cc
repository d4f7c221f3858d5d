// Accesses to memory, and its making.
#include <fmt/format.h>
#include <llvm/IR/Operator.h>

#include "frontend/rewrite.h"
#include "frontend/routine.h"

namespace heddle::frontend {

using graph::ActionKind;
using graph::Cell;
using graph::CellKind;
using graph::ExprId;
using graph::Operator;
using graph::StatementKind;

namespace {

constexpr uint64_t kMostWords = 8;        // of a copy between objects that are not known
constexpr uint64_t kMostExpanded = 1024;  // cells of one memcpy or memset

bool is_silent(const llvm::Instruction& access) {
  return access.getMetadata(kSilent) != nullptr;
}

// The cells of a range of bytes, if it begins and ends between cells.
bool cells_within(const std::vector<Cell>& cells, uint64_t begin, uint64_t size,
                  std::vector<Cell>& found) {
  for (const Cell& cell : cells) {
    const uint64_t end = cell.offset + (cell.kind == CellKind::Integer ? cell.bits / 8u : 1u);
    if (end <= begin || cell.offset >= begin + size) continue;
    if (cell.offset < begin || end > begin + size) return false;
    found.push_back(cell);
  }
  return found.size() <= kMostExpanded;
}

// Whether memory is a constant of the program that is all zeros.
bool is_zero(const llvm::Value* pointer) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  return global != nullptr && global->isConstant() && global->hasInitializer() &&
         global->getInitializer()->isNullValue();
}

}  // namespace

ExprId RoutineTranslator::load_cell(ExprId address, uint32_t bits, bool own, bool atomic) {
  const graph::RegisterId into = temporary("", bits);
  graph::Action& action = act(atomic ? ActionKind::AtomicLoad : ActionKind::Load);
  action.address = address;
  action.bits = static_cast<uint8_t>(bits);
  action.into = into;
  action.own = own;
  return builder_.read(into);
}

void RoutineTranslator::store_cell(ExprId address, ExprId value, bool own, bool atomic) {
  const auto bits = static_cast<uint8_t>(builder_.bits(value));
  graph::Action& action = act(atomic ? ActionKind::AtomicStore : ActionKind::Store);
  action.address = address;
  action.value = value;
  action.bits = bits;
  action.own = own;
}

bool RoutineTranslator::load(const llvm::LoadInst& load) {
  const llvm::Value* pointer = load.getPointerOperand();
  const bool own = is_silent(load) || context_.memory.sharing().is_own(pointer, false);
  const uint32_t bits = bits_of(&load);
  if (bits != 0 && bits % 8 == 0) {
    const ExprId value = load_cell(expr(pointer), bits, own, load.isAtomic());
    const auto name = names_.find(&load);
    if (name != names_.end()) builder_.routine().registers.back().name = name->second;
    values_[&load] = value;
    return true;
  }
  const auto* record = llvm::dyn_cast<llvm::StructType>(load.getType());
  if (record == nullptr || load.isAtomic()) {
    cut("a load of an unusual type");
    return false;
  }
  const llvm::StructLayout* places =
      function_.getParent()->getDataLayout().getStructLayout(const_cast<llvm::StructType*>(record));
  Parts parts;
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    const uint32_t width = context_.memory.layouts().bits_of(record->getElementType(i));
    if (width == 0 || width % 8 != 0) {
      cut("a load of an unusual type");
      return false;
    }
    const ExprId offset = builder_.constant(places->getElementOffset(i).getFixedValue(), 64);
    parts.push_back(
        load_cell(builder_.binary(Operator::Add, expr(pointer), offset), width, own, false));
  }
  parts_[&load] = parts;
  return true;
}

// Members of a constant record; those that are no numbers are left out as one, with the record.
void RoutineTranslator::constant_parts(const llvm::Constant& record, unsigned count) {
  Parts parts;
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* member = record.getAggregateElement(i);
    if (member == nullptr || llvm::isa<llvm::UndefValue>(member) || bits_of(member) == 0 ||
        bits_of(member) % 8 != 0)
      return;
    parts.push_back(expr(member));
  }
  parts_[&record] = parts;
}

bool RoutineTranslator::store(const llvm::StoreInst& store) {
  const llvm::Value* pointer = store.getPointerOperand();
  const llvm::Value* value = store.getValueOperand();
  const bool own = is_silent(store) || context_.memory.sharing().is_own(pointer, true);
  const uint32_t bits = bits_of(value);
  if (bits != 0 && bits % 8 == 0) {
    const ExprId address = expr(pointer);
    store_cell(address, expr(value), own, store.isAtomic());
    return true;
  }
  const auto* record = llvm::dyn_cast<llvm::StructType>(value->getType());
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value); constant && record)
    constant_parts(*constant, record->getNumElements());
  const auto parts = parts_.find(value);
  if (record == nullptr || parts == parts_.end() || store.isAtomic()) {
    cut("a store of an unusual type");
    return false;
  }
  const llvm::StructLayout* places =
      function_.getParent()->getDataLayout().getStructLayout(const_cast<llvm::StructType*>(record));
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    if (parts->second[i] == graph::kNoExpr) continue;
    const ExprId offset = builder_.constant(places->getElementOffset(i).getFixedValue(), 64);
    store_cell(builder_.binary(Operator::Add, expr(pointer), offset), parts->second[i], own, false);
  }
  return true;
}

bool RoutineTranslator::update(const llvm::AtomicRMWInst& update) {
  const uint32_t bits = bits_of(&update);
  if (bits == 0 || bits % 8 != 0) {
    cut("an atomic update of an unusual type");
    return false;
  }
  const ExprId address = expr(update.getPointerOperand());
  const ExprId operand = expr(update.getValOperand());
  const graph::RegisterId into = temporary("", bits);
  const ExprId old = builder_.read(into);
  const auto pick = [&](Operator less, bool larger) {
    const ExprId is_less = builder_.binary(less, old, operand);
    return larger ? builder_.select(is_less, operand, old) : builder_.select(is_less, old, operand);
  };
  ExprId next = graph::kNoExpr;
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      next = operand;
      break;
    case llvm::AtomicRMWInst::Add:
      next = builder_.binary(Operator::Add, old, operand);
      break;
    case llvm::AtomicRMWInst::Sub:
      next = builder_.binary(Operator::Sub, old, operand);
      break;
    case llvm::AtomicRMWInst::And:
      next = builder_.binary(Operator::And, old, operand);
      break;
    case llvm::AtomicRMWInst::Nand:
      next = builder_.unary(Operator::Not, builder_.binary(Operator::And, old, operand));
      break;
    case llvm::AtomicRMWInst::Or:
      next = builder_.binary(Operator::Or, old, operand);
      break;
    case llvm::AtomicRMWInst::Xor:
      next = builder_.binary(Operator::Xor, old, operand);
      break;
    case llvm::AtomicRMWInst::Max:
      next = pick(Operator::SLess, true);
      break;
    case llvm::AtomicRMWInst::Min:
      next = pick(Operator::SLess, false);
      break;
    case llvm::AtomicRMWInst::UMax:
      next = pick(Operator::ULess, true);
      break;
    case llvm::AtomicRMWInst::UMin:
      next = pick(Operator::ULess, false);
      break;
    default:
      cut("an atomic update of an unusual kind");
      return false;
  }
  const bool own = context_.memory.sharing().is_own(update.getPointerOperand(), true);
  graph::Action& action = act(ActionKind::AtomicUpdate);
  action.address = address;
  action.value = next;
  action.bits = static_cast<uint8_t>(bits);
  action.into = into;
  action.own = own;
  values_[&update] = old;
  return true;
}

bool RoutineTranslator::swap(const llvm::AtomicCmpXchgInst& swap) {
  const uint32_t bits = bits_of(swap.getNewValOperand());
  if (bits == 0 || bits % 8 != 0) {
    cut("a compare-and-swap of an unusual type");
    return false;
  }
  const ExprId address = expr(swap.getPointerOperand());
  const ExprId expected = expr(swap.getCompareOperand());
  const ExprId next = expr(swap.getNewValOperand());
  const graph::RegisterId old = temporary("", bits);
  const graph::RegisterId done = temporary("", 1);
  const bool own = context_.memory.sharing().is_own(swap.getPointerOperand(), true);
  graph::Action& action = act(ActionKind::AtomicCas);
  action.address = address;
  action.second = expected;
  action.value = next;
  action.bits = static_cast<uint8_t>(bits);
  action.into = old;
  action.second_into = done;
  action.own = own;
  parts_[&swap] = {builder_.read(old), builder_.read(done)};
  return true;
}

// Where the pointer points within its objects, if that is known.
bool RoutineTranslator::find_range(const llvm::Value* pointer, Range& range) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(
      function_.getParent()->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  const bool known =
      llvm::isa<llvm::GlobalVariable>(base) || llvm::isa<llvm::AllocaInst>(base) ||
      (llvm::isa<llvm::CallBase>(base) && allocates(llvm::cast<llvm::CallBase>(*base)));
  range.cells = known ? context_.memory.cells_of(base) : nullptr;
  range.offset = offset.getZExtValue();
  return range.cells != nullptr;
}

// All zeros, as the static initialisers of glibc are.
bool RoutineTranslator::set_sync(ExprId address, CellKind kind) {
  switch (kind) {
    case CellKind::Mutex:
    case CellKind::RecursiveMutex:
    case CellKind::ErrorCheckMutex: {
      graph::Action& action = act(ActionKind::MutexInit);
      action.address = address;
      action.value = builder_.constant(static_cast<uint64_t>(CellKind::Mutex), 32);
      return true;
    }
    case CellKind::Condition:
      act(ActionKind::CondInit).address = address;
      return true;
    case CellKind::RwLock:
      act(ActionKind::RwInit).address = address;
      return true;
    default:
      return false;
  }
}

bool RoutineTranslator::set_memory(const llvm::CallBase& call) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  const auto* byte = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  Range range;
  std::vector<Cell> cells;
  if (size == nullptr || byte == nullptr || !find_range(call.getArgOperand(0), range) ||
      !cells_within(*range.cells, range.offset, size->getZExtValue(), cells)) {
    cut("this memset");
    return false;
  }
  const bool own = context_.memory.sharing().is_own(call.getArgOperand(0), true);
  const ExprId base = expr(call.getArgOperand(0));
  const uint64_t pattern = (byte->getZExtValue() & 0xff) * 0x0101010101010101u;
  for (const Cell& cell : cells) {
    const ExprId address =
        builder_.binary(Operator::Add, base, builder_.constant(cell.offset - range.offset, 64));
    if (cell.kind == CellKind::Integer) {
      store_cell(address, builder_.constant(pattern & graph::mask_of(cell.bits), cell.bits), own,
                 false);
    } else if (pattern != 0 || !set_sync(address, cell.kind)) {
      cut("this memset");
      return false;
    }
  }
  if (!call.getType()->isVoidTy()) values_[&call] = base;
  return true;
}

// Between objects that are not known one number is taken to be copied, or some of 64 bits. Where
// there is something else, the access finds no cell that fits, and leaves the graph there.
bool RoutineTranslator::copy_words(const llvm::CallBase& call, uint64_t size) {
  const bool one = size == 1 || size == 2 || size == 4;
  if (size == 0 || size > kMostWords * 8 || (!one && size % 8 != 0)) {
    cut("this copying of memory");
    return false;
  }
  const Sharing& sharing = context_.memory.sharing();
  const bool own_to = sharing.is_own(call.getArgOperand(0), true);
  const bool own_from = sharing.is_own(call.getArgOperand(1), false);
  const ExprId target = expr(call.getArgOperand(0));
  const ExprId source = expr(call.getArgOperand(1));
  const auto at = [&](ExprId base, uint64_t offset) {
    return builder_.binary(Operator::Add, base, builder_.constant(offset, 64));
  };
  std::vector<ExprId> values;
  for (uint64_t offset = 0; offset < size; offset += 8)
    values.push_back(
        load_cell(at(source, offset), one ? static_cast<uint32_t>(size * 8) : 64, own_from, false));
  for (size_t i = 0; i < values.size(); ++i)
    store_cell(at(target, i * 8), values[i], own_to, false);
  if (!call.getType()->isVoidTy()) values_[&call] = target;
  return true;
}

bool RoutineTranslator::copy_memory(const llvm::CallBase& call) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  Range to, from;
  std::vector<Cell> cells;
  const bool to_known = size != nullptr && find_range(call.getArgOperand(0), to);
  const bool from_known = size != nullptr && find_range(call.getArgOperand(1), from);
  const Range& range = to_known ? to : from;
  if (size != nullptr && !to_known && !from_known) return copy_words(call, size->getZExtValue());
  if ((!to_known && !from_known) ||
      !cells_within(*range.cells, range.offset, size->getZExtValue(), cells)) {
    cut("this copying of memory");
    return false;
  }
  const Sharing& sharing = context_.memory.sharing();
  const bool own_to = sharing.is_own(call.getArgOperand(0), true);
  const bool own_from = sharing.is_own(call.getArgOperand(1), false);
  const ExprId target = expr(call.getArgOperand(0));
  const ExprId source = expr(call.getArgOperand(1));
  std::vector<ExprId> values;
  const auto at = [&](ExprId base, const Cell& cell) {
    return builder_.binary(Operator::Add, base, builder_.constant(cell.offset - range.offset, 64));
  };
  // All reads first, since the ranges of memmove may overlap.
  for (const Cell& cell : cells) {
    if (cell.kind != CellKind::Integer && !is_zero(call.getArgOperand(1))) {
      cut("the copying of an object of synchronisation");
      return false;
    }
    values.push_back(cell.kind == CellKind::Integer
                         ? load_cell(at(source, cell), cell.bits, own_from, false)
                         : graph::kNoExpr);
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].kind == CellKind::Integer) {
      store_cell(at(target, cells[i]), values[i], own_to, false);
    } else if (!set_sync(at(target, cells[i]), cells[i].kind)) {
      cut("the copying of an object of synchronisation");
      return false;
    }
  }
  if (!call.getType()->isVoidTy()) values_[&call] = target;
  return true;
}

bool RoutineTranslator::allocate(const llvm::Instruction& instruction) {
  std::string why;
  const std::optional<uint32_t> site = context_.memory.site_of(instruction, why);
  if (!site) {
    cut(why);
    return false;
  }
  auto known = registers_.find(&instruction);
  if (known == registers_.end())
    known =
        registers_.emplace(&instruction, temporary("&" + instruction.getName().str(), 64)).first;
  graph::Statement& statement = state(StatementKind::Allocate);
  statement.into = known->second;
  statement.site = *site;
  statement.value = builder_.constant(1, 1);
  values_[&instruction] = builder_.read(known->second);
  return true;
}

}  // namespace heddle::frontend
