// How often each thing has been changed in the execution under way.
//
// A hash table of cells. A cell is one object or thread, or eight bytes of memory with a counter
// for each. Emptying it takes constant time and keeps its memory, since it is done before every
// execution.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/dependence.h"

namespace heddle {

class VersionTable {
 public:
  VersionTable();

  void clear();

  // The number of changes before the access; for a range whose bytes differ, a mix of theirs with
  // the highest bit set.
  uint64_t version(const Access& access) const;
  void change(const Access& access);

 private:
  static constexpr uint32_t kBytes = 8;
  struct Cell {
    uint64_t key = 0;
    uint64_t epoch = 0;  // the cell is free unless this is the current one
    std::array<uint32_t, kBytes> changes{};
  };

  const Cell* find(uint64_t key) const;
  Cell& cell(uint64_t key);
  size_t slot(uint64_t key) const;
  void grow();
  uint64_t version_of_range(const Access& access) const;

  std::vector<Cell> cells_;  // a power of two of them
  size_t used_ = 0;
  uint64_t epoch_ = 1;
};

}  // namespace heddle
