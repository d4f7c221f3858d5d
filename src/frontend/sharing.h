// Which memory only one thread can reach, by what pointers may point to.
#pragma once

#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <vector>

#include "frontend/points_to.h"

namespace heddle::frontend {

// Whether a block can be run more than once by one run of its function.
bool in_cycle(const llvm::BasicBlock* block);

class Sharing {
 public:
  Sharing(const PointsTo& points_to, const std::vector<llvm::Function*>& roots);

  // An access that no other thread can notice: nobody else goes there, or nobody writes there.
  bool is_own(const llvm::Value* pointer, bool writes) const;

 private:
  struct Use {
    std::set<const llvm::Function*> routines;
    bool written = false;
  };
  void count_threads(const std::vector<llvm::Function*>& roots);
  void note(const llvm::Function& routine, const llvm::Value* pointer, bool writes);
  void note_uses(const llvm::Function& routine);
  void find_escaped(const std::vector<llvm::Function*>& roots);
  bool private_to_one(const llvm::Value* object) const;

  const PointsTo& points_to_;
  std::set<const llvm::Function*> many_;  // routines that several threads may run
  std::map<const llvm::Value*, Use> uses_;
  std::set<const llvm::Value*> escaped_;
};

}  // namespace heddle::frontend
