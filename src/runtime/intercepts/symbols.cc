// Who asks dlsym for a function of libc that we have taken over gets ours, as who is linked with it
// does: allocators start their own threads that way, and would run past us.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"

// Made by the linker: where this library begins and ends, and its tables.
extern "C" {
extern __attribute__((visibility("hidden"))) const char __ehdr_start[], _end[];
}

namespace heddle {
namespace {

using Symbol = void* (*)(void*, const char*);

template <typename Entry>
const Entry* own_table(ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* row = _DYNAMIC; row->d_tag != DT_NULL; ++row)
    if (row->d_tag == tag) return reinterpret_cast<const Entry*>(row->d_un.d_ptr);
  return nullptr;
}

// What this library exports under that name. A search by libc would leave its failure for dlerror.
void* own_export(const char* name) {
  static const auto* const symbols = own_table<ElfW(Sym)>(DT_SYMTAB);
  static const auto* const strings = own_table<char>(DT_STRTAB);
  static const auto* const hashes = own_table<uint32_t>(DT_GNU_HASH);
  const uint32_t buckets = hashes[0], first = hashes[1], filter_words = hashes[2];
  const uint32_t* bucket = hashes + 4 + 2 * filter_words;
  const uint32_t* chain = bucket + buckets;
  uint32_t hash = 5381;
  for (const char* at = name; *at != '\0'; ++at) hash = hash * 33 + static_cast<uint8_t>(*at);
  uint32_t i = bucket[hash % buckets];
  for (bool last = i < first; !last; ++i) {
    const uint32_t entry = chain[i - first];
    last = (entry & 1) != 0;
    if ((entry | 1) == (hash | 1) && strcmp(strings + symbols[i].st_name, name) == 0)
      return reinterpret_cast<void*>(raw::bits(__ehdr_start) + symbols[i].st_value);
  }
  return nullptr;
}

bool in_libc(void* symbol) {
  Dl_info module{};
  if (dladdr(symbol, &module) == 0 || module.dli_fname == nullptr) return false;
  const char* slash = strrchr(module.dli_fname, '/');
  const char* file = slash == nullptr ? module.dli_fname : slash + 1;
  return strncmp(file, "libc.so.", 8) == 0 || strncmp(file, "libpthread.so.", 14) == 0;
}

}  // namespace

extern "C" {
__attribute__((visibility("hidden"), used)) Symbol heddle_real_dlsym = nullptr;

// Our function of that name, where it is to be given to the caller; else null.
__attribute__((visibility("hidden"), used)) void* heddle_own_symbol(void* handle, const char* name,
                                                                    uint64_t caller) {
  if (heddle_real_dlsym == nullptr)
    heddle_real_dlsym = reinterpret_cast<Symbol>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  const bool ours_asks = caller >= raw::bits(__ehdr_start) && caller < raw::bits(_end);
  if (ours_asks || handle == RTLD_DEFAULT || name == nullptr) return nullptr;
  void* ours = own_export(name);
  if (ours == nullptr || handle == RTLD_NEXT) return ours;
  void* asked = heddle_real_dlsym(handle, name);
  return asked != nullptr && in_libc(asked) ? ours : nullptr;
}
}

}  // namespace heddle

// What dlsym(RTLD_NEXT) finds depends on where it is called from, so libc's is jumped to.
asm(R"(
.text
.globl dlsym
.type dlsym, @function
dlsym:
  push %rdi
  push %rsi
  sub $8, %rsp
  mov 24(%rsp), %rdx
  call heddle_own_symbol
  add $8, %rsp
  pop %rsi
  pop %rdi
  test %rax, %rax
  jne 1f
  jmp *heddle_real_dlsym(%rip)
1:
  ret
.size dlsym, .-dlsym
)");
