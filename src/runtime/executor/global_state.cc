// Everything that decides how the program goes on, as one number: what a livelock comes back to.
//
// Memory is what an execution may have changed (pages that are rewound, the heap) and what each
// thread alone can see (its frames and registers, noted when it was suspended). That takes some
// microseconds; it is asked for where an execution seems not to end.
#include <link.h>

#include "runtime/core/native_executor.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/own_image.h"
#include "runtime/guest/safe_load.h"

namespace heddle {
namespace {

constexpr uint64_t kMostBytes = 64 << 20;  // else it would take too long

struct Hash {
  uint64_t value = 0xcbf29ce484222325;
  uint64_t bytes = 0;
  void add(uint64_t word) {
    value = (value ^ word) * 0x9ddfea08eb382d69;
    value ^= value >> 29;
  }
  void add_memory(uint64_t begin, uint64_t end) {
    bytes += end - begin;
    if (bytes > kMostBytes) return;
    for (uint64_t at = begin; at + sizeof(uint64_t) <= end; at += sizeof(uint64_t))
      add(load_if_there(at, sizeof(uint64_t)));
  }
};

// The variables of an executable or library other than our own.
int add_variables(dl_phdr_info* object, size_t, void* argument) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const uint64_t begin = object->dlpi_addr + part.p_vaddr;
    const bool has_code = part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0;
    if (has_code && in_own_image(begin)) return 0;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0)
      static_cast<Hash*>(argument)->add_memory((begin + 7) & ~7ull, begin + part.p_memsz);
  }
  return 0;
}

}  // namespace

uint64_t NativeExecutor::global_state() const {
  Hash hash;
  if (g_runtime.rewinds_in_place)
    g_runtime.pages.for_each_hot_page(
        [&](uint64_t page) { hash.add_memory(page, page + kPageBytes); });
  else  // nobody knows which pages were written
    dl_iterate_phdr(add_variables, &hash);
  g_runtime.heap.for_each_range([&](uint64_t begin, uint64_t end) { hash.add_memory(begin, end); });
  for (uint32_t id : live_) {
    const ProgramThread& thread = threads_[id];
    for (const uint64_t word :
         {uint64_t{id}, static_cast<uint64_t>(thread.pending.op), value(thread.pending.object),
          value(thread.pending.pc), thread.local_state, uint64_t{thread.clock_reads}, thread.random,
          uint64_t{thread.spurious}, uint64_t{thread.early_timeouts}})
      hash.add(word);
  }
  return hash.bytes > kMostBytes ? 0 : hash.value | 1;
}

}  // namespace heddle
