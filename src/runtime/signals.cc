// A crash of the program is a finding, not the end. The handler runs on a stack of its own; to
// abandon the execution it simply switches to the explorer's flow of control and never returns:
// the kernel tells by the stack pointer alone whether the alternate stack is in use, and nothing is
// blocked while the handler runs, so there is no state to give back.
#include "runtime/signals.h"

#include <ucontext.h>

#include <csignal>
#include <cstring>
#include <string>

#include "base/check.h"
#include "channel/channel.h"
#include "runtime/fiber.h"
#include "runtime/raw.h"
#include "runtime/reserved.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

constexpr uint64_t kAlternateStackBytes = 256 << 10;
constexpr uint64_t kWriteFault = 2;  // bit of the page-fault error code

uint64_t register_of(const ucontext_t* context, int which) {
  return static_cast<uint64_t>(context->uc_mcontext.gregs[which]);
}

std::string hexadecimal(uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  while ((number /= 16) != 0);
  return "0x" + digits;
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

void on_crash(int signal, siginfo_t* info, void* raw_context) {
  auto* context = static_cast<const ucontext_t*>(raw_context);
  uint64_t at = info->si_code > 0 ? raw::bits(info->si_addr) : 0;
  bool fault = signal == SIGSEGV && info->si_code == SEGV_ACCERR;
  if (fault && g_runtime.pages.handle_write_fault(at)) return;
  if (!g_switches.on_fiber) own_crash(signal, context);
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
  RuntimeScope scope;
  auto* context = static_cast<const ucontext_t*>(raw_context);
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
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) install(signal, on_crash);
}

}  // namespace heddle
