// Where in the program volatile variables are accessed: reports of races say so.
#pragma once

#include "base/ids.h"

namespace heddle {

void note_volatile(Address pc);
bool is_volatile(Address pc);  // as far as it was noted and kept

}  // namespace heddle
