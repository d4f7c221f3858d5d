// The objects of a program graph: which there are, what they consist of, and which accesses to them
// other threads can notice.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/layout.h"
#include "frontend/options.h"
#include "frontend/points_to.h"
#include "frontend/sharing.h"
#include "graph/graph.h"

namespace heddle::frontend {

class Memory {
 public:
  Memory(llvm::Module& module, const std::vector<llvm::Function*>& roots, const Options& options,
         graph::Program& program);

  const Layouts& layouts() const { return layouts_; }
  const PointsTo& points_to() const { return points_to_; }
  const Sharing& sharing() const { return sharing_; }

  // The number that a constant is, if it can be said: addresses included.
  std::optional<uint64_t> value_of(const llvm::Constant* constant);

  // The site of an alloca or of a call that allocates; none where its size is not known or it has
  // too many parts: `why` is a sentence then.
  std::optional<uint32_t> site_of(const llvm::Instruction& instruction, std::string& why);

  // The cells of the objects that a pointer may point to, where all of them have the same ones.
  const std::vector<graph::Cell>* cells_of(const llvm::Value* pointer);

  graph::Place place_of(const llvm::DebugLoc& location);

 private:
  graph::ObjectId object_of(const llvm::GlobalVariable& global);
  graph::ObjectId object_of(const llvm::Function& function);
  void fill(const llvm::GlobalVariable& global, graph::Object& object);
  void set_initial(const llvm::Constant* whole, graph::Cell& cell);
  llvm::Type* type_of_block(const llvm::CallBase& call, uint64_t size) const;
  const SyncType* sync_of_block(const llvm::CallBase& call, uint64_t size) const;
  void merge_bytes(const llvm::CallBase& call, uint64_t size, uint64_t period,
                   std::vector<graph::Cell>& cells) const;
  bool heap_cells(const llvm::CallBase& call, uint64_t size, std::vector<graph::Cell>& cells) const;
  std::optional<graph::Object> model_of(const llvm::Instruction& instruction, std::string& why);
  uint32_t file_number(const std::string& name);

  llvm::Module& module_;
  const std::vector<llvm::Function*>& roots_;
  const Options& options_;
  graph::Program& program_;
  Layouts layouts_;
  PointsTo points_to_;
  Sharing sharing_;
  std::map<const llvm::Value*, graph::ObjectId> objects_;  // globals and functions
  std::map<const llvm::Instruction*, uint32_t> sites_;
  std::map<const llvm::Value*, std::vector<graph::Cell>> cells_;
  std::map<std::string, uint32_t> files_;
};

}  // namespace heddle::frontend
