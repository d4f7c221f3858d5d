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

#include "channel/channel.h"
#include "model/action.h"
#include "model/finding.h"
#include "runtime/core/native_executor.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/switches.h"
#include "runtime/objects/sync_objects.h"
#include "runtime/rewind/heap.h"
#include "runtime/rewind/page_tracker.h"
#include "runtime/rewind/thread_pointer.h"
#include "runtime/threads/program_thread.h"

namespace heddle {

struct Runtime {
  ChannelHeader* header = nullptr;
  char* mailbox = nullptr;
  bool rewinds_in_place = true;
  PageTracker pages;
  Heap heap;
  ThreadPointers thread_pointers;
  NativeExecutor executor;
};

extern Runtime g_runtime;

// A read, write or update of memory of the program.
constexpr bool accesses_memory(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& o) {
    return o.accesses == Footprint::MemoryRead || o.accesses == Footprint::MemoryWrite ||
           o.accesses == Footprint::MemoryUpdate;
  });
  return kSuch.contains(op);
}

// Ends the search where a thread calls that the program has started past us (foreign_threads.h).
[[noreturn]] void refuse_foreign_thread();
inline void expect_own_thread() {
  if (!g_runtime.thread_pointers.installed_here()) [[unlikely]]
    refuse_foreign_thread();
}

// Announces the next visible action of the running thread and returns when it may be taken; the
// value is the alternative chosen for it. Where no other thread can interfere (before the first
// thread is created and after the last has been joined) it returns at once.
inline uint32_t visible(const Action& action) {
  if (!g_switches.on_fiber) return 0;
  expect_own_thread();
  const bool steps = g_switches.concurrent || (g_switches.looks_last && accesses_memory(action.op));
  const uint32_t choice = steps ? g_runtime.executor.reach(action) : 0;
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
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
// A second name, for calls of our own that are meant to do what the program's do.
#define HEDDLE_ALSO_LOCAL(name)                                 \
  extern "C" __attribute__((visibility("hidden"), alias(#name), \
                            copy(name))) decltype(::name) heddle_taken_##name;
#define HEDDLE_CALLER ::heddle::address_of(__builtin_return_address(0))

}  // namespace heddle
