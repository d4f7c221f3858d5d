// Fibers: the program's threads, all on one kernel thread. Contexts are Boost.Context's.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>

#include "base/ids.h"

namespace heddle {

namespace context = boost::context::detail;

// A suspended flow of control. The explorer has one, each program thread has one.
struct Flow {
  context::fcontext_t at = nullptr;
};

// Leaves `from` (to be continued by a later switch_to) and continues `to`.
inline void switch_to(Flow& from, Flow& to) {
  context::transfer_t back = context::jump_fcontext(to.at, &from);
  static_cast<Flow*>(back.data)->at = back.fctx;
}

// For the entry function of a new flow: stores where the one that started it was left.
inline void entered_from(context::transfer_t transfer) {
  static_cast<Flow*>(transfer.data)->at = transfer.fctx;
}

// Calls function(argument) on the stack of a flow that is suspended: less than a switch to it and
// back, and nothing of the call stays on the caller's stack.
extern "C" void heddle_call_on(void* argument, void (*function)(void*), void* stack);
inline void call_on(const Flow& flow, void (*function)(void*), void* argument) {
  heddle_call_on(argument, function, flow.at);
}

struct StackRange {
  uint64_t begin = 0;  // lowest usable address; the page below is the guard
  uint64_t end = 0;
};

inline constexpr uint64_t kLargestStack = 255ull << 20;

// The stack of a thread, mapped on first use, always ending at the same address; at least `bytes`
// long, which must not be more than kLargestStack.
StackRange stack_of(ThreadId thread, uint64_t bytes);
// The thread whose stack slot (guard included) holds the address, or kNoThread.
ThreadId stack_owner(uint64_t address);
bool in_guard_page(uint64_t address);

}  // namespace heddle
