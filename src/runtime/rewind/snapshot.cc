#include "runtime/rewind/snapshot.h"

#include <link.h>

#include <algorithm>

#include "runtime/guest/layout.h"
#include "runtime/guest/maps.h"
#include "runtime/guest/own_image.h"

namespace heddle {
namespace {

// Small executables are kept writable throughout: the kernel may then write into their variables
// (read(2) into a static buffer) without an error, and comparing them costs next to nothing.
constexpr uint64_t kSmallExecutable = 8 * kPageBytes;

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
};

int writable_segment(dl_phdr_info* info, size_t, void* argument) {
  auto* range = static_cast<Range*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    range->begin = page_down(info->dlpi_addr + segment.p_vaddr);
    range->end = page_up(info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return 1;  // the executable comes first
}

bool belongs_to_program(const Mapping& mapping) {
  if (!mapping.writable || mapping.shared) return false;
  if (mapping.begin >= kWindowBegin && mapping.begin < kWindowEnd) return false;
  if (in_own_image(mapping.begin)) return false;
  return mapping.path != "[stack]";
}

}  // namespace

void take_snapshot(Heap& heap, PageTracker& pages, uint64_t thread_pointer) {
  Range executable;
  dl_iterate_phdr(writable_segment, &executable);
  bool small = executable.end - executable.begin <= kSmallExecutable;
  heap.take_baseline(&pages);
  for (const Mapping& mapping : read_mappings()) {
    if (!belongs_to_program(mapping)) continue;
    bool in_executable = mapping.begin >= executable.begin && mapping.end <= executable.end;
    pages.track(mapping.begin, mapping.end, small && in_executable);
    // The kernel itself may write into the main thread's descriptor (restartable sequences).
    if (thread_pointer >= mapping.begin && thread_pointer < mapping.end)
      pages.pin(page_down(thread_pointer), page_up(thread_pointer + 1));
  }
}

void for_each_program_mapping(const std::function<void(uint64_t, uint64_t)>& visit) {
  for (const Mapping& mapping : read_mappings()) {
    if (belongs_to_program(mapping)) visit(mapping.begin, mapping.end);
  }
}

}  // namespace heddle
