// One thread of the tested program, for the length of one execution.
#pragma once

#include <poll.h>

#include <cstdint>

#include "model/action.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/plain_writes.h"
#include "runtime/threads/recent_steps.h"
#include "runtime/threads/stack_trace.h"

namespace heddle {

enum class Life : uint8_t { None, Live, Ended, Failed };

inline constexpr int kMaxStackDepth = 48;
inline constexpr int64_t kNever = INT64_MAX;

struct ProgramThread {
  Flow flow;
  Action pending;              // what it does next, while it is suspended
  uint32_t choice = 0;         // the alternative it was told to take
  unsigned char expected[16];  // of the compare-and-swap that it does next
  uint64_t thread_pointer = 0;
  uint64_t stack_end = 0;
  uint64_t local_state = 0;  // where it is suspended, if the executor keeps local states

  ThreadId id = kMainThread;
  ThreadId parent = kNoThread;
  uint32_t birth = 0;  // n-th child of its parent, from 1
  uint32_t children = 0;
  Life life = Life::None;
  bool joined = false;
  bool detached = false;
  bool being_joined = false;

  int64_t time = 0;           // on its own clock (virtual_clock.h)
  int64_t deadline = kNever;  // of the wait it is in (timed.h)
  uint32_t clock_reads = 0;
  uint32_t early_timeouts = 0;

  uint32_t spurious = 0;     // wake-ups without a signal so far
  RecentSteps recent;        // for lonely_signals.h
  uint64_t woken = 0;        // when a condition's signal last reached it
  uint64_t random = 0;       // state of its generator (intercepts/random.cc)
  pollfd* polled = nullptr;  // what it waits for in poll and its relatives
  uint64_t polled_count = 0;
  static constexpr uint32_t kMostRobust = 16;
  Address robust[kMostRobust];  // robust mutexes it holds
  uint32_t robust_held = 0;
  uint32_t sections = 0;  // atomic sections it is in
  uint64_t steps_in_section = 0;
  bool section_is_step = false;  // it was alone when the section began

  PlainWrites writes;  // where loops are looked at

  bool cancel_requested = false;
  bool cancel_disabled = false;
  bool cancelled = false;  // it has begun to leave
  char name[16] = {};      // given by pthread_setname_np

  void* (*entry)(void*) = nullptr;
  bool returns_int = false;  // as C11's threads do
  void* argument = nullptr;
  void* result = nullptr;
  void* cleanup = nullptr;  // innermost pthread_cleanup_push of C code (intercepts/cleanup.cc)

  // Filled in only when an execution is recorded for a report.
  int stack_depth = 0;
  Address stack[kMaxStackDepth];
  FrameRange frames[kMaxStackDepth];
};

}  // namespace heddle
