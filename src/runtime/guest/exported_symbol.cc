#include "runtime/guest/exported_symbol.h"

#include <cstring>

#include "runtime/guest/raw.h"

namespace heddle {
namespace {

template <typename Entry>
const Entry* table(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* row = dynamic; row->d_tag != DT_NULL; ++row)
    if (row->d_tag == tag) return reinterpret_cast<const Entry*>(row->d_un.d_ptr);
  return nullptr;
}

struct Search {
  const char* library;
  const char* name;
  void* found;
};

int look_into(dl_phdr_info* info, size_t, void* given) {
  auto& search = *static_cast<Search*>(given);
  if (info->dlpi_name == nullptr || strstr(info->dlpi_name, search.library) == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      search.found = exported_symbol(
          reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
          info->dlpi_addr, search.name);
  return search.found != nullptr ? 1 : 0;
}

}  // namespace

// The format of DT_GNU_HASH: four numbers, a filter, the first symbol of each bucket, and the
// hashes of all symbols, of which the lowest bit ends a bucket.
void* exported_symbol(const ElfW(Dyn) * dynamic, uint64_t base, const char* name) {
  const auto* const hashes = table<uint32_t>(dynamic, DT_GNU_HASH);
  const auto* const symbols = table<ElfW(Sym)>(dynamic, DT_SYMTAB);
  const auto* const strings = table<char>(dynamic, DT_STRTAB);
  if (hashes == nullptr || symbols == nullptr || strings == nullptr) return nullptr;
  const uint32_t buckets = hashes[0], first = hashes[1], filter_words = hashes[2];
  const uint32_t* const bucket = hashes + 4 + size_t{2} * filter_words;
  const uint32_t* const chain = bucket + buckets;
  uint32_t hash = 5381;
  for (const char* at = name; *at != '\0'; ++at) hash = hash * 33 + static_cast<uint8_t>(*at);
  uint32_t i = bucket[hash % buckets];
  for (bool last = i < first; !last; ++i) {
    const uint32_t entry = chain[i - first];
    last = (entry & 1) != 0;
    if ((entry | 1) == (hash | 1) && symbols[i].st_shndx != SHN_UNDEF &&
        strcmp(strings + symbols[i].st_name, name) == 0)
      return reinterpret_cast<void*>(base + symbols[i].st_value);
  }
  return nullptr;
}

void* exported_symbol(const char* library, const char* name) {
  Search search{library, name, nullptr};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

}  // namespace heddle
