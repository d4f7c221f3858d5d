// System calls on memory; see base/raw_syscall.h.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "base/raw_syscall.h"

namespace heddle::raw {

// Maps at exactly `address`; false if the kernel refuses.
inline bool map_fixed(uint64_t address, uint64_t bytes, int protection = PROT_READ | PROT_WRITE,
                      int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, int fd = -1,
                      uint64_t offset = 0) {
  long at =
      call(SYS_mmap, address, bytes, static_cast<uint64_t>(protection),
           static_cast<uint64_t>(flags | MAP_FIXED_NOREPLACE), static_cast<uint64_t>(fd), offset);
  return at == static_cast<long>(address);
}

inline long protect(uint64_t address, uint64_t bytes, int protection) {
  return call(SYS_mprotect, address, bytes, static_cast<uint64_t>(protection));
}

}  // namespace heddle::raw
