// Who asks dlsym for a function of libc that we have taken over gets ours, as who is linked with it
// does: allocators start their own threads that way, and would run past us.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/guest/exported_symbol.h"
#include "runtime/guest/raw.h"

// Made by the linker: where this library begins and ends, and its tables.
extern "C" {
extern __attribute__((visibility("hidden"))) const char __ehdr_start[], _end[];
}

namespace heddle {
namespace {

using Symbol = void* (*)(void*, const char*);

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
  void* ours = exported_symbol(_DYNAMIC, raw::bits(__ehdr_start), name);
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
