#include "frontend/sizes.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>
#include <vector>

#include "frontend/points_to.h"
#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

using llvm::Value;
namespace pattern = llvm::PatternMatch;

constexpr uint64_t kLargestElement = 4096;

// A number of elements, of so many bytes each, and so many bytes besides.
struct Shape {
  uint64_t element = 1;
  uint64_t extra = 0;
};

// The argument that is not constant, if it is only one.
std::optional<unsigned> varying_argument(const llvm::CallBase& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "realloc" || name == "aligned_alloc") return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned i = 0; i < (name == "calloc" ? 2U : 1U); ++i) {
    if (llvm::isa<llvm::ConstantInt>(call.getArgOperand(i))) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// What new[] makes of a size that overflows is none that is tried.
Value* without_overflow(Value* size) {
  Value* product = nullptr;
  if (pattern::match(size, pattern::m_Select(pattern::m_Value(), pattern::m_AllOnes(),
                                             pattern::m_Value(product))))
    return product;
  return size;
}

std::optional<uint64_t> factor_of(Value* size) {
  const llvm::APInt* number = nullptr;
  if (pattern::match(size, pattern::m_c_Mul(pattern::m_Value(), pattern::m_APInt(number))))
    return number->getZExtValue();
  if (pattern::match(size, pattern::m_Shl(pattern::m_Value(), pattern::m_APInt(number))) &&
      number->ult(12))
    return uint64_t{1} << number->getZExtValue();
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(size);
  const auto* product = part == nullptr
                            ? nullptr
                            : llvm::dyn_cast<llvm::WithOverflowInst>(part->getAggregateOperand());
  if (product == nullptr || product->getBinaryOp() != llvm::Instruction::Mul) return std::nullopt;
  for (const Value* side : {product->getLHS(), product->getRHS()})
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(side))
      return constant->getZExtValue();
  return std::nullopt;
}

Shape shape_of(Value* size) {
  Shape shape;
  size = without_overflow(size);
  Value* rest = nullptr;
  const llvm::APInt* extra = nullptr;
  if (pattern::match(size, pattern::m_c_Add(pattern::m_Value(rest), pattern::m_APInt(extra))) &&
      extra->ult(kLargestElement)) {
    shape.extra = extra->getZExtValue();
    size = rest;
  }
  const std::optional<uint64_t> factor = factor_of(size);
  if (factor && *factor > 0 && *factor <= kLargestElement) shape.element = *factor;
  return shape;
}

void tell_apart(llvm::Module& module, llvm::CallInst& call, unsigned argument, uint32_t most) {
  llvm::LLVMContext& context = module.getContext();
  Value* size = call.getArgOperand(argument);
  const Shape shape = shape_of(size);
  llvm::BasicBlock* head = call.getParent();
  llvm::BasicBlock* tail = llvm::SplitBlock(head, &call);
  llvm::Function* function = head->getParent();
  llvm::BasicBlock* beyond = llvm::BasicBlock::Create(context, "", function, tail);
  head->getTerminator()->eraseFromParent();
  auto* choice = llvm::SwitchInst::Create(size, beyond, most, head);
  llvm::PHINode* made = llvm::PHINode::Create(call.getType(), most, "", tail->begin());
  for (uint64_t n = 1; n <= most; ++n) {
    llvm::BasicBlock* block = llvm::BasicBlock::Create(context, "", function, tail);
    auto* constant = llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(size->getType()),
                                            n * shape.element + shape.extra);
    choice->addCase(constant, block);
    auto* one = llvm::cast<llvm::CallInst>(call.clone());
    one->setArgOperand(argument, constant);
    one->insertInto(block, block->end());
    llvm::BranchInst::Create(tail, block);
    made->addIncoming(one, block);
  }
  llvm::IRBuilder<> at(beyond);
  at.SetCurrentDebugLocation(call.getDebugLoc());
  at.CreateCall(cut(module, fmt::format("{} of none, or of more than {} elements of {} bytes",
                                        llvm::demangle(call.getCalledFunction()->getName().str()),
                                        most, shape.element)));
  at.CreateUnreachable();
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

}  // namespace

void tell_sizes_apart(llvm::Module& module, uint32_t most) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& one : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one);
          call != nullptr && allocates(*call) && varying_argument(*call))
        calls.push_back(call);
  for (llvm::CallInst* call : calls) tell_apart(module, *call, *varying_argument(*call), most);
}

}  // namespace heddle::frontend
