// Types of LLVM as lists of cells.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace heddle::frontend {

inline constexpr size_t kMostCells = 4096;  // of one object

// An object of synchronisation: the name of its type and how many bytes it takes with glibc.
struct SyncType {
  std::string_view name;
  graph::CellKind kind;
  uint32_t size;
};
// What the first argument of the function points to, going by its name: "pthread_mutex_lock".
const SyncType* type_of_argument(std::string_view function);

// By the name of the type: what clang makes of a union, and of an object of synchronisation.
bool is_union(const llvm::StructType& type);
bool is_sync(const llvm::StructType& type);

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
