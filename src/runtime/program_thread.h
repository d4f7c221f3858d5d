// One thread of the tested program, for the length of one execution.
#pragma once

#include <cstdint>

#include "model/action.h"
#include "runtime/fiber.h"

namespace heddle {

enum class Life : uint8_t { None, Live, Ended, Failed };

inline constexpr int kMaxStackDepth = 48;

struct ProgramThread {
  Flow flow;
  Action pending;       // what it does next, while it is suspended
  uint32_t choice = 0;  // the alternative it was told to take
  uint64_t thread_pointer = 0;

  ThreadId id = kMainThread;
  ThreadId parent = kNoThread;
  uint32_t birth = 0;  // n-th child of its parent, from 1
  uint32_t children = 0;
  Life life = Life::None;
  bool joined = false;
  bool detached = false;
  bool being_joined = false;

  void* (*entry)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  void* cleanup = nullptr;  // innermost pthread_cleanup_push of C code (intercepts/cleanup.cc)

  // Filled in only when an execution is recorded for a report.
  int stack_depth = 0;
  Address stack[kMaxStackDepth];
};

}  // namespace heddle
