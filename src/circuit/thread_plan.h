// What is known of the threads of a program before any gate is made: which slot runs which
// routines, who creates whom, and at which locations a thread can stop.
//
// A location has a number per slot, its code; that is what the program counter of the slot holds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/liveness.h"
#include "interpreter/compiled.h"
#include "interpreter/thread_slots.h"

namespace heddle::circuit {

enum class StopKind : uint8_t {
  Unborn,
  Ended,
  Joined,
  Exiting,
  Starting,
  Action,   // before the action of the block
  Blocked,  // in it
  Woken,    // in it
  Resume,   // before the block, in the middle of a step: a loop that has no step in it
  ExitTurn,
  ProcessExit,
};

struct Stop {
  StopKind kind = StopKind::Unborn;
  uint32_t routine = 0;
  uint32_t block = 0;
  uint32_t location = 0;  // of the interpreter; Resume: none
  graph::RegisterSet live{0};
};

// The codes of these are the same in all slots.
enum FixedCode : uint32_t { kUnborn, kEnded, kJoined, kExiting, kFixedCodes };

struct SlotPlan {
  std::vector<uint32_t> routines;  // that it may run
  std::vector<Stop> stops;         // by code
  std::vector<uint32_t> children;  // slots, by how many it has created before; 0: no more
  bool creates = false;

  uint32_t code_of(StopKind kind, uint32_t routine, uint32_t block) const;
  uint32_t bits() const;  // of the program counter
};

struct RoutinePlan {
  std::vector<uint32_t> order;  // blocks that can be reached, before those that they jump to
  std::vector<uint32_t> rank;   // by block: where it stands in the order; kUnreached
  std::vector<bool> stops;      // by block: a thread that comes to it stops before its action
  std::vector<bool> resumes;    // by block: a thread that jumps back to it stops there
  static constexpr uint32_t kUnreached = 0xffffffff;
};

struct ThreadPlan {
  std::shared_ptr<const CompiledProgram> program;
  std::shared_ptr<ThreadSlots> slots;  // with all threads that there can be
  std::vector<SlotPlan> of_slot;
  std::vector<RoutinePlan> of_routine;
  std::vector<std::unique_ptr<graph::Liveness>> liveness;  // by routine
};

ThreadPlan plan_threads(std::shared_ptr<const CompiledProgram> program);

}  // namespace heddle::circuit
