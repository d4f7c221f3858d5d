// Functions that we pass on, and what has to happen before: one table, one stub for each row.
//
// A stub keeps every argument as it was, asks heddle_stub_target() what to do, and jumps to the
// real function, if it comes back. Traits say what the question is about:
//
//   unsupported   not controlled yet: ends the search with the function's name
//   blocks        the same while other threads exist: it would stop all of them
//   waits_input   blocks, unless its descriptor (the first argument) is ready
//   descriptors, mappings, dispositions, directory
//                 changes something that the kernel keeps for the process (kernel_state.h)
//   writes        the kernel writes where pointer arguments point to; pages that are
//                 write-protected (page_tracker.h) would make it fail, so they are opened
//
// Where we are not in control (before main, or in a program that runs without Heddle) the call
// goes through as it is. Nothing is run silently.
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/kernel_state.h"
#include "runtime/raw.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

// clang-format off
#define STUBS(X)                                                                                 \
  X(pthread_mutex_timedlock, unsupported) X(pthread_mutex_clocklock, unsupported)                \
  X(pthread_mutex_consistent, unsupported)                                                       \
  X(pthread_cond_timedwait, unsupported) X(pthread_cond_clockwait, unsupported)                  \
  X(pthread_rwlock_timedrdlock, unsupported) X(pthread_rwlock_timedwrlock, unsupported)          \
  X(pthread_rwlock_clockrdlock, unsupported) X(pthread_rwlock_clockwrlock, unsupported)          \
  X(pthread_cancel, unsupported) X(pthread_kill, unsupported) X(pthread_sigqueue, unsupported)   \
  X(pthread_tryjoin_np, unsupported) X(pthread_timedjoin_np, unsupported)                        \
  X(pthread_clockjoin_np, unsupported)                                                           \
  X(sem_timedwait, unsupported) X(sem_clockwait, unsupported)                                    \
  X(thrd_create, unsupported) X(thrd_join, unsupported) X(thrd_detach, unsupported)              \
  X(thrd_exit, unsupported) X(thrd_sleep, unsupported) X(thrd_yield, unsupported)                \
  X(mtx_init, unsupported) X(mtx_lock, unsupported) X(mtx_trylock, unsupported)                  \
  X(mtx_timedlock, unsupported) X(mtx_unlock, unsupported) X(mtx_destroy, unsupported)           \
  X(cnd_init, unsupported) X(cnd_wait, unsupported) X(cnd_timedwait, unsupported)                \
  X(cnd_signal, unsupported) X(cnd_broadcast, unsupported) X(cnd_destroy, unsupported)           \
  X(call_once, unsupported) X(tss_create, unsupported) X(tss_delete, unsupported)                \
  X(fork, unsupported) X(vfork, unsupported) X(_Fork, unsupported) X(clone, unsupported)         \
  X(system, unsupported) X(popen, unsupported)                                                   \
  X(posix_spawn, unsupported) X(posix_spawnp, unsupported)                                       \
  X(execve, unsupported) X(execv, unsupported) X(execvp, unsupported) X(execvpe, unsupported)    \
  X(execl, unsupported) X(execlp, unsupported) X(execle, unsupported) X(fexecve, unsupported)    \
  X(sigwait, unsupported) X(sigwaitinfo, unsupported) X(sigtimedwait, unsupported)               \
  X(sigsuspend, unsupported) X(pause, unsupported) X(sigaltstack, unsupported)                   \
  X(timer_create, unsupported) X(mq_notify, unsupported) X(aio_read, unsupported)                \
  X(aio_write, unsupported) X(lio_listio, unsupported) X(getaddrinfo_a, unsupported)             \
  X(flockfile, blocks) X(poll, blocks | writes) X(ppoll, blocks | writes)                        \
  X(select, blocks | writes) X(pselect, blocks | writes)                                         \
  X(epoll_wait, blocks | writes) X(epoll_pwait, blocks | writes)                                 \
  X(waitpid, blocks | writes) X(wait, blocks | writes)                                           \
  X(readv, waits_input | writes) X(recvmsg, waits_input | writes)                                \
  X(recvfrom, waits_input | writes)                                                              \
  X(accept, waits_input | descriptors | writes) X(accept4, waits_input | descriptors | writes)   \
  X(open, descriptors) X(open64, descriptors) X(openat, descriptors) X(openat64, descriptors)    \
  X(creat, descriptors) X(fopen, descriptors) X(fopen64, descriptors) X(freopen, descriptors)    \
  X(tmpfile, descriptors) X(mkstemp, descriptors) X(opendir, descriptors) X(close, descriptors)  \
  X(fclose, descriptors) X(socket, descriptors) X(dup, descriptors) X(dup2, descriptors)         \
  X(dup3, descriptors) X(fcntl, descriptors) X(fcntl64, descriptors) X(eventfd, descriptors)     \
  X(timerfd_create, descriptors) X(epoll_create, descriptors) X(epoll_create1, descriptors)      \
  X(inotify_init, descriptors) X(memfd_create, descriptors) X(shm_open, descriptors)             \
  X(pipe, descriptors | writes) X(pipe2, descriptors | writes)                                   \
  X(socketpair, descriptors | writes)                                                            \
  X(mmap, mappings) X(mmap64, mappings) X(mremap, mappings)                                      \
  X(dlopen, mappings | descriptors)                                                              \
  X(sigprocmask, dispositions | writes) X(pthread_sigmask, dispositions | writes)                \
  X(chdir, directory) X(fchdir, directory) X(umask, directory)                                   \
  X(stat, writes) X(fstat, writes) X(lstat, writes) X(fstatat, writes) X(stat64, writes)         \
  X(fstat64, writes) X(lstat64, writes) X(statfs, writes) X(getrandom, writes)                   \
  X(ioctl, writes) X(getrlimit, writes) X(getrusage, writes) X(uname, writes)                    \
  X(readlink, writes) X(getcwd, writes) X(getsockname, writes) X(getpeername, writes)            \
  X(getsockopt, writes) X(times, writes) X(sysinfo, writes) X(gethostname, writes)
