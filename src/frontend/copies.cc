#include "frontend/copies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "frontend/layout.h"

namespace heddle::frontend {
namespace {

constexpr size_t kMostMembers = 64;

struct Member {
  llvm::Type* type = nullptr;
  uint64_t offset = 0;
};
using Members = std::vector<Member>;

// The numbers and addresses that a type consists of; false where there is something else, such as
// an object of synchronisation or a union, or where there are too many.
bool add_members(const llvm::DataLayout& data, llvm::Type* type, uint64_t offset, Members& found) {
  if (found.size() > kMostMembers) return false;
  if (auto* list = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t size = data.getTypeAllocSize(list->getElementType());
    for (uint64_t i = 0; i < list->getNumElements(); ++i)
      if (!add_members(data, list->getElementType(), offset + i * size, found)) return false;
    return true;
  }
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    if (record->isOpaque() || is_union(*record) || is_sync(*record)) return false;
    const llvm::StructLayout* places = data.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!add_members(data, record->getElementType(i), offset + places->getElementOffset(i),
                       found))
        return false;
    return true;
  }
  if (!type->isPointerTy() && !type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy())
    return false;
  found.push_back({type, offset});
  return found.size() <= kMostMembers;
}

// The record of that size that begins where the pointer points, by the type of the variable there.
llvm::Type* record_at(const llvm::DataLayout& data, const llvm::Value* pointer, uint64_t size) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base =
      pointer->stripAndAccumulateConstantOffsets(data, offset, /*AllowNonInbounds=*/true);
  llvm::Type* type = nullptr;
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(base))
    type = alloca->isArrayAllocation() ? nullptr : alloca->getAllocatedType();
  else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
    type = global->getValueType();
  else if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(base))
    type = element->getResultElementType();
  while (type != nullptr) {
    if (offset.isZero() && type->isStructTy() && data.getTypeAllocSize(type) == size) return type;
    if (!type->isAggregateType()) return nullptr;
    if (!data.getGEPIndexForOffset(type, offset)) return nullptr;
  }
  return nullptr;
}

// All loads first, since the ranges of memmove may overlap.
void split(llvm::MemTransferInst& copy, const Members& members) {
  llvm::IRBuilder<> at(&copy);
  const auto place = [&](llvm::Value* base, const Member& member) {
    return member.offset == 0 ? base : at.CreateConstGEP1_64(at.getInt8Ty(), base, member.offset);
  };
  std::vector<llvm::Value*> values;
  for (const Member& member : members)
    values.push_back(at.CreateLoad(member.type, place(copy.getRawSource(), member)));
  for (size_t i = 0; i < members.size(); ++i)
    at.CreateStore(values[i], place(copy.getRawDest(), members[i]));
  copy.eraseFromParent();
}

}  // namespace

void split_copies(llvm::Module& module) {
  const llvm::DataLayout& data = module.getDataLayout();
  std::vector<llvm::MemTransferInst*> copies;
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function))
      if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&one)) copies.push_back(copy);
  for (llvm::MemTransferInst* copy : copies) {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (size == nullptr || size->isZero()) continue;
    llvm::Type* type = record_at(data, copy->getRawSource(), size->getZExtValue());
    if (type == nullptr) type = record_at(data, copy->getRawDest(), size->getZExtValue());
    Members members;
    if (type != nullptr && add_members(data, type, 0, members)) split(*copy, members);
  }
}

}  // namespace heddle::frontend
