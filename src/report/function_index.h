// The functions of a compilation unit by address, read once.
//
// libdw's own search (dwarf_getscopes) walks through all of a unit for every address, and a unit of
// C++ has tens of thousands of entries, nearly all of them declarations.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle {

// The unit that the code at `pc` belongs to, and how far the module lies from its own numbering.
// Null if there is no debug information for it.
Dwarf_Die* unit_at(Dwfl_Module* module, uint64_t pc, Dwarf_Addr& bias);

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