// clang-format on

namespace heddle {
namespace {

enum Trait : unsigned {
  unsupported_ = 1 << 0,
  blocks = 1 << 1,
  waits_input = 1 << 2,
  descriptors = 1 << 3,
  mappings = 1 << 4,
  dispositions = 1 << 5,
  directory = 1 << 6,
  writes = 1 << 7,
};

struct Stub {
  const char* name;
  unsigned traits;
};

const Stub kStubs[] = {
#define unsupported unsupported_
#define X(name, traits) {#name, traits},
    STUBS(X)
#undef X
#undef unsupported
};
constexpr size_t kCount = sizeof kStubs / sizeof kStubs[0];

// The six integer argument registers as the caller filled them.
struct Arguments {
  uint64_t r9, r8, rcx, rdx, rsi, rdi;
};

bool input_ready(int descriptor) {
  pollfd ask{descriptor, POLLIN, 0};
  return raw::call(SYS_poll, raw::bits(&ask), 1, 0) != 0;  // an error is the call's own business
}

// Structures the kernel fills in are small; buffers of any size have functions of their own below.
void open_targets(const Arguments& a) {
  for (uint64_t pointer : {a.rdi, a.rsi, a.rdx, a.rcx, a.r8, a.r9})
    if (pointer > kPageBytes) g_runtime.pages.prepare_write(pointer, kPageBytes);
}

void prepare_call(const Stub& stub, const Arguments& arguments, Address pc) {
  if ((stub.traits & unsupported_) != 0) unsupported(stub.name, pc);
  if ((stub.traits & blocks) != 0 && g_switches.concurrent) unsupported(stub.name, pc);
  if ((stub.traits & waits_input) != 0 && g_switches.concurrent &&
      !input_ready(static_cast<int>(arguments.rdi)))
    unsupported(stub.name, pc);
  if ((stub.traits & descriptors) != 0) kernel_state().descriptors_touched();
  if ((stub.traits & mappings) != 0) kernel_state().mappings_touched();
  if ((stub.traits & dispositions) != 0) kernel_state().dispositions_touched();
  if ((stub.traits & directory) != 0) kernel_state().directory_touched();
  if ((stub.traits & writes) != 0) open_targets(arguments);
}

// A buffer of known size that the kernel fills from a descriptor.
void prepare_input(const char* function, int descriptor, void* buffer, size_t bytes, Address pc) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;
  if (g_switches.concurrent && !input_ready(descriptor)) unsupported(function, pc);
  g_runtime.pages.prepare_write(raw::bits(buffer), bytes);
}

template <typename Function>
Function next(Function& cache, const char* name) {
  if (cache == nullptr) cache = reinterpret_cast<Function>(real::resolve(name));
  return cache;
}

}  // namespace

