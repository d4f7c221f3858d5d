// Call stacks of the program's threads, for reports.
#pragma once

#include "base/ids.h"

namespace heddle {

// Of the calling fiber: the frames of the program and the registers it keeps in them, not those of
// the runtime that it has called. 0 if they cannot be found.
uint64_t hash_program_frames();

// Fills in return addresses, innermost first, leaving out our own frames. Works inside a signal
// handler, too, where the frame that was interrupted comes first. Returns how many.
int capture_call_stack(Address* into, int capacity);

}  // namespace heddle
