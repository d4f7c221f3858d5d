// What the end of the process depends on: no object of a program lies at these addresses, nor has a
// descriptor or a thread such a number.
//
// After main has left by pthread_exit the last thread to end runs the exit handlers. So the order
// in which threads end counts from the moment on when main has left and a handler is registered,
// whichever comes last. Up to then the end of a thread only observes that it is not so.
#pragma once

#include "model/action.h"

namespace heddle {

inline constexpr Address kExitHandlers{0x7ffe};       // the list of those of exit
inline constexpr Address kQuickExitHandlers{0x7ffd};  // and of quick_exit
inline constexpr Address kOrderOfEnds{0x7ffc};        // whether it counts, and who ends last

// As `second` of the end of a thread: the order counts; of main: handlers are registered. Of a
// registration: main has left.
inline constexpr Address kOrderCounts{1};

constexpr bool decides_order_of_ends(Op op) {
  return op == Op::ThreadExit || op == Op::ExitRegister;
}

// The form of an action that is dependent with most.
constexpr Action strongest_form(Action action) {
  if (decides_order_of_ends(action.op)) action.second = kOrderCounts;
  return regardless_of_outcome(action);
}

}  // namespace heddle
