#include "frontend/layout.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace heddle::frontend {
namespace {

using graph::Cell;
using graph::CellKind;

constexpr SyncType kSyncTypes[] = {
    {"pthread_mutex_t", CellKind::Mutex, 40},     {"mtx_t", CellKind::Mutex, 40},
    {"pthread_cond_t", CellKind::Condition, 48},  {"cnd_t", CellKind::Condition, 48},
    {"pthread_rwlock_t", CellKind::RwLock, 56},   {"sem_t", CellKind::Semaphore, 32},
    {"pthread_barrier_t", CellKind::Barrier, 32}, {"pthread_spinlock_t", CellKind::SpinLock, 4},
    {"pthread_once_t", CellKind::Once, 4},        {"once_flag", CellKind::Once, 4},
};

// What the names of functions begin with, for each type of their first argument.
struct FunctionFamily {
  std::string_view prefix, type;
};
constexpr FunctionFamily kFamilies[] = {
    {"pthread_mutex_", "pthread_mutex_t"},
    {"heddle.mutex_", "pthread_mutex_t"},
    {"mtx_", "mtx_t"},
    {"pthread_cond_", "pthread_cond_t"},
    {"cnd_", "cnd_t"},
    {"pthread_rwlock_", "pthread_rwlock_t"},
    {"sem_", "sem_t"},
    {"heddle.sem_", "sem_t"},
    {"pthread_barrier_", "pthread_barrier_t"},
    {"pthread_spin_", "pthread_spinlock_t"},
    {"heddle.once_", "pthread_once_t"},
};

std::optional<CellKind> sync_kind(std::string_view name) {
  for (const SyncType& row : kSyncTypes)
    if (row.name == name) return row.kind;
  return std::nullopt;
}

// "union.pthread_mutex_t" → "pthread_mutex_t"; copies of a type in other modules end in ".123".
std::string_view plain_name(std::string_view name) {
  for (std::string_view prefix : {"union.", "struct.", "class."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size() &&
      name.find_first_not_of("0123456789", dot + 1) == std::string_view::npos)
    name = name.substr(0, dot);
  return name;
}

const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        continue;
      default:
        return type;
    }
  }
  return type;
}

}  // namespace

namespace {

// The member that lies there, as the source calls it: ".next", "[3].count". What a library keeps
// inside its own types has no name of its own, and neither has a base class; an object of
// synchronisation is one thing.
std::string name_at(const llvm::DIType* type, uint64_t offset) {
  type = without_qualifiers(type);
  while (type != nullptr && type->getTag() == llvm::dwarf::DW_TAG_typedef) {
    if (sync_kind(type->getName().str())) return "";
    type = without_qualifiers(llvm::cast<llvm::DIDerivedType>(type)->getBaseType());
  }
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr) return "";
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    std::string index;
    uint64_t size = composite->getSizeInBits() / 8;
    for (const llvm::DINode* node : composite->getElements()) {
      const auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
      auto* count = range == nullptr
                        ? nullptr
                        : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (count == nullptr || count->getSExtValue() <= 0) return "";
      size /= count->getZExtValue();
      if (size == 0) return "";
      index += fmt::format("[{}]", offset / size);
      offset %= size;
    }
    return index + name_at(composite->getBaseType(), offset);
  }
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() ||
        (member->getTag() != llvm::dwarf::DW_TAG_member &&
         member->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    const uint64_t begin = member->getOffsetInBits() / 8;
    if (offset < begin || offset * 8 >= member->getOffsetInBits() + member->getSizeInBits())
      continue;
    const llvm::StringRef name = member->getName();
    const bool named = !name.empty() && !name.starts_with("_M_") && !name.starts_with("__");
    return (named ? "." + name.str() : "") + name_at(member->getBaseType(), offset - begin);
  }
  return "";
}

// Where the names that the source has tell the cells apart, they take them.
void take_names(const llvm::DIType* debug, std::vector<Cell>& cells) {
  std::map<std::string, size_t> count;
  std::vector<std::string> names;
  for (const Cell& cell : cells) {
    names.push_back(name_at(debug, cell.offset));
    ++count[names.back()];
  }
  for (const auto& [name, times] : count)
    if (times > 1) return;
  for (size_t i = 0; i < cells.size(); ++i) cells[i].name = names[i];
}

}  // namespace

const SyncType* type_of_argument(std::string_view function) {
  for (const FunctionFamily& family : kFamilies)
    if (function.starts_with(family.prefix))
      return std::find_if(std::begin(kSyncTypes), std::end(kSyncTypes),
                          [&](const SyncType& row) { return row.name == family.type; });
  return nullptr;
}

bool is_union(const llvm::StructType& type) {
  return type.hasName() && type.getName().starts_with("union.");
}
bool is_sync(const llvm::StructType& type) {
  return type.hasName() && sync_kind(plain_name(type.getName().str())).has_value();
}

Layouts::Layouts(llvm::Module& module) : data_(module.getDataLayout()) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (const llvm::DIType* type : finder.types())
    if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type))
      if (!composite->getName().empty() && !composite->isForwardDecl())
        composites_.emplace(composite->getName().str(), composite);
}

