#include "frontend/inlined_size.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <map>

namespace heddle::frontend {
namespace {

constexpr uint64_t kEnormous = uint64_t{1} << 40;

uint64_t size_of(const llvm::Function& function, std::map<const llvm::Function*, uint64_t>& known) {
  const auto place = known.find(&function);
  if (place != known.end()) return place->second;
  uint64_t size = 0;
  for (const llvm::Instruction& one : llvm::instructions(function)) {
    ++size;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee != nullptr && !callee->isDeclaration()) size += size_of(*callee, known);
    size = std::min(size, kEnormous);
  }
  return known[&function] = size;
}

}  // namespace

uint64_t inlined_size(const std::vector<llvm::Function*>& roots) {
  std::map<const llvm::Function*, uint64_t> known;
  uint64_t size = 0;
  for (const llvm::Function* root : roots) size += size_of(*root, known);
  return size;
}

}  // namespace heddle::frontend
