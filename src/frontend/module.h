// One LLVM module from the sources of a program.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "frontend/options.h"

namespace heddle::frontend {

// Null where they do not compile or do not fit together; `sentence` says so then.
std::unique_ptr<llvm::Module> compile(const Options& options, llvm::LLVMContext& context,
                                      std::string& sentence);

}  // namespace heddle::frontend
