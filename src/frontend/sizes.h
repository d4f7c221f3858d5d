// Allocations of a size that is not constant become one for each size that is tried.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

namespace heddle::frontend {

// A size is told apart up to `most` elements, whose own size is taken from how it is computed
// (n * 8 + 16: of 8 bytes each). A block of another size is beyond what the graph can say.
void tell_sizes_apart(llvm::Module& module, uint32_t most);

}  // namespace heddle::frontend
