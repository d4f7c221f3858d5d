// Calls through pointers become direct ones.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::frontend {

// Functions of Heddle's own library are called through pointers to functions of unknown type: gives
// them the type that they are called with.
void type_hooks(llvm::Module& module);

// Each call through a pointer becomes a choice among the functions that it may be, and so does each
// start of a thread. Returns what threads may run, main first.
std::vector<llvm::Function*> resolve_calls(llvm::Module& module, llvm::Function& main);

}  // namespace heddle::frontend
