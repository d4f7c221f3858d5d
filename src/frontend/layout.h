// Types of LLVM as lists of cells.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace heddle::frontend {

class Layouts {
 public:
  explicit Layouts(llvm::Module& module);

  // The cells of a value of that type. `debug`, if known, tells what is an object of
  // synchronisation although its type is a plain number. False where there are too many.
  bool flatten(llvm::Type* type, const llvm::DIType* debug, std::vector<graph::Cell>& cells) const;

  // How many bits a value takes in a register and a cell; 0 where it is none.
  uint32_t bits_of(const llvm::Type* type) const;

 private:
  struct Mark {
    uint64_t offset = 0, size = 0;
    graph::CellKind kind = graph::CellKind::Mutex;
    std::string name;
  };
  using Marks = std::vector<Mark>;

  bool add(llvm::Type* type, uint64_t offset, const std::string& name,
           std::vector<graph::Cell>& cells) const;
  void mark(const llvm::DIType* type, uint64_t offset, const std::string& name, Marks& marks) const;
  static void apply(const Marks& marks, std::vector<graph::Cell>& cells);

  const llvm::DataLayout& data_;
  std::map<std::string, const llvm::DICompositeType*> composites_;  // by the name of the LLVM type
};

}  // namespace heddle::frontend
