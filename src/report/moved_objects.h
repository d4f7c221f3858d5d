// After a program was built anew, its variables lie elsewhere. They are found again by their names.
#pragma once

#include "trace/trace.h"

namespace heddle {

// Gives the steps of a recording the addresses that their variables have in the program as it is
// now; a variable that is gone gets the address kGone. Stack and heap are left alone. The names are
// those in the remarks of the trace file.
inline constexpr Address kGone{1};
void follow_moved_objects(Trace& recorded);

}  // namespace heddle
