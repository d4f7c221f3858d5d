// Which signals a thread blocks is its own, and so is what it sends itself. What is sent to the
// process is taken by a thread that does not block it: by the sender, if it is such a one.
// Otherwise who there is, and what each of them blocks, decides: that step is ordered with all
// others, as requests to cancel are, and changes of masks are steps so that it may come between two
// of them. If nobody can take it, it waits, and those who cease to block signals are rivals from
// then on (rewind/signal_masks.h). What such a step depends on is more than the dependence table
// can say: searches that leave out equivalent executions are refused, as they are for cancellation.
#include "runtime/intercepts/signal_masks.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "channel/channel.h"
#include "model/process_state.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/program_handlers.h"
#include "runtime/rewind/signal_masks.h"
#include "strategies/combinations.h"

namespace heddle::real {
HEDDLE_REAL(sigprocmask)
HEDDLE_REAL(pthread_sigmask)
HEDDLE_REAL(kill)
HEDDLE_REAL(sigqueue)
}  // namespace heddle::real

namespace heddle {
namespace {

// Those that nobody blocks, and two of glibc's own.
constexpr SignalSet kUnblockable = only(SIGKILL) | only(SIGSTOP) | only(32) | only(33);

SignalSet& set_of(sigset_t* set) {
  return *reinterpret_cast<SignalSet*>(set);
}

ThreadId self() {
  return current_thread().id;
}

void touch() {
  kernel_state().dispositions_touched();
  signal_masks().begin_use(self());
}

// What may be delivered depends on things that the thread knows without looking at what others do:
// what it was sent, and a step that is ordered with all others.
void before_change(bool unblocks, Address pc) {
  const SignalMasks& masks = signal_masks();
  if (unblocks && masks.ever_sent_to_process())
    visible({.op = Op::StateChange, .object = kSignalActions, .pc = pc});
  else if (unblocks && masks.ever_sent_to(self()))
    visible({.op = Op::StateAsk, .object = kSignalActions, .pc = pc});
  else
    visible({.op = Op::SignalMask, .pc = pc});
}

void change_mask(SignalSet wanted, Address pc) {
  wanted &= ~kUnblockable;
  const SignalSet now = signal_masks().blocked(self());
  if (wanted != now) before_change((now & ~wanted) != 0, pc);
  touch();
  signal_masks().block(self(), wanted);
}

// An error number.
int change_mask(int how, const sigset_t* set, sigset_t* before, Address pc) {
  reads(set, pc);
  const SignalSet now = signal_masks().blocked(self());
  SignalSet wanted = now;
  if (set != nullptr) {
    const SignalSet given = *reinterpret_cast<const SignalSet*>(set);
    if (how == SIG_BLOCK)
      wanted = now | given;
    else if (how == SIG_UNBLOCK)
      wanted = now & ~given;
    else if (how == SIG_SETMASK)
      wanted = given;
    else
      return EINVAL;
  }
  writes(before, pc);
  if (before != nullptr) {
    *before = {};
    set_of(before) = now;
  }
  if (set != nullptr) change_mask(wanted, pc);
  return 0;
}

void refuse_waiting_fault(int signal, Address pc) {
  if ((signal_masks().blocked(self()) & needed_signals() & only(signal)) != 0)
    unsupported("sending a signal of crashes to a thread that blocks it", pc);
}

bool another_takes(int signal) {
  for (uint32_t i = 0; i < kMaxThreads; ++i) {
    const ProgramThread& thread = g_runtime.executor.thread(ThreadId{i});
    if (thread.life == Life::Live && thread.id != self() &&
        (signal_masks().blocked(thread.id) & only(signal)) == 0)
      return true;
  }
  return false;
}

bool has_handler(int signal) {
  struct sigaction action;
  sigaction(signal, nullptr, &action);
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// To us, under the number that we go by: a step may come back in another process.
pid_t real_number() {
  return static_cast<pid_t>(raw::call(SYS_getpid));
}

template <typename Send>
int send_to_process(int signal, Address pc, Send send) {
  SignalMasks& masks = signal_masks();
  refuse_waiting_fault(signal, pc);
  if ((masks.blocked(self()) & only(signal)) == 0) {
    visible({.op = Op::StateAsk, .object = kSignalActions, .pc = pc});
    touch();
    return send(real_number());
  }
  if (g_switches.concurrent && leaves_out_executions(g_runtime.header->options))
    cannot_run(Limitation::ProcessSignal);
  visible({.op = Op::ProcessSignal, .pc = pc});
  touch();
  if (!another_takes(signal)) {
    masks.sent_to_process();
    return send(real_number());
  }
  if (has_handler(signal)) unsupported("a signal that another thread than its sender handles", pc);
  const SignalSet mine = masks.blocked(self());
  masks.block(self(), mine & ~only(signal));
  const int result = send(real_number());
  masks.block(self(), mine);
  return result;
}

}  // namespace

void before_raise(int signal, Address pc) {
  refuse_waiting_fault(signal, pc);
  SignalMasks& masks = signal_masks();
  masks.begin_use(self());
  if ((masks.blocked(self()) & only(signal)) == 0) return;
  masks.sent_to(self(), signal);
  if (masks.sent_and_watched()) unsupported("signalfd for signals sent to a thread", pc);
}

void before_pending(Address pc) {
  const SignalMasks& masks = signal_masks();
  if (masks.ever_sent_to(self()) || masks.ever_sent_to_process())
    visible({.op = Op::StateAsk, .object = kSignalActions, .pc = pc});
}

void before_signalfd(const void* signals, Address pc) {
  if (signals == nullptr) return;
  SignalMasks& masks = signal_masks();
  touch();
  masks.watch(*static_cast<const SignalSet*>(signals));
  if (masks.sent_and_watched()) unsupported("signalfd for signals sent to a thread", pc);
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  if (!explored()) return real::pthread_sigmask()(how, set, before);
  return change_mask(how, set, before, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  if (!explored()) return real::sigprocmask()(how, set, before);
  const int error = change_mask(how, set, before, HEDDLE_CALLER);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Older functions, for the first 32 signals or for one.
#define CHANGE_MASK(name, parameter, wanted, result)                                         \
  HEDDLE_EXPORT int name(int parameter) {                                                    \
    if (!explored()) return reinterpret_cast<int (*)(int)>(real::resolve(#name))(parameter); \
    const SignalSet now = signal_masks().blocked(self());                                    \
    change_mask(wanted, HEDDLE_CALLER);                                                      \
    return result;                                                                           \
  }
CHANGE_MASK(sigblock, mask, now | static_cast<unsigned>(mask), static_cast<int>(now))
CHANGE_MASK(sigsetmask, mask, static_cast<unsigned>(mask), static_cast<int>(now))
CHANGE_MASK(sighold, signal, now | only(signal), 0)
CHANGE_MASK(sigrelse, signal, now & ~only(signal), 0)

HEDDLE_EXPORT int kill(pid_t process, int signal) {
  if (explored() && process <= 0) unsupported("kill of a whole group of processes", HEDDLE_CALLER);
  if (explored() && process == kProcessNumber)
    return send_to_process(signal, HEDDLE_CALLER,
                           [signal](pid_t number) { return real::kill()(number, signal); });
  if (controlled() && process == kProcessNumber)
    process = static_cast<pid_t>(raw::call(SYS_getpid));
  if (explored()) kernel_state().dispositions_touched();
  return real::kill()(process, signal);
}

HEDDLE_EXPORT int sigqueue(pid_t process, int signal, const union sigval value) {
  if (explored() && process == kProcessNumber)
    return send_to_process(signal, HEDDLE_CALLER,
                           [=](pid_t number) { return real::sigqueue()(number, signal, value); });
  return real::sigqueue()(process, signal, value);
}
