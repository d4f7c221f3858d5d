// System calls without libc: no errno, no cancellation, nothing that a reset could rewind.
#pragma once

#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>

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

inline uint64_t bits(const volatile void* p) { return reinterpret_cast<uint64_t>(p); }

// Maps at exactly `address`; false if the kernel refuses.
inline bool map_fixed(uint64_t address, uint64_t bytes, int protection = PROT_READ | PROT_WRITE,
                      int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, int fd = -1,
                      uint64_t offset = 0) {
  long at = call(SYS_mmap, address, bytes, static_cast<uint64_t>(protection),
                 static_cast<uint64_t>(flags | MAP_FIXED_NOREPLACE), static_cast<uint64_t>(fd),
                 offset);
  return at == static_cast<long>(address);
}

inline long protect(uint64_t address, uint64_t bytes, int protection) {
  return call(SYS_mprotect, address, bytes, static_cast<uint64_t>(protection));
}

[[noreturn]] inline void exit_group(int status) {
  for (;;) call(SYS_exit_group, static_cast<uint64_t>(status));
}

}  // namespace heddle::raw
