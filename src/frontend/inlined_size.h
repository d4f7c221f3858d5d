// How large the functions will be when all calls are inlined.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <vector>

namespace heddle::frontend {

// Instructions of all of them; no function may call itself.
uint64_t inlined_size(const std::vector<llvm::Function*>& roots);

}  // namespace heddle::frontend
