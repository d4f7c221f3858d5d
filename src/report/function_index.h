// The functions of a compilation unit by address, read once.
//
// libdw's own search (dwarf_getscopes) walks through all of a unit for every address, and a unit of
// C++ has tens of thousands of entries, nearly all of them declarations.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle {

class FunctionIndex {
 public:
  // The functions around `pc` in its unit, innermost first; all but the last are inlined. Empty if
  // there is none.
  std::vector<Dwarf_Die> around(Dwarf_Die* unit, Dwarf_Addr pc);

 private:
  struct Function {
    Dwarf_Addr begin, end;
    Dwarf_Die die;
  };
  using Functions = std::vector<Function>;  // in order of `begin`

  const Functions& functions_of(Dwarf_Die* unit);

  std::map<const void*, Functions> units_;  // by the address of the unit's entry
};

}  // namespace heddle
