#include <link.h>

#include <cstring>

#include "runtime/intercepts/accesses.h"

namespace heddle {
namespace {

struct Range {
  uint64_t begin = 0, end = 0;
};
constexpr size_t kMost = 4;
Range g_libraries[kMost];
bool g_known = false;

int note_library(dl_phdr_info* info, size_t, void* count) {
  auto& number = *static_cast<size_t*>(count);
  const bool concerned =
      info->dlpi_name != nullptr && (strstr(info->dlpi_name, "/libstdc++.so") != nullptr ||
                                     strstr(info->dlpi_name, "/libc++.so") != nullptr ||
                                     strstr(info->dlpi_name, "/libc++abi.so") != nullptr);
  if (!concerned || number == kMost) return 0;
  Range range{~uint64_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uint64_t begin = info->dlpi_addr + part.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + part.p_memsz > range.end) range.end = begin + part.p_memsz;
  }
  g_libraries[number++] = range;
  return 0;
}

void find_libraries() {
  RuntimeScope scope;
  size_t count = 0;
  dl_iterate_phdr(note_library, &count);
  g_known = true;
}

}  // namespace

bool is_own_business(Address pc, uint64_t at) {
  if (at >= kWindowBegin && at < kWindowEnd) return false;  // heap and stacks
  if (!g_known) find_libraries();
  for (const Range& library : g_libraries)
    if (value(pc) - library.begin < library.end - library.begin)
      return at - library.begin < library.end - library.begin;
  return false;
}

}  // namespace heddle
