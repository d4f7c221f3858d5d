// Call stacks of the program's threads, for reports.
#pragma once

#include "base/ids.h"

namespace heddle {

// Fills in return addresses, innermost first, leaving out our own frames. Works inside a signal
// handler, too, where the frame that was interrupted comes first. Returns how many.
int capture_call_stack(Address* into, int capacity);

}  // namespace heddle
