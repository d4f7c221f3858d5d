// Accesses of instrumented code to memory that is not there: freed, beside a block, or on the stack
// of a thread that has ended.
#pragma once

#include "model/action.h"
#include "runtime/core/runtime.h"
#include "runtime/rewind/heap_shadow.h"

namespace heddle {

// Ends the execution if the access is an error. Any size.
void look_closely(Op op, uint64_t address, uint64_t bytes, Address pc);

// Between the stacks and the end of the heap lies nothing that programs use otherwise.
inline bool worth_a_look(uint64_t address) {
  return address - kStackBase < kHeapBase + kHeapBytes - kStackBase;
}

// Whether look_closely should be asked. `bytes` is at most 8.
inline bool suspicious_access(uint64_t address, uint32_t bytes) {
  if (__builtin_expect(!worth_a_look(address), 1)) return false;
  if (address < kHeapBase) return address - g_switches.own_stack >= kStackSlotBytes;
  return suspicious_heap_access(address, bytes);
}

inline void check_access(Op op, uint64_t address, uint32_t bytes, Address pc) {
  if (__builtin_expect(suspicious_access(address, bytes), 0)) look_closely(op, address, bytes, pc);
}

}  // namespace heddle
