// Who uses a descriptor and who closes it, for race detection: closing one that another thread
// reads from, with nothing to order the two, ends in a read from whatever gets the number next.
#pragma once

#include "races/race_detector.h"
#include "runtime/core/runtime.h"

namespace heddle {

void note_descriptor(int descriptor, AccessKind kind, Address pc);  // Write: closes it
void forget_descriptors();                                          // at the end of an execution

// Reads and writes through the descriptor.
inline void uses_descriptor(int descriptor, Address pc) {
  if (g_switches.races && explored()) note_descriptor(descriptor, AccessKind::Read, pc);
}
inline void closes_descriptor(int descriptor, Address pc) {
  if (g_switches.races && explored()) note_descriptor(descriptor, AccessKind::Write, pc);
}

}  // namespace heddle
