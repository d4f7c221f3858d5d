// Constants computed and branches on them decided, and nothing else: no use is made of what the
// language leaves undefined.
#pragma once

#include <llvm/IR/Function.h>

namespace heddle::frontend {

void fold_constants(llvm::Function& function);

}  // namespace heddle::frontend
