// Functions that we pass on, and what has to happen before: one stub for each row of a table.
//
// The table is HEDDLE_PASSED_FUNCTIONS (model/passed_functions.h). A stub keeps every argument as
// it was, asks heddle_stub_target() what to do, and jumps to the real function, if it comes back.
// Pages that are write-protected (page_tracker.h) would make the kernel fail, so they are opened
// before it writes there; what it keeps for the process is noted in kernel_state.h.
//
// Where we are not in control (before main, or in a program that runs without Heddle) the call
// goes through as it is. Nothing is run silently.
#include "runtime/intercepts/stubs.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "model/process_state.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/futex.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/signal_masks.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/signal_masks.h"

extern "C" __attribute__((visibility("hidden"))) decltype(::getrandom) heddle_taken_getrandom;

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
  scheduling = 1 << 8,
  delivers = 1 << 9,
  actions = 1 << 10,
  asks_directory = 1 << 11,
  mask = 1 << 12,
  raises = 1 << 13,
  asks_pending = 1 << 14,
  watches = 1 << 15,
};

struct Stub {
  const char* name;
  unsigned traits;
};

const Stub kStubs[] = {
#define unsupported unsupported_
#define X(name, traits) {#name, traits},
    HEDDLE_PASSED_FUNCTIONS(X)
#undef X
#undef unsupported
};
constexpr size_t kCount = sizeof kStubs / sizeof kStubs[0];

bool input_ready(int descriptor) {
  pollfd ask{descriptor, POLLIN, 0};
  return raw::call(SYS_poll, raw::bits(&ask), 1, 0) != 0;  // an error is the call's own business
}

// Structures the kernel fills in are small; buffers of any size have functions of their own below.
void open_targets(const PassedArguments& arguments) {
  for (uint64_t pointer : arguments.registers)
    if (pointer > kPageBytes) g_runtime.pages.prepare_write(pointer, kPageBytes);
}

// What the kernel keeps for the process is asked for and changed by steps.
void take_step(unsigned traits, Address pc) {
  const auto step = [pc](Op op, Address object) {
    visible({.op = op, .object = object, .pc = pc});
  };
  if ((traits & delivers) != 0) step(Op::StateAsk, kSignalActions);
  if ((traits & actions) != 0) step(Op::StateChange, kSignalActions);
  if ((traits & asks_directory) != 0) step(Op::StateAsk, kWorkingDirectory);
  if ((traits & directory) != 0) step(Op::StateChange, kWorkingDirectory);
  if ((traits & mask) != 0) step(Op::StateChange, kCreationMask);
}

void prepare_signals(unsigned traits, const PassedArguments& arguments, Address pc) {
  if ((traits & raises) != 0) before_raise(static_cast<int>(arguments[0]), pc);
  if ((traits & asks_pending) != 0) before_pending(pc);
  if ((traits & watches) != 0) before_signalfd(reinterpret_cast<const void*>(arguments[1]), pc);
}

void prepare_call(const Stub& stub, const PassedArguments& arguments, Address pc) {
  if ((stub.traits & unsupported_) != 0) unsupported(stub.name, pc);
  if ((stub.traits & blocks) != 0 && g_switches.concurrent) unsupported(stub.name, pc);
  if ((stub.traits & waits_input) != 0 && g_switches.concurrent &&
      !input_ready(static_cast<int>(arguments[0])))
    unsupported(stub.name, pc);
  take_step(stub.traits, pc);
  prepare_signals(stub.traits, arguments, pc);
  if ((stub.traits & descriptors) != 0) kernel_state().descriptors_touched();
  if ((stub.traits & mappings) != 0) kernel_state().mappings_touched();
  if ((stub.traits & dispositions) != 0) kernel_state().dispositions_touched();
  if ((stub.traits & (directory | mask)) != 0) kernel_state().directory_touched();
  if ((stub.traits & scheduling) != 0) kernel_state().scheduling_touched();
  if ((stub.traits & writes) != 0) open_targets(arguments);
}

}  // namespace

