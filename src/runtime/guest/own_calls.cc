// One stub for each row: it jumps to libc's function, looked up at the first call, with all
// arguments as they were.
#include "runtime/guest/own_calls.h"

#include <dlfcn.h>

#include <cstdint>
#include <initializer_list>

#include "base/raw_syscall.h"

namespace {

enum : unsigned {
#define X(name) kNumber_##name,
  HEDDLE_OWN_CALLS(X)
#undef X
      kCount
};

const char* const kNames[] = {
#define X(name) #name,
    HEDDLE_OWN_CALLS(X)
#undef X
};

// By libraries and not by search order, in which a library of the program may come first.
void* find(const char* name) {
  using Open = void* (*)(const char*, int);
  static auto real_open = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  for (const char* library : {"libc.so.6", "libm.so.6"}) {
    void* handle = real_open(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (void* found = dlsym(handle, name)) return found;
  }
  return nullptr;
}

}  // namespace

extern "C" {
__attribute__((visibility("hidden"), used)) void* heddle_own_targets[kCount];

__attribute__((visibility("hidden"), used)) void* heddle_own_target(uint64_t number) {
  void* found = find(kNames[number]);
  if (found == nullptr) heddle::raw::exit_group(127);  // not this libc
  heddle_own_targets[number] = found;
  return found;
}
}

asm(R"(
.text
.type heddle_own_resolve, @function
heddle_own_resolve:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  sub $128, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  mov %r11, %rdi
  call heddle_own_target
  mov %rax, %r11
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  add $128, %rsp
  pop %rax
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  jmp *%r11
)");

#define STUB(name)                                                                             \
  extern "C" __attribute__((naked, visibility("hidden"), used)) void heddle_own_##name() {     \
    asm volatile(                                                                              \
        "mov heddle_own_targets+%c0(%%rip), %%r11\n  test %%r11, %%r11\n  jz 1f\n"             \
        "  jmp *%%r11\n1: mov %1, %%r11d\n  jmp heddle_own_resolve" ::"i"(8 * kNumber_##name), \
        "i"(kNumber_##name));                                                                  \
  }                                                                                            \
  asm(".globl __wrap_" #name "\n.hidden __wrap_" #name "\n.type __wrap_" #name                 \
      ", @function\n.set __wrap_" #name ", heddle_own_" #name);
HEDDLE_OWN_CALLS(STUB)
