// The state of the runtime in this process, and the few calls that intercepts make.
//
// An intercept looks like this (see intercepts/):
//
//   int pthread_mutex_lock(pthread_mutex_t* m) {
//     if (!controlled()) return real::pthread_mutex_lock()(m);
//     visible({.op = Op::MutexLock, .object = address_of(m), .pc = HEDDLE_CALLER});
//     …take the lock: visible() returned, so it is free…
//   }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "channel/channel.h"
#include "model/action.h"
#include "model/finding.h"
#include "runtime/heap.h"
#include "runtime/native_executor.h"
#include "runtime/page_tracker.h"
#include "runtime/program_thread.h"
#include "runtime/sync_objects.h"
#include "runtime/thread_pointer.h"

namespace heddle {

struct Runtime {
  ChannelHeader* header = nullptr;
  char* mailbox = nullptr;
  int saved_stderr = -1;
  bool rewinds_in_place = true;
  PageTracker pages;
  Heap heap;
  ThreadPointers thread_pointers;
  NativeExecutor executor;
};

// Why the plain accesses of instrumented code matter, as bits of one byte: most programs make far
// more of these than of anything else, so all reasons together cost them one load.
inline constexpr uint8_t kAccessesCount = 1;  // writes end what the spin monitor takes for waiting
inline constexpr uint8_t kAccessesNotable = 2;  // some are scheduling points, or evidence
inline constexpr uint8_t kAccessesMemory = 4;   // they are checked against what is allocated
inline constexpr uint8_t kAccessesRaces = 8;    // they are compared with those of others

// Hot switches, read by every intercept.
struct Switches {
  bool controlled = false;    // under the command line's control, from __libc_start_main on
  bool on_fiber = false;      // code of the program (or an intercept it called) is running
  bool in_runtime = false;    // … but a runtime function is at work that may call libc
  bool concurrent = false;    // some other thread has not been joined yet
  bool every_access = false;  // plain accesses are visible now (--visible=all and concurrent)
  bool races = false;         // accesses are compared now (detects_races and concurrent)
  uint8_t accesses = 0;       // why plain accesses matter now, see above; follows from the others
  bool memory = false;        // accesses are checked against what is allocated
  bool gathers = false;       // evidence is gathered for a report
  bool invariants = false;    // some are to be evaluated between steps
  bool detects_races = false;
  bool promotes = false;      // some plain memory is visible, see promoted.h
  bool instrumented = false;  // code compiled with -fsanitize=thread has introduced itself
  bool spinning = false;      // who changes nothing is of interest
  uint64_t own_stack = 0;     // slot of the running thread's stack: what it writes there is its own

  void update_accesses() {
    auto bit = [](bool reason, uint8_t which) { return reason ? which : 0; };
    const bool some_visible = every_access || (promotes && concurrent);
    const int why = bit(spinning && concurrent, kAccessesCount) | bit(memory, kAccessesMemory) |
                    bit(races, kAccessesRaces) | bit(some_visible, kAccessesNotable);
    accesses = static_cast<uint8_t>(why | bit(gathers && why != 0, kAccessesNotable));
  }
};

extern Runtime g_runtime;
extern constinit Switches g_switches;

inline bool controlled() {
  return g_switches.controlled;
}
// Whether it is the program that calls, in an execution.
inline bool explored() {
  return g_switches.on_fiber && !g_switches.in_runtime;
}

// While one of these lives, malloc serves the runtime, not the program.
class RuntimeScope {
 public:
  RuntimeScope() : before_(g_switches.in_runtime) { g_switches.in_runtime = true; }
  ~RuntimeScope() { g_switches.in_runtime = before_; }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  bool before_;
};

// Announces the next visible action of the running thread and returns when it may be taken; the
// value is the alternative chosen for it. Where no other thread can interfere (before the first
// thread is created and after the last has been joined) it returns at once.
inline uint32_t visible(const Action& action) {
  if (!g_switches.on_fiber) return 0;
  const uint32_t choice = g_switches.concurrent ? g_runtime.executor.reach(action) : 0;
  if (bytes_of_object(action.op) != 0) use_object(action);
  return choice;
}
// The same for actions that are steps even when the thread is alone.
inline uint32_t always_visible(const Action& action) {
  return g_runtime.executor.reach(action);
}

inline ProgramThread& current_thread() {
  return g_runtime.executor.current();
}

// The running execution ends here with a bug of the program.
[[noreturn]] void fail(FindingKind kind, std::string message, Address pc);
[[noreturn]] void fail(Failure failure);
// The running execution ends here because it is of no interest (heddle_assume).
[[noreturn]] void dismiss();
// The program uses something we do not control; ends the search.
[[noreturn]] void unsupported(const char* function, Address pc);
// Something in the environment or the program's shape prevents the run; ends the search.
[[noreturn]] void cannot_run(const char* sentence);

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
#define HEDDLE_CALLER ::heddle::address_of(__builtin_return_address(0))

}  // namespace heddle
