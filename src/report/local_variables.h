// Which variable of a function lies at a place in its frame.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace heddle {

// A call of a function, as an unwinder sees it.
struct FrameRegisters {
  Dwarf_Addr pc = 0;  // in the module's own numbering
  uint64_t sp = 0, cfa = 0;
};

struct LocalVariable {
  std::string name;         // "slots[2].value"; "" if none is there
  Dwarf_Die function = {};  // whose variable it is: `die`, or one that was inlined into it
};

// `die` is the function that the frame belongs to. Only variables that live in memory are found,
// which those do whose address is known to others.
LocalVariable local_variable_at(Dwarf_Die die, const FrameRegisters& frame, uint64_t address);

}  // namespace heddle
