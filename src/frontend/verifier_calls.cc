#include "frontend/verifier_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "frontend/memory.h"

namespace heddle::frontend {
namespace {

std::optional<VerifierCall::Role> role_of(llvm::StringRef name) {
  if (name.starts_with(kNondet)) return VerifierCall::Role::Input;
  if (std::find(std::begin(kErrors), std::end(kErrors), std::string_view(name)) !=
      std::end(kErrors))
    return VerifierCall::Role::Error;
  return std::nullopt;
}

}  // namespace

std::vector<VerifierCall> verifier_calls(const std::vector<llvm::Function*>& roots,
                                         Memory& memory) {
  std::vector<VerifierCall> calls;
  for (llvm::Function* root : roots)
    for (const llvm::Instruction& one : llvm::instructions(*root)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr) continue;
      const std::optional<VerifierCall::Role> role = role_of(callee->getName());
      const graph::Place place = memory.place_of(one.getDebugLoc());
      if (role && place.line != 0) calls.push_back({*role, callee->getName().str(), place});
    }
  return calls;
}

}  // namespace heddle::frontend