// Called by the stubs: returns the real function to jump to, or does not return.
extern "C" __attribute__((visibility("hidden"), used)) void* heddle_stub_target(
    uint64_t number, const PassedArguments* arguments, void* caller) {
  static void* targets[kCount];
  if (g_switches.on_fiber && !g_switches.in_runtime) {
    prepare_call(kStubs[number], *arguments, address_of(caller));
    tell_of_passed(static_cast<Passed>(number), *arguments, address_of(caller));
  }
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

#define STUB(name, traits)                                                                   \
  extern "C" __attribute__((naked, visibility("default"))) void heddle_stub_##name() {       \
    asm volatile("mov %0, %%r11d\n  jmp heddle_stub_common" ::"i"(heddle::Passed::name##_)); \
  }                                                                                          \
  asm(".globl " #name "\n.type " #name ", @function\n.set " #name ", heddle_stub_" #name);
HEDDLE_PASSED_FUNCTIONS(STUB)

namespace heddle {
namespace {

// System calls that the function of the same name would be refused for, or that have none.
struct RefusedCall {
  long number;
  const char* name;
};
constexpr RefusedCall kRefusedCalls[] = {
#define REFUSED(name) \
  { SYS_##name, "syscall(SYS_" #name ")" }
    REFUSED(exit),
    REFUSED(clone),
    REFUSED(clone3),
    REFUSED(fork),
    REFUSED(vfork),
    REFUSED(execve),
    REFUSED(execveat),
    REFUSED(ptrace),
    REFUSED(pidfd_open),
    REFUSED(setsid),
    REFUSED(setpgid),
    REFUSED(chroot),
    REFUSED(unshare),
    REFUSED(setns),
    REFUSED(mount),
    REFUSED(umount2),
    REFUSED(pivot_root),
    REFUSED(personality),
    REFUSED(mlockall),
    REFUSED(setuid),
    REFUSED(setgid),
    REFUSED(setreuid),
    REFUSED(setregid),
    REFUSED(setresuid),
    REFUSED(setresgid),
    REFUSED(setgroups),
    REFUSED(setfsuid),
    REFUSED(setfsgid),
    REFUSED(capset),
    REFUSED(seccomp),
    REFUSED(alarm),
    REFUSED(setitimer),
    REFUSED(timer_create),
    REFUSED(prctl),
    REFUSED(arch_prctl),
    REFUSED(setrlimit),
    REFUSED(setpriority),
    REFUSED(brk),
    REFUSED(mremap),
    REFUSED(rt_sigsuspend),
    REFUSED(rt_sigtimedwait),
    REFUSED(pause),
    REFUSED(sigaltstack),
    REFUSED(userfaultfd),
    REFUSED(io_setup),
    REFUSED(io_uring_setup),
    REFUSED(set_tid_address),
    REFUSED(set_robust_list),
    REFUSED(rseq),
#undef REFUSED
};

// By number a program can do anything; what it may have changed is put back.
void note_system_call(long number, Address pc) {
  for (const RefusedCall& refused : kRefusedCalls)
    if (refused.number == number) unsupported(refused.name, pc);
  KernelState& state = kernel_state();
  switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_tgkill:
    case SYS_tkill:
    case SYS_sched_yield:
    case SYS_membarrier:
    case SYS_getcpu:
      return;
    default:
      state.descriptors_touched();
      state.mappings_touched();
      state.dispositions_touched();
      signal_masks().begin_use(current_thread().id);
      state.directory_touched();
      state.scheduling_touched();
  }
}

}  // namespace
}  // namespace heddle

using namespace heddle;

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
      case SYS_futex: {
        const FutexCall call{Address{static_cast<uint64_t>(a)}, static_cast<int>(b),
                             static_cast<uint32_t>(c), reinterpret_cast<const timespec*>(d),
                             static_cast<uint32_t>(f)};
        const long result = futex(call, HEDDLE_CALLER);
        if (result >= 0) return result;
        errno = static_cast<int>(-result);
        return -1;
      }
      case SYS_gettid:
        return number_of(current_thread().id);
      case SYS_getpid:
        return kProcessNumber;
      case SYS_getrandom:
        return heddle_taken_getrandom(reinterpret_cast<void*>(a), static_cast<size_t>(b),
                                      static_cast<unsigned>(c));
      default:
        note_system_call(number, HEDDLE_CALLER);
    }
  }
  static auto real_syscall = reinterpret_cast<long (*)(long, ...)>(real::resolve("syscall"));
  return real_syscall(number, a, b, c, d, e, f);
}
