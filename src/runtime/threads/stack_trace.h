// Call stacks of the program's threads, for reports.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace heddle {

// Of the calling fiber, whose stack ends there: the frames of the program and the registers it
// keeps in them, not those of the runtime that it has called. 0 if they cannot be found.
uint64_t hash_program_frames(uint64_t stack_end);

// The part of a stack that belongs to one call.
struct FrameRange {
  uint64_t begin = 0;  // the stack pointer
  uint64_t end = 0;    // the canonical frame address, where the caller's part begins
  bool contains(uint64_t address) const { return begin <= address && address < end; }
};

// Fills in return addresses, innermost first, leaving out our own frames. Works inside a signal
// handler, too, where the frame that was interrupted comes first. Returns how many.
int capture_call_stack(Address* into, int capacity, FrameRange* ranges = nullptr);

// The call of the program on the running fiber's stack that the address belongs to; none: no pc.
struct StackFrame {
  Address pc = kNoAddress;
  FrameRange range;
};
StackFrame frame_around(uint64_t address);

}  // namespace heddle
