#include "runtime/executor/deferred_constructors.h"

#include <link.h>

#include "runtime/core/runtime.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/reserved.h"

namespace heddle {
namespace {

using Constructor = void (*)(int, char**, char**);

constexpr size_t kMostConstructors = 1 << 16;

ReservedVector<Constructor> g_deferred;

void do_nothing(int, char**, char**) {}

struct Array {
  uint64_t begin = 0;
  uint64_t bytes = 0;
};

int find_array(dl_phdr_info* info, size_t, void* argument) {
  auto* array = static_cast<Array*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_INIT_ARRAY) array->begin = info->dlpi_addr + entry->d_un.d_ptr;
      if (entry->d_tag == DT_INIT_ARRAYSZ) array->bytes = entry->d_un.d_val;
    }
  }
  return 1;  // the executable comes first
}

}  // namespace

void start_again_before_constructors(Address pc) {
  ChannelHeader& header = *g_runtime.header;
  if (header.defers_constructors != 0 || header.options.stop_in_debugger)
    unsupported("pthread_create in a global constructor", pc);
  header.defers_constructors = 1;
  header.state.store(RunState::Deferred);
  raw::exit_group(0);
}

void defer_constructors() {
  Array array;
  dl_iterate_phdr(find_array, &array);
  g_deferred.reserve(kMostConstructors);
  const uint64_t first = page_down(array.begin), last = page_up(array.begin + array.bytes);
  if (array.bytes == 0 || raw::protect(first, last - first, PROT_READ | PROT_WRITE) != 0) return;
  auto* constructors = reinterpret_cast<Constructor*>(array.begin);
  for (size_t i = 0; i < array.bytes / sizeof(Constructor); ++i) {
    g_deferred.push_back(constructors[i]);
    constructors[i] = do_nothing;
  }
}

void run_deferred_constructors(int argc, char** argv, char** envp) {
  for (Constructor constructor : g_deferred) constructor(argc, argv, envp);
}

}  // namespace heddle
