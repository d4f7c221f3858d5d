// What syscall(SYS_futex, …) asks for.
#pragma once

#include <time.h>

#include "model/action.h"
#include "runtime/executor/timed.h"

namespace heddle {

struct FutexCall {
  Address word;
  int operation;
  uint32_t value;
  const timespec* timeout;
  uint32_t bits;
};

// The result as the kernel gives it: negative for errors.
long futex(const FutexCall& call, Address pc);

// Waits while the bytes at `object` are what they are at the call, until somebody wakes its
// waiters; 0 if it was woken, else -EAGAIN or -ETIMEDOUT. Nothing may come between the look that
// said that waiting is necessary and this call.
long wait_while_unchanged(Address object, uint32_t bytes, const Deadline* deadline, Address pc);
// Wakes at most so many waiters of the object.
long wake_waiters(Address object, uint32_t most, Address pc);

// In how many ways waiters can be chosen.
uint32_t futex_wake_choices(const Action& wake);

}  // namespace heddle
