// Which accesses of a program no other thread can notice: memory of one thread only, and memory
// that is never written.
#pragma once

#include <llvm/IR/Module.h>

#include <cstddef>
#include <set>

namespace heddle::frontend {

struct LocalAccesses {
  std::set<uint64_t> numbers;  // of those that may be left out, as number_accesses gave them
  size_t all = 0;              // accesses that were looked at
};

// Gives plain loads and stores numbers, as metadata that clones keep.
void number_accesses(llvm::Module& module);
// The number of an access, counted from 1; 0: none.
uint64_t number_of(const llvm::Instruction& access);

// The module has all of the program's own code; it is changed on the way.
LocalAccesses find_local_accesses(llvm::Module& module);

}  // namespace heddle::frontend
