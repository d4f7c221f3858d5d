// Has a loop a way out? While a thread runs on and on, its instructions are noted. If whatever may
// follow one of them is among them, too (both sides of each conditional jump), the thread can never
// leave them, whatever memory holds. Where the next instruction is read from memory or a register
// there may be a way out. A call that returns though it was not seen has begun before: what was
// noted lies inside a larger loop, if in any, and noting begins anew.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

class LoopExits {
 public:
  void begin();
  // The instruction at `pc`, with that stack pointer, is about to be executed.
  void note(uint64_t pc, uint64_t stack_pointer);
  // Nothing that was noted leads elsewhere, nor does the last of it: `pc` is what follows that.
  bool none(uint64_t pc) const;

 private:
  static constexpr size_t kSlots = 1 << 14;  // a power of two
  static constexpr size_t kMost = kSlots / 2;
  static constexpr size_t kCalls = 256;

  bool insert(uint64_t pc);
  bool contains(uint64_t pc) const;
  void note_call(uint64_t slot);
  bool returns_from_known_call(uint64_t slot);

  uint64_t known_[kSlots] = {};
  size_t count_ = 0;
  uint64_t calls_[kCalls] = {};  // where the return addresses of calls lie, outermost first
  size_t depth_ = 0;
  bool may_leave_ = false;
};

}  // namespace heddle
