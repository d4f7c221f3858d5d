// A crash of the program is a finding, not the end. The handler runs on a stack of its own; to
// abandon the execution it simply switches to the explorer's flow of control and never returns:
// the kernel tells by the stack pointer alone whether the alternate stack is in use, and nothing is
// blocked while the handler runs, so there is no state to give back.
#include "runtime/session/signals.h"

#include <ucontext.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#include "base/check.h"
#include "channel/channel.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/hexadecimal.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/reserved.h"
#include "runtime/guest/safe_load.h"
#include "runtime/rewind/program_handlers.h"
#include "runtime/session/children.h"
#include "runtime/session/unseen_loop.h"
#include "runtime/threads/fiber.h"

namespace heddle {
namespace {

constexpr uint64_t kAlternateStackBytes = 256 << 10;
constexpr uint64_t kWriteFault = 2;  // bit of the page-fault error code

uint64_t register_of(const ucontext_t* context, int which) {
  return static_cast<uint64_t>(context->uc_mcontext.gregs[which]);
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGTRAP:
      return "SIGTRAP";
    case SIGABRT:
      return "SIGABRT";
    default:
      return "a signal";
  }
}

// The kernel cannot tell the address of a non-canonical access; it reports 0 and no write bit.
std::string describe_crash(int signal, const siginfo_t* info, const ucontext_t* context) {
  std::string text = std::string("the program crashes with ") + signal_name(signal);
  if (signal == SIGFPE && info->si_code == FPE_INTDIV) return text + " (integer division by zero)";
  if (signal != SIGSEGV && signal != SIGBUS) return text;
  if (info->si_code <= 0) return text + ", raised by a call";
  if (info->si_code == SI_KERNEL) return text + " (address outside the address space)";
  bool write = (register_of(context, REG_ERR) & kWriteFault) != 0;
  uint64_t at = raw::bits(info->si_addr);
  text += write ? " (write to " : " (read of ";
  return text + (at < kPageBytes ? "a null pointer, address " : "address ") + hexadecimal(at) + ")";
}

// A fault in our own code with no program running: nothing sensible can follow.
[[noreturn]] void own_crash(int signal, const ucontext_t* context) {
  std::string condition = std::string("no ") + signal_name(signal) + " at pc " +
                          hexadecimal(register_of(context, REG_RIP));
  check_failed(condition.c_str(), __FILE__, __LINE__);
}

UnseenLoop g_loop;

// What a handler of the program finds on the stack of its thread, and what is put back after it.
struct HandlerFrame {
  siginfo_t info;
  ucontext_t context;
  alignas(64) char floating_point[4096];
  uint64_t floating_point_bytes;
};

// Where the kernel keeps what the processor has beyond the general registers, and how much it is.
uint64_t floating_point_bytes(const ucontext_t* context) {
  constexpr uint64_t kPlain = 512, kMagicAt = 464, kExtended = 0x46505853;
  const auto* area = reinterpret_cast<const char*>(context->uc_mcontext.fpregs);
  if (area == nullptr) return 0;
  uint32_t words[2];
  memcpy(words, area + kMagicAt, sizeof words);
  return words[0] == kExtended ? std::min<uint64_t>(words[1], sizeof HandlerFrame::floating_point)
                               : kPlain;
}

// Called by the code below: rax is the handler, rbx the frame. The instruction that cannot be
// executed brings us back into on_crash, with a context of the kernel's making to change.
extern "C" __attribute__((visibility("hidden"))) const char heddle_run_handler[],
    heddle_handler_done[];
asm(R"(
.text
heddle_run_handler:
  call *%rax
heddle_handler_done:
  ud2
)");

void set_register(ucontext_t* context, int which, uint64_t to) {
  context->uc_mcontext.gregs[which] = static_cast<greg_t>(to);
}

// Has the thread go on in its own handler; false if it has none.
bool divert_to_program(int signal, const siginfo_t* info, ucontext_t* context) {
  struct sigaction& action = program_handler(signal);
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return false;
  constexpr uint64_t kRedZone = 128, kAlignment = 64;
  const uint64_t top = register_of(context, REG_RSP) - kRedZone - sizeof(HandlerFrame);
  auto* frame = reinterpret_cast<HandlerFrame*>(top & ~(kAlignment - 1));
  frame->info = *info;
  frame->context = *context;
  frame->floating_point_bytes = floating_point_bytes(context);
  memcpy(frame->floating_point, context->uc_mcontext.fpregs, frame->floating_point_bytes);
  frame->context.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(frame->floating_point);
  set_register(context, REG_RIP, raw::bits(heddle_run_handler));
  set_register(context, REG_RSP, raw::bits(frame));
  set_register(context, REG_RBX, raw::bits(frame));
  set_register(context, REG_RAX, reinterpret_cast<uint64_t>(action.sa_sigaction));
  set_register(context, REG_RDI, static_cast<uint64_t>(signal));
  set_register(context, REG_RSI, raw::bits(&frame->info));
  set_register(context, REG_RDX, raw::bits(&frame->context));
  if ((action.sa_flags & SA_RESETHAND) != 0) action.sa_handler = SIG_DFL;
  return true;
}

// The handler has returned: where it was called from, or where it wants to go instead.
bool return_from_program(ucontext_t* context) {
  if (register_of(context, REG_RIP) != raw::bits(heddle_handler_done)) return false;
  const auto* frame = reinterpret_cast<const HandlerFrame*>(register_of(context, REG_RBX));
  memcpy(context->uc_mcontext.gregs, frame->context.uc_mcontext.gregs,
         sizeof context->uc_mcontext.gregs);
  memcpy(context->uc_mcontext.fpregs, frame->floating_point, frame->floating_point_bytes);
  return true;
}

// Sent by another process: no doing of the program.
bool comes_from_outside(const siginfo_t* info) {
  return info->si_code <= 0 && info->si_pid != raw::call(SYS_getpid);
}

void on_trap(ucontext_t* context);

void on_crash(int signal, siginfo_t* info, void* raw_context) {
  auto* context = static_cast<ucontext_t*>(raw_context);
  if (const uint64_t next = after_failed_load(register_of(context, REG_RIP)); next != 0)
    return set_register(context, REG_RIP, next);
  if (signal == SIGTRAP && g_loop.watching()) return on_trap(context);
  if (comes_from_outside(info)) end_by_kill();
  uint64_t at = info->si_code > 0 ? raw::bits(info->si_addr) : 0;
  bool fault = signal == SIGSEGV && info->si_code == SEGV_ACCERR;
  if (fault && g_runtime.pages.handle_write_fault(at)) return;
  if (!g_switches.on_fiber) own_crash(signal, context);
  if (signal == SIGILL && return_from_program(context)) return;
  if (!g_switches.in_runtime && !(signal == SIGSEGV && in_guard_page(at)) &&
      divert_to_program(signal, info, context))
    return;
  RuntimeScope scope;
  Address pc{register_of(context, REG_RIP)};
  if (signal == SIGSEGV && in_guard_page(at))
    fail(FindingKind::StackOverflow,
         "thread " + std::to_string(index(current_thread().id)) + " overflows its stack", pc);
  if (signal == SIGABRT) fail(FindingKind::Abort, "the program raises SIGABRT", pc);
  fail(FindingKind::Crash, describe_crash(signal, info, context), pc);
}

// The supervisor has seen no visible action for too long.
void on_abandon(int, siginfo_t*, void* raw_context) {
  if (!g_switches.on_fiber || g_switches.in_runtime) return;  // never in the middle of our own work
  auto* context = static_cast<ucontext_t*>(raw_context);
  if (g_runtime.header->idleness == Idleness::Sleeps)
    cannot_see(current_thread().id, Address{register_of(context, REG_RIP)});
  g_loop.begin(context);
}

// The processor reports the next instruction of a thread that runs on and on.
void on_trap(ucontext_t* context) {
  const LoopVerdict verdict = g_loop.look(context);
  if (verdict == LoopVerdict::NotYet || verdict == LoopVerdict::GoesOn) return;
  if (verdict == LoopVerdict::Unseen)
    cannot_see(current_thread().id, Address{register_of(context, REG_RIP)});
  if (verdict == LoopVerdict::Computes)
    computes_for_long(current_thread().id, Address{register_of(context, REG_RIP)});
  RuntimeScope scope;
  fail(FindingKind::Livelock,
       "thread " + std::to_string(index(current_thread().id)) +
           " runs on and on without a visible action",
       Address{register_of(context, REG_RIP)});
}

void install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  HEDDLE_CHECK(sigaction(signal, &action, nullptr) == 0);
}

}  // namespace

void install_signal_handlers() {
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = reserve_private(kAlternateStackBytes);
  stack.ss_size = kAlternateStackBytes;
  HEDDLE_CHECK(sigaltstack(&stack, nullptr) == 0);
  install(SIGRTMIN + kAbandonSignalOffset, on_abandon);
  if (g_runtime.header->options.stop_in_debugger) return;  // gdb wants to see crashes itself
  for (int signal : crash_signals()) {
    keep_program_handler(signal);
    install(signal, on_crash);
  }
  reset_program_handlers();
}

}  // namespace heddle
