// Functions that call themselves, also through others, become copies of themselves, one for each
// depth up to the bound; the deepest call leaves the graph.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

namespace heddle::frontend {

void bound_recursion(llvm::Module& module, uint32_t depth);

}  // namespace heddle::frontend
