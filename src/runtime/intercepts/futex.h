// What syscall(SYS_futex, …) asks for.
#pragma once

#include <time.h>

#include "model/action.h"

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

// In how many ways waiters can be chosen.
uint32_t futex_wake_choices(const Action& wake);

}  // namespace heddle
