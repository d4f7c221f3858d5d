// Which part of a global variable an address is in: "[2]", ".lock", ".slots[3].value".
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <string>

namespace heddle {

// The same for any variable, given its entry.
std::string path_in_variable(Dwarf_Die* variable, uint64_t offset);
uint64_t size_of_variable(Dwarf_Die* variable);  // 0 if unknown

class VariableIndex {
 public:
  // `address` is the variable's, in the file's own numbering. Whatever the debug information does
  // not explain is added as "+bytes". `dwarf` may be null.
  std::string member_path(Dwarf* dwarf, uint64_t address, uint64_t offset);

  // How to get at what lies `distance` bytes behind where the pointer at `offset` in the variable
  // points to: "->users", "[3]"; "" if it is what the pointer is for as a whole, or not known.
  std::string path_behind_pointer(Dwarf* dwarf, uint64_t address, uint64_t offset,
                                  uint64_t distance);

 private:
  const std::map<uint64_t, Dwarf_Die>& variables_of(Dwarf* dwarf);  // read once

  std::map<Dwarf*, std::map<uint64_t, Dwarf_Die>> modules_;
};

}  // namespace heddle
