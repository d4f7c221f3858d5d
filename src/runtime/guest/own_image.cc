#include "runtime/guest/own_image.h"

#include <link.h>
#include <sys/auxv.h>

#include <algorithm>

#include "base/check.h"
#include "runtime/guest/layout.h"

namespace heddle {
namespace {

struct Range {
  uint64_t begin = ~0ull;
  uint64_t end = 0;
};

Range range_of(const dl_phdr_info& info) {
  Range range;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    uint64_t begin = info.dlpi_addr + segment.p_vaddr;
    range.begin = std::min(range.begin, page_down(begin));
    range.end = std::max(range.end, page_up(begin + segment.p_memsz));
  }
  return range;
}

struct Search {
  uint64_t address;
  Range found;
};

int inspect(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  Range range = range_of(*info);
  if (search->address < range.begin || search->address >= range.end) return 0;
  search->found = range;
  return 1;
}

int look_for_constant(dl_phdr_info* info, size_t, void* argument) {
  const uint64_t address = *static_cast<const uint64_t*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uint64_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0 && address >= begin &&
        address < begin + segment.p_memsz)
      return 1;
  }
  return 0;
}

}  // namespace

bool in_program(uint64_t address) {
  static Range program;
  if (program.end == 0)  // the executable comes first
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* found) {
          *static_cast<Range*>(found) = range_of(*info);
          return 1;
        },
        &program);
  return address >= program.begin && address < program.end;
}

bool in_own_image(uint64_t address) {
  static Range own;
  if (own.end == 0) {
    Search search{reinterpret_cast<uint64_t>(&inspect), {}};
    HEDDLE_CHECK(dl_iterate_phdr(inspect, &search) == 1);
    own = search.found;
  }
  return address >= own.begin && address < own.end;
}

bool in_linker(uint64_t address) {
  static Range linker;
  if (linker.end == 0) {
    Search search{getauxval(AT_BASE), {}};
    linker = dl_iterate_phdr(inspect, &search) == 1 ? search.found : Range{0, 1};
  }
  return address >= linker.begin && address < linker.end;
}

bool in_constant_segment(uint64_t address) {
  return dl_iterate_phdr(look_for_constant, &address) == 1;
}

bool in_module(uint64_t address) {
  Search search{address, {}};
  return dl_iterate_phdr(inspect, &search) == 1;
}

}  // namespace heddle