// Called by the stubs: returns the real function to jump to, or does not return.
extern "C" __attribute__((visibility("hidden"), used)) void* heddle_stub_target(
    uint64_t number, const Arguments* arguments, void* caller) {
  static void* targets[kCount];
  if (g_switches.on_fiber && !g_switches.in_runtime)
    prepare_call(kStubs[number], *arguments, address_of(caller));
  if (targets[number] == nullptr) targets[number] = real::resolve(kStubs[number].name);
  return targets[number];
}

}  // namespace heddle

asm(R"(
.text
heddle_stub_common:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  mov %r11, %rdi
  lea 8(%rsp), %rsi
  mov 56(%rsp), %rdx
  call heddle_stub_target
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
#define X(name, traits) kNumber_##name,
  STUBS(X)
#undef X
};
}  // namespace

#define STUB(name, traits)                                                             \
  extern "C" __attribute__((naked, visibility("default"))) void heddle_stub_##name() { \
    asm volatile("mov %0, %%r11d\n  jmp heddle_stub_common" ::"i"(kNumber_##name));    \
  }                                                                                    \
  asm(".globl " #name "\n.type " #name ", @function\n.set " #name ", heddle_stub_" #name);
STUBS(STUB)

using namespace heddle;

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, size_t bytes) {
  static decltype(&read) real_read;
  prepare_input("read", descriptor, buffer, bytes, HEDDLE_CALLER);
  return next(real_read, "read")(descriptor, buffer, bytes);
}

HEDDLE_EXPORT ssize_t pread(int descriptor, void* buffer, size_t bytes, off_t offset) {
  static decltype(&pread) real_pread;
  prepare_input("pread", descriptor, buffer, bytes, HEDDLE_CALLER);
  return next(real_pread, "pread")(descriptor, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t pread64(int descriptor, void* buffer, size_t bytes, off64_t offset) {
  static decltype(&pread64) real_pread64;
  prepare_input("pread64", descriptor, buffer, bytes, HEDDLE_CALLER);
  return next(real_pread64, "pread64")(descriptor, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t recv(int descriptor, void* buffer, size_t bytes, int flags) {
  static ssize_t (*real_recv)(int, void*, size_t, int);
  prepare_input("recv", descriptor, buffer, bytes, HEDDLE_CALLER);
  return next(real_recv, "recv")(descriptor, buffer, bytes, flags);
}

// The generic door to the kernel; C++20 waits come through it with futexes.
HEDDLE_EXPORT long syscall(long number, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, number);
  long a = __builtin_va_arg(list, long), b = __builtin_va_arg(list, long),
       c = __builtin_va_arg(list, long), d = __builtin_va_arg(list, long),
       e = __builtin_va_arg(list, long), f = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  if (g_switches.on_fiber && !g_switches.in_runtime) {
    switch (number) {
      case SYS_futex:
        unsupported("syscall(SYS_futex)", HEDDLE_CALLER);
      case SYS_clone:
        unsupported("syscall(SYS_clone)", HEDDLE_CALLER);
      case SYS_clone3:
        unsupported("syscall(SYS_clone3)", HEDDLE_CALLER);
      case SYS_fork:
        unsupported("syscall(SYS_fork)", HEDDLE_CALLER);
      case SYS_vfork:
        unsupported("syscall(SYS_vfork)", HEDDLE_CALLER);
      case SYS_gettid:
        return thread_number();
      default:
        break;
    }
  }
  static auto real_syscall = reinterpret_cast<long (*)(long, ...)>(real::resolve("syscall"));
  return real_syscall(number, a, b, c, d, e, f);
}

HEDDLE_EXPORT pid_t gettid() {
  if (!g_switches.on_fiber) return static_cast<pid_t>(raw::call(SYS_gettid));
  return thread_number();
}
