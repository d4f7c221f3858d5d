// What the program wants to hold in every state between two steps (heddle_invariant), or what its
// tester does (--properties).
//
// The thread that reaches its next visible action evaluates them, on its own stack: at that moment
// all other threads are suspended before theirs. That is done while a known prefix is repeated,
// too, so that whatever an invariant does to memory is the same in every execution of a schedule.
#pragma once

#include "base/ids.h"

namespace heddle {

// False if there are too many.
bool add_invariant(const char* name, int (*holds)(void*), void* argument);
// A function without arguments; of what it returns `result_bytes` count. Both texts must stay.
bool add_property(const char* name, const char* message, uint64_t function, uint32_t result_bytes);
void remove_invariant(int (*holds)(void*), void* argument);

// Fails the execution if one does not hold. `pc`: where the step was taken that led to this state.
void check_invariants(Address pc);

// Whether one is being evaluated, which must not reach a visible action.
bool evaluating_invariant();

// Those that global constructors registered are there in every execution.
void take_invariants_baseline();
void reset_invariants();

}  // namespace heddle