uint32_t Layouts::bits_of(const llvm::Type* type) const {
  if (type->isPointerTy()) return 64;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) return type->getIntegerBitWidth();
  if (type->isFloatTy()) return 32;
  if (type->isDoubleTy()) return 64;
  return 0;
}

bool Layouts::add(llvm::Type* type, uint64_t offset, const std::string& name,
                  std::vector<Cell>& cells) const {
  if (cells.size() > kMostCells) return false;
  if (auto* list = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t size = data_.getTypeAllocSize(list->getElementType());
    for (uint64_t i = 0; i < list->getNumElements(); ++i)
      if (!add(list->getElementType(), offset + i * size, fmt::format("{}[{}]", name, i), cells))
        return false;
    return true;
  }
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const std::string plain(record->hasName() ? plain_name(record->getName().str()) : "");
    if (const auto kind = sync_kind(plain)) {
      Cell cell;
      cell.kind = *kind;
      cell.offset = static_cast<uint32_t>(offset);
      cell.name = name;
      cells.push_back(cell);
      return true;
    }
    const llvm::StructLayout* places = data_.getStructLayout(record);
    const auto known = composites_.find(plain);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      const uint64_t at = places->getElementOffset(i);
      // What is all that there is in a record whose members are not known goes by its name.
      std::string member = record->getNumElements() == 1 ? name : fmt::format("{}.{}", name, i);
      if (known != composites_.end())
        for (const llvm::DINode* node : known->second->getElements())
          if (const auto* field = llvm::dyn_cast<llvm::DIDerivedType>(node))
            if (field->getTag() == llvm::dwarf::DW_TAG_member &&
                field->getOffsetInBits() == at * 8 && !field->getName().empty() &&
                !field->isStaticMember())
              member = fmt::format("{}.{}", name, field->getName().str());
      if (!add(record->getElementType(i), offset + at, member, cells)) return false;
    }
    Marks marks;
    if (known != composites_.end()) mark(known->second, offset, name, marks);
    apply(marks, cells);
    return true;
  }
  const uint32_t bits = bits_of(type);
  if (bits == 0) return true;  // no cell: whoever goes there is told so
  Cell cell;
  cell.offset = static_cast<uint32_t>(offset);
  cell.bits = static_cast<uint8_t>((bits + 7) / 8 * 8);
  cell.name = name;
  cells.push_back(cell);
  return true;
}

void Layouts::mark(const llvm::DIType* type, uint64_t offset, const std::string& name,
                   Marks& marks) const {
  type = without_qualifiers(type);
  if (type == nullptr || marks.size() > kMostCells) return;
  if (const auto kind = sync_kind(type->getName().str())) {
    const llvm::DIType* base = type;
    while (base->getSizeInBits() == 0) {
      const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(base);
      if (derived == nullptr || derived->getBaseType() == nullptr) return;
      base = derived->getBaseType();
    }
    marks.push_back({offset, base->getSizeInBits() / 8, *kind, name});
    return;
  }
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_typedef)
      mark(derived->getBaseType(), offset, name, marks);
    return;
  }
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite == nullptr) return;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const llvm::DIType* element = composite->getBaseType();
    Marks one;
    mark(element, 0, "", one);
    if (one.empty()) return;
    uint64_t count = 1;
    for (const llvm::DINode* node : composite->getElements())
      if (const auto* range = llvm::dyn_cast<llvm::DISubrange>(node))
        if (auto* number = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
          count *= number->getZExtValue();
    const uint64_t size = count == 0 ? 0 : composite->getSizeInBits() / 8 / count;
    for (uint64_t i = 0; i < count && marks.size() <= kMostCells; ++i)
      for (const Mark& m : one)
        marks.push_back({offset + i * size + m.offset, m.size, m.kind,
                         fmt::format("{}[{}]{}", name, i, m.name)});
    return;
  }
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember()) continue;
    if (member->getTag() != llvm::dwarf::DW_TAG_member &&
        member->getTag() != llvm::dwarf::DW_TAG_inheritance)
      continue;
    mark(member->getBaseType(), offset + member->getOffsetInBits() / 8,
         fmt::format("{}.{}", name, member->getName().str()), marks);
  }
}

// What is marked takes the place of the plain numbers there.
void Layouts::apply(const Marks& marks, std::vector<Cell>& cells) {
  for (const Mark& mark : marks) {
    const auto inside = [&](const Cell& cell) {
      return cell.offset >= mark.offset && cell.offset < mark.offset + mark.size;
    };
    if (std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
          return cell.offset == mark.offset && cell.kind == mark.kind;
        }))
      continue;
    std::erase_if(cells, inside);
    Cell cell;
    cell.kind = mark.kind;
    cell.offset = static_cast<uint32_t>(mark.offset);
    cell.name = mark.name;
    cells.push_back(cell);
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.offset < b.offset; });
}

bool Layouts::flatten(llvm::Type* type, const llvm::DIType* debug, std::vector<Cell>& cells) const {
  if (!add(type, 0, "", cells)) return false;
  if (debug != nullptr) {
    Marks marks;
    mark(debug, 0, "", marks);
    apply(marks, cells);
    take_names(debug, cells);
  }
  return true;
}

}  // namespace heddle::frontend
