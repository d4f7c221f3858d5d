#include "runtime/guest/pointers.h"

#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "runtime/guest/own_image.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

struct Wanted {
  uint64_t address = 0;
  Address found = kNoAddress;
};

// The executable comes first, so its variables do, too.
int look_through(dl_phdr_info* info, size_t, void* argument) {
  auto* wanted = static_cast<Wanted*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const uint64_t begin = (info->dlpi_addr + segment.p_vaddr + 7) & ~7ull;
    const uint64_t end = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (in_own_image(begin)) continue;
    for (uint64_t at = begin; at + 8 <= end; at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
      if (word != wanted->address) continue;
      wanted->found = Address{at};
      return 1;
    }
  }
  return 0;
}

}  // namespace

// The kernel is asked, because the address may be anything.
std::optional<uint64_t> value_at(uint64_t address, uint64_t bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return std::nullopt;
  uint64_t value = 0;
  const iovec here{&value, bytes}, there{reinterpret_cast<void*>(address), bytes};
  const long process = raw::call(SYS_getpid);
  const long got = raw::call(SYS_process_vm_readv, static_cast<uint64_t>(process), raw::bits(&here),
                             1, raw::bits(&there), 1, 0);
  if (got != static_cast<long>(bytes)) return std::nullopt;
  return value;
}

Address pointer_to(uint64_t address) {
  Wanted wanted{address};
  dl_iterate_phdr(look_through, &wanted);
  return wanted.found;
}

}  // namespace heddle
