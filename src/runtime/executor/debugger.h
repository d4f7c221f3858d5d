// What a debugger sees of an execution: where it stands, and where its threads are. The extension
// for gdb (share/gdb/heddle_gdb.py) reads the table as plain numbers, so that it needs no debug
// information of ours.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace heddle {

inline constexpr uint64_t kMostDebugThreads = 256;

enum class DebugThreadState : uint32_t { Suspended, Running, Blocked, NotStarted };

struct DebugThread {
  uint32_t id;
  DebugThreadState state;
  uint64_t context;         // Boost.Context's saved registers; 0 if it is running
  uint64_t thread_pointer;  // fs_base
  uint64_t entry;           // its start routine
  uint64_t object;          // of its next action
  char next[40];            // "locks"
};

struct DebugTable {
  uint64_t version;
  uint64_t stop_at;  // set by the debugger: stop before this step, counted from 1; 0 for none
  uint64_t step;     // the next step that has not begun
  uint64_t steps;    // of the schedule
  uint64_t current;  // the thread that stopped or is about to move
  uint64_t count;
  DebugThread threads[kMostDebugThreads];
};

// Called by the recorder when a debugger is there.
void debug_begin(uint64_t steps);
void debug_before_step(uint64_t step, ThreadId thread);
// On the stack of the thread to look at.
void debug_stop(ThreadId thread);

}  // namespace heddle
