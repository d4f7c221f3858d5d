// Makes a module ready for translation: each thread's code is one function without calls of other
// functions of the program, local variables are registers where they can be, and every access to
// memory that is left is one of the program's own.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "frontend/options.h"

namespace heddle::frontend {

struct Prepared {
  Answer answer = Answer::Graph;
  std::string sentence;                // where it is another
  std::vector<llvm::Function*> roots;  // what threads run, main first
};

Prepared prepare(llvm::Module& module, const Options& options);

}  // namespace heddle::frontend
