// Assignments of whole records, member by member.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::frontend {

// Copies of memory between places of a known record type become loads and stores of its members.
// Bytes that belong to no member are not copied: nobody may look at them, and once a record has
// been split into registers nothing tells them from members any more.
void split_copies(llvm::Module& module);

}  // namespace heddle::frontend
