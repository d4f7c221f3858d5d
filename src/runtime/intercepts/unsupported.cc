// What we do not control yet. Each of these is interposed by a stub that ends the search with the
// function's name when the program calls it, and passes the call on where we are not in control
// (before main, or in a program that runs without Heddle). Nothing is run silently.
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

// clang-format off
#define UNSUPPORTED_FUNCTIONS(X)                                                                 \
  X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) X(pthread_mutex_consistent)              \
  X(pthread_cond_timedwait) X(pthread_cond_clockwait)                                            \
  X(pthread_rwlock_rdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_tryrdlock)                  \
  X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock) X(pthread_rwlock_timedwrlock)        \
  X(pthread_rwlock_clockrdlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock)           \
  X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)                            \
  X(pthread_barrier_init) X(pthread_barrier_wait) X(pthread_barrier_destroy)                     \
  X(pthread_cancel) X(pthread_kill) X(pthread_sigqueue)                                          \
  X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np)                          \
  X(sem_init) X(sem_open) X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait)           \
  X(sem_post) X(sem_getvalue) X(sem_close) X(sem_destroy)                                        \
  X(thrd_create) X(thrd_join) X(thrd_detach) X(thrd_exit) X(thrd_sleep) X(thrd_yield)            \
  X(mtx_init) X(mtx_lock) X(mtx_trylock) X(mtx_timedlock) X(mtx_unlock) X(mtx_destroy)           \
  X(cnd_init) X(cnd_wait) X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast) X(cnd_destroy)         \
  X(call_once) X(tss_create) X(tss_delete)                                                       \
  X(fork) X(vfork) X(_Fork) X(clone) X(system) X(popen) X(posix_spawn) X(posix_spawnp)           \
  X(execve) X(execv) X(execvp) X(execvpe) X(execl) X(execlp) X(execle) X(fexecve)                \
  X(sigwait) X(sigwaitinfo) X(sigtimedwait) X(sigsuspend) X(pause)
// clang-format on

namespace heddle {
namespace {

const char* const kNames[] = {
#define X(name) #name,
    UNSUPPORTED_FUNCTIONS(X)
#undef X
};
constexpr size_t kCount = sizeof kNames / sizeof kNames[0];

}  // namespace

// Called by the stubs: returns the real function to jump to, or does not return.
extern "C" __attribute__((visibility("hidden"), used)) void* heddle_unsupported_target(
    uint64_t number, void* caller) {
  static void* targets[kCount];
  if (g_switches.on_fiber && !g_switches.in_runtime)
    unsupported(kNames[number], address_of(caller));
  if (targets[number] == nullptr) targets[number] = real::resolve(kNames[number]);
  return targets[number];
}

}  // namespace heddle

// The stubs keep every argument register as it was and jump to the real function.
asm(R"(
.text
heddle_unsupported_common:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  mov %r11, %rdi
  mov 56(%rsp), %rsi
  call heddle_unsupported_target
  mov %rax, %r11
  pop %rax
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  jmp *%r11
)");

namespace {
enum : unsigned {
#define X(name) kNumber_##name,
  UNSUPPORTED_FUNCTIONS(X)
#undef X
};
}  // namespace

#define STUB(name)                                                                    \
  extern "C" __attribute__((naked, visibility("default"))) void heddle_stub_##name() { \
    asm volatile("mov %0, %%r11d\n  jmp heddle_unsupported_common" ::"i"(kNumber_##name)); \
  }                                                                                   \
  asm(".globl " #name "\n.type " #name ", @function\n.set " #name ", heddle_stub_" #name);
UNSUPPORTED_FUNCTIONS(STUB)

using namespace heddle;

// The generic door to the kernel; C++20 waits come through it with futexes.
HEDDLE_EXPORT long syscall(long number, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, number);
  long a = __builtin_va_arg(list, long), b = __builtin_va_arg(list, long),
       c = __builtin_va_arg(list, long), d = __builtin_va_arg(list, long),
       e = __builtin_va_arg(list, long), f = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  bool program = g_switches.on_fiber && !g_switches.in_runtime;
  if (program && number == SYS_futex) unsupported("syscall(SYS_futex)", HEDDLE_CALLER);
  if (program && number == SYS_clone) unsupported("syscall(SYS_clone)", HEDDLE_CALLER);
  static auto real_syscall = reinterpret_cast<long (*)(long, ...)>(real::resolve("syscall"));
  return real_syscall(number, a, b, c, d, e, f);
}
