// Which signals each thread blocks, and which wait for it. All threads of the program are run by
// one thread of the kernel: its mask is that of the thread that runs, and what was sent to a thread
// by name (raise) leaves the kernel with it and comes back with it. What was sent to the process
// stays there: every thread blocks it, or it would have been taken. Nothing costs anything before a
// program uses one of these, in an execution.
//
// Signals by which faults come are never blocked for the kernel, since a page that is written for
// the first time is one (page_tracker.h). That a thread has asked for it is only kept in mind.
#pragma once

#include <csignal>
#include <cstdint>

#include "base/ids.h"
#include "runtime/guest/layout.h"

namespace heddle {

using SignalSet = uint64_t;  // as the kernel knows it

inline constexpr int kSignals = 64;
constexpr SignalSet only(int signal) {
  return signal < 1 || signal > kSignals ? 0 : SignalSet{1} << (signal - 1);
}

// What is never blocked for the kernel.
SignalSet needed_signals();

class SignalMasks {
 public:
  void take_baseline();
  void reset();

  // From now on masks may differ, or signals wait.
  void begin_use(ThreadId running);
  // With the mask of the one that runs, which creates it.
  void thread_begins(ThreadId child);
  void switch_to(ThreadId next) {
    if (__builtin_expect(in_use_, 0) && next != running_) exchange(next);
  }

  // As the program sees it.
  SignalSet blocked(ThreadId thread) const;
  void block(ThreadId running, SignalSet wanted);

  // A signal that it blocks was sent to the thread; one that all block was sent to the process. Of
  // both it is remembered for the rest of the execution.
  void sent_to(ThreadId thread, int signal);
  void sent_to_process() { process_ever_ = true; }
  bool ever_sent_to(ThreadId thread) const { return ever_[index(thread)] != 0; }
  bool ever_sent_to_process() const { return process_ever_; }
  // What was sent to threads by name, and what a descriptor of signalfd would show of it.
  void watch(SignalSet signals) { watched_ |= signals; }
  bool sent_and_watched() const { return (watched_ & sent_) != 0; }

  // What waits for threads is dropped: the signal is ignored now.
  void forget(int signal);
  // The kernel keeps something for this process that a child of it would not have.
  bool some_wait() const;

 private:
  struct Held {
    ThreadId thread;
    siginfo_t info;
  };
  static constexpr uint32_t kMostHeld = 256;

  void exchange(ThreadId next);
  void take_back(ThreadId from);
  void bring_back(ThreadId to);
  void hold(ThreadId thread, const siginfo_t& info);

  bool in_use_ = false, process_ever_ = false;
  ThreadId running_ = kMainThread;
  SignalSet initial_ = 0, watched_ = 0, sent_ = 0;
  SignalSet masks_[kMaxThreads] = {};    // of those that do not run
  SignalSet claimed_[kMaxThreads] = {};  // asked for, and not blocked for the kernel
  SignalSet ever_[kMaxThreads] = {};
  Held held_[kMostHeld] = {};
  uint32_t held_count_ = 0;
};

SignalMasks& signal_masks();

}  // namespace heddle
