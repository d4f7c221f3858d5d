// Calls of SV-COMP's functions that stand for something: an input, or an error.
#pragma once

#include <llvm/IR/Function.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/verifier_call.h"

namespace heddle::frontend {

class Memory;

inline constexpr std::string_view kNondet = "__VERIFIER_nondet_";
inline constexpr std::string_view kErrors[] = {"__VERIFIER_error", "reach_error"};

// Those that the routines make, with their places.
std::vector<VerifierCall> verifier_calls(const std::vector<llvm::Function*>& roots, Memory& memory);

}  // namespace heddle::frontend
