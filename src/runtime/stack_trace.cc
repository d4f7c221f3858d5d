#include "runtime/stack_trace.h"

#include <dlfcn.h>
#include <unwind.h>

#include "runtime/own_image.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

struct Walk {
  Address* into;
  int capacity;
  int depth;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  uint64_t pc = _Unwind_GetIP(frame);
  if (pc == 0) return _URC_END_OF_STACK;
  if (in_own_image(pc)) return _URC_NO_REASON;
  if (walk->depth == walk->capacity) return _URC_END_OF_STACK;
  walk->into[walk->depth++] = Address{pc};
  return _URC_NO_REASON;
}

}  // namespace

int capture_call_stack(Address* into, int capacity) {
  Walk walk{into, capacity, 0};
  _Unwind_Backtrace(visit_frame, &walk);
  return walk.depth;
}

}  // namespace heddle
