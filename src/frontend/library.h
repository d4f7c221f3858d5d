// Functions of the C and C++ libraries that the graph knows by a definition in C.
//
// A string function reads and writes the program's bytes as the program itself would: so races in
// it are found, and a string that has no end is an access out of bounds.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace heddle::frontend {

// The source of what the module calls and does not define; "" if it is nothing of these.
std::string library_source(const llvm::Module& module);

}  // namespace heddle::frontend
