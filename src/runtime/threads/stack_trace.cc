#include "runtime/threads/stack_trace.h"

#include <dlfcn.h>
#include <unwind.h>

#include "runtime/guest/own_image.h"
#include "runtime/threads/fiber.h"

namespace heddle {
namespace {

struct Walk {
  Address* into;
  int capacity;
  int depth;
  FrameRange* ranges;          // or null
  FrameRange* open = nullptr;  // of the frame before, whose end is not known yet
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  uint64_t pc = _Unwind_GetIP(frame);
  if (walk->open != nullptr) walk->open->end = _Unwind_GetCFA(frame);
  walk->open = nullptr;
  if (pc == 0) return _URC_END_OF_STACK;
  if (in_own_image(pc)) return _URC_NO_REASON;
  if (walk->depth == walk->capacity) return _URC_END_OF_STACK;
  if (walk->ranges != nullptr) {
    walk->open = &walk->ranges[walk->depth];
    *walk->open = {_Unwind_GetCFA(frame), 0};
  }
  walk->into[walk->depth++] = Address{pc};
  return _URC_NO_REASON;
}

constexpr int kKeptRegisters[] = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 to r15

struct Mix {
  uint64_t begin = 0;  // of the program's frames
  uint64_t hash = 0;
  void add(uint64_t word) {
    hash = (hash ^ word) * 0x9ddfea08eb382d69;
    hash ^= hash >> 32;
  }
};

// The CFA that the unwinder gives is the stack pointer of the frame itself: that of its callee.
_Unwind_Reason_Code visit_for_state(_Unwind_Context* frame, void* argument) {
  auto* mix = static_cast<Mix*>(argument);
  const uint64_t pc = _Unwind_GetIP(frame);
  if (pc == 0) return _URC_END_OF_STACK;
  if (in_own_image(pc)) return _URC_NO_REASON;
  mix->begin = _Unwind_GetCFA(frame);
  mix->add(pc);
  for (const int number : kKeptRegisters) mix->add(_Unwind_GetGR(frame, number));
  return _URC_END_OF_STACK;  // the frames of its callers lie behind it
}

}  // namespace

uint64_t hash_program_frames(uint64_t stack_end) {
  Mix mix;
  _Unwind_Backtrace(visit_for_state, &mix);
  if (mix.begin == 0 || stack_end - mix.begin > kLargestStack) return 0;  // a stack of its own
  for (uint64_t at = mix.begin; at < stack_end; at += sizeof(uint64_t))
    mix.add(*reinterpret_cast<const uint64_t*>(at));
  return mix.hash | 1;
}

StackFrame frame_around(uint64_t address) {
  struct Search {
    uint64_t address;
    StackFrame last;
    bool found = false;
  } search{address, {}};
  auto visit = [](_Unwind_Context* frame, void* argument) {
    auto& asked = *static_cast<Search*>(argument);
    const uint64_t pc = _Unwind_GetIP(frame), sp = _Unwind_GetCFA(frame);
    asked.last.range.end = sp;
    asked.found = asked.last.range.begin != 0 && asked.last.range.contains(asked.address);
    if (asked.found || pc == 0) return _URC_END_OF_STACK;
    asked.last = {Address{pc}, {sp, 0}};
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(visit, &search);
  return search.found && !in_own_image(value(search.last.pc)) ? search.last : StackFrame{};
}

int capture_call_stack(Address* into, int capacity, FrameRange* ranges) {
  Walk walk{into, capacity, 0, ranges};
  _Unwind_Backtrace(visit_frame, &walk);
  return walk.depth;
}

}  // namespace heddle
