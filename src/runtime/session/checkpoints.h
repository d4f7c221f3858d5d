// Checkpoints: executions that begin in the middle.
//
// Problem. An execution that differs from an earlier one in its last steps repeats all the others
// first. Where these are many, or the program sets up a lot before its threads begin, most of the
// time goes into what is known.
//
// Idea. Processes that stand: a child runs a part of the common beginning and goes no further, and
// the executions that begin in this way run in children of that child. The kernel keeps the stacks,
// the registers and the changed memory of a process that stands, and gives each child its own copy
// of what it changes. Standing processes form a chain of checkpoints: each halves what is left of
// the way to the end of the prefix, until the rest costs less than a fork. A search that goes on
// depth first stays near the end of the chain; when it leaves the beginning that a checkpoint
// stands for, that checkpoint is taken away. Searches without common beginnings (samplers) have one
// checkpoint, at the first choice.
//
// What it costs is a fork for each execution, some hundred microseconds. So it is done where
// repeating costs more, by measurement: of the way to the end of the prefix and of a fork before it
// begins, and of whole executions from checkpoints and without later on. What somebody else's
// process has interrupted is not to decide that: it is the median of several measurements that
// counts.
//
// Where it is not possible. What the kernel keeps and children would share is not taken back:
// descriptors and mappings that the program has made before a checkpoint. Then all executions begin
// at the beginning, as without checkpoints.
#pragma once

#include <cstdint>
#include <functional>

#include "base/recent_median.h"
#include "explore/explorer.h"
#include "runtime/core/runtime.h"

namespace heddle {

// Shared by all processes of the search; lies in the arena. Costs are in processor cycles.
struct CheckpointChainState {
  bool given_up = false;       // it is not possible, or does not pay off
  bool active = false;         // executions run from checkpoints
  bool begun = false;          // an execution has begun that no process has run yet
  bool ended = false;          // and there are no more
  bool advancing = false;      // a process is on its way to where it is to stand
  double fork_cost = 0;        // 0: not measured
  RecentMedian first_cost;     // from the beginning to the first choice
  RecentMedian step_cost;      // of a step of a prefix
  RecentMedian plain_cost;     // of a whole execution without checkpoints
  uint64_t measured = 0;       // executions without checkpoints
  uint64_t chained = 0;        // executions with them
  uint64_t chained_since = 0;  // when
};

class CheckpointChain {
 public:
  CheckpointChain(Explorer& explorer, ExploreObserver& observer, CheckpointChainState& state)
      : explorer_(explorer), observer_(observer), state_(state) {}

  // Whether the execution that has begun should run from checkpoints.
  bool pays_off();

  // Runs the execution that has begun without checkpoints, by run(), and now and then measures it.
  template <typename Run>
  void run_without(Run run) {
    if (!time_to_measure()) return run();
    const uint64_t began = now();
    g_runtime.executor.time_approaches(true);
    run();
    g_runtime.executor.time_approaches(false);
    note_whole(now() - began);
  }
  // To be said in the process of that execution, when it is done.
  void note_approach();

  enum class Outcome : uint8_t {
    NotRun,  // the execution that has begun must be run without checkpoints, and all later ones
    Paused,  // after an execution, because something was due
    Ended,   // the search has nothing left
  };
  // Runs the execution that has begun and those after it, until `due` is true after one.
  Outcome explore_from(const std::function<bool()>& due);

 private:
  static uint64_t now() { return __builtin_ia32_rdtsc(); }
  bool time_to_measure() const;
  void note_whole(uint64_t cycles);
  void stand(long depth, const std::function<bool()>& due);
  void serve();
  bool advance(long checkpoint);
  struct Place {
    Schedule steps;
    uint64_t generation;
    Spinning spinning;
  };
  bool leads_to(const Place& place) const;
  long next_checkpoint(long depth) const;
  double cost_from(long depth) const;
  double fork_cost();

  Explorer& explorer_;
  ExploreObserver& observer_;
  CheckpointChainState& state_;
};

}  // namespace heddle
