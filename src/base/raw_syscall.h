// System calls without libc: no errno, no cancellation, nothing that interposition or a reset of
// libc's memory could reach.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace heddle::raw {

inline long call(long number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                 uint64_t e = 0, uint64_t f = 0) {
  long result;
  register uint64_t r10 asm("r10") = d;
  register uint64_t r8 asm("r8") = e;
  register uint64_t r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline uint64_t bits(const volatile void* p) {
  return reinterpret_cast<uint64_t>(p);
}

[[noreturn]] inline void exit_group(int status) {
  for (;;) call(SYS_exit_group, static_cast<uint64_t>(status));
}

}  // namespace heddle::raw
