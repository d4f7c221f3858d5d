// Destructors of global objects run when main returns or the program calls exit.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::frontend {

// Takes the registrations out of the constructors of global variables, which run in that order,
// and puts the calls where the program ends. Other registrations stay: whoever comes there leaves
// the graph; and so do all if a thread may end the program in another way (pthread_exit in main).
void run_destructors_at_exit(llvm::Module& module, llvm::Function& main,
                             const std::vector<llvm::Function*>& constructors);

}  // namespace heddle::frontend
