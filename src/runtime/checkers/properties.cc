#include "runtime/checkers/properties.h"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "runtime/checkers/invariants.h"
#include "runtime/core/runtime.h"
#include "strategies/combinations.h"

namespace heddle {

uint64_t code_of(const char* library, uint64_t address) {
  struct Search {
    const char* library;  // "": the executable
    uint64_t wanted;
    uint64_t found;
  } search{library, address, 0};
  auto look = [](dl_phdr_info* info, size_t, void* data) {
    auto& asked = *static_cast<Search*>(data);
    const bool executable = asked.library[0] == '\0';
    if (!executable && strcmp(info->dlpi_name, asked.library) != 0) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 &&
          asked.wanted >= segment.p_vaddr && asked.wanted - segment.p_vaddr < segment.p_memsz)
        asked.found = info->dlpi_addr + asked.wanted;
    }
    return 1;  // the first is the executable
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

void add_properties() {
  const ChannelHeader& header = *g_runtime.header;
  if (header.property_count == 0) return;
  if (leaves_out_states(header.options)) cannot_run(Limitation::Invariants);
  for (uint32_t i = 0; i < std::min(header.property_count, kMostProperties); ++i) {
    const ChannelProperty& property = header.properties[i];
    const uint64_t function = code_of(property.library, property.function);
    if (function == 0) cannot_run("a function of the property file is not where its file says");
    if (!add_property(property.name, property.message, function, property.result_bytes))
      cannot_run("the program and the property file have more than 256 invariants");
  }
}

}  // namespace heddle
