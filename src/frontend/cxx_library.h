// What libstdc++ keeps in its shared library, in terms of pthread calls: std::thread and
// std::condition_variable; and what makes locks, which the headers do by writing numbers.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::frontend {

// Before rewrite_calls.
void rewrite_cxx_library(llvm::Module& module);

}  // namespace heddle::frontend
