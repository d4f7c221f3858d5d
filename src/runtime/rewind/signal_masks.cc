#include "runtime/rewind/signal_masks.h"

#include <algorithm>

#include "channel/channel.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/raw.h"
#include "runtime/rewind/program_handlers.h"

namespace heddle {
namespace {

SignalSet kernel_mask() {
  SignalSet mask = 0;
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, 0, raw::bits(&mask), sizeof mask);
  return mask;
}

void set_kernel_mask(SignalSet mask) {
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, raw::bits(&mask), 0, sizeof mask);
}

SignalSet waiting() {
  SignalSet pending = 0;
  raw::call(SYS_rt_sigpending, raw::bits(&pending), sizeof pending);
  return pending;
}

uint64_t own_number() {
  return static_cast<uint64_t>(raw::call(SYS_getpid));
}

}  // namespace

SignalMasks& signal_masks() {
  static SignalMasks masks;
  return masks;
}

SignalSet needed_signals() {
  SignalSet needed = only(SIGRTMIN + kAbandonSignalOffset);
  for (const int signal : crash_signals()) needed |= only(signal);
  return needed;
}

void SignalMasks::take_baseline() {
  initial_ = kernel_mask();
}

void SignalMasks::reset() {
  in_use_ = process_ever_ = false;
  watched_ = sent_ = 0;
  held_count_ = 0;
}

void SignalMasks::begin_use(ThreadId running) {
  if (in_use_) return;
  in_use_ = true;
  running_ = running;
}

void SignalMasks::thread_begins(ThreadId child) {
  masks_[index(child)] = in_use_ ? kernel_mask() : initial_;
  claimed_[index(child)] = in_use_ ? claimed_[index(running_)] : 0;
  ever_[index(child)] = 0;
}

SignalSet SignalMasks::blocked(ThreadId thread) const {
  const bool runs = !in_use_ || thread == running_;
  return (runs ? kernel_mask() : masks_[index(thread)]) | claimed_[index(thread)];
}

void SignalMasks::block(ThreadId running, SignalSet wanted) {
  begin_use(running);
  claimed_[index(running)] = wanted & needed_signals();
  set_kernel_mask(wanted & ~needed_signals());
}

void SignalMasks::sent_to(ThreadId thread, int signal) {
  ever_[index(thread)] |= only(signal);
  sent_ |= only(signal);
}

void SignalMasks::forget(int signal) {
  held_count_ = static_cast<uint32_t>(
      std::remove_if(held_, held_ + held_count_,
                     [signal](const Held& held) { return held.info.si_signo == signal; }) -
      held_);
}

bool SignalMasks::some_wait() const {
  return in_use_ && waiting() != 0;
}

void SignalMasks::exchange(ThreadId next) {
  masks_[index(running_)] = kernel_mask();
  take_back(running_);
  running_ = next;
  set_kernel_mask(masks_[index(next)]);
  bring_back(next);
}

// The kernel does not say which of those that wait were sent to the thread before it gives them
// out: those of the process go back, in the order in which they came.
void SignalMasks::take_back(ThreadId from) {
  const SignalSet pending = waiting() & masks_[index(from)];
  if (pending == 0) return;
  static siginfo_t of_process[kMostHeld];
  uint32_t count = 0;
  const timespec at_once{};
  siginfo_t info;
  while (raw::call(SYS_rt_sigtimedwait, raw::bits(&pending), raw::bits(&info), raw::bits(&at_once),
                   sizeof pending) > 0) {
    if (info.si_code == SI_TKILL)
      hold(from, info);
    else if (count < kMostHeld)
      of_process[count++] = info;
    else
      cannot_run("more than 256 signals wait for the process");
  }
  for (uint32_t i = 0; i < count; ++i)
    raw::call(SYS_rt_sigqueueinfo, own_number(), static_cast<uint64_t>(of_process[i].si_signo),
              raw::bits(&of_process[i]));
}

void SignalMasks::hold(ThreadId thread, const siginfo_t& info) {
  if (held_count_ == kMostHeld) cannot_run("more than 256 signals wait for threads");
  held_[held_count_++] = {thread, info};
}

void SignalMasks::bring_back(ThreadId to) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < held_count_; ++i) {
    const Held& held = held_[i];
    if (held.thread == to)
      raw::call(SYS_rt_tgsigqueueinfo, own_number(), static_cast<uint64_t>(raw::call(SYS_gettid)),
                static_cast<uint64_t>(held.info.si_signo), raw::bits(&held.info));
    else
      held_[kept++] = held;
  }
  held_count_ = kept;
}

}  // namespace heddle
