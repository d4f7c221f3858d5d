// What the command line tells the explorer. Plain data: it crosses into the tested process through
// shared memory (src/channel/).
#pragma once

#include <cstdint>

#include "model/finding.h"
#include "model/script_text.h"

namespace heddle {

enum class Visible : uint8_t { Sync, All };
enum class Isolation : uint8_t { Reset, Fork };
enum class Races : uint8_t { Off, Report, Explore };
enum class Mode : uint8_t { Explore, Replay };
enum class PickOrder : uint8_t { Depth, Breadth, Random };  // of a search with a frontier

// Descriptors that are not ready: the thread is not enabled until they are, or it tries, fails, and
// is woken for another try. The first has fewer executions; in the second every step could have
// been taken at any time, which is what the reductions by races need where they do not know what a
// thread waits for.
enum class Blocking : uint8_t { Wait, Attempt };

// Whether processes that stand in the middle of executions save repeating their beginnings: where
// that pays off, never, or wherever it is possible (for tests).
enum class Checkpoints : uint8_t { Auto, Never, Always };

// Which executions are the same to the unbounded reduction: those that differ in the order of
// independent steps only, or all in which every read sees the same write.
enum class Equivalence : uint8_t { Mazurkiewicz, ReadsFrom };

// When waits with a deadline may time out: at any moment, only where nothing else is possible, or
// not at all.
enum class Timeouts : uint8_t { Explore, Last, Never };

// What accesses to volatile variables are: plain ones that race, or relaxed atomic operations.
enum class Volatiles : uint8_t { Plain, Relaxed };

struct RunOptions {
  Mode mode = Mode::Explore;
  Visible visible = Visible::Sync;
  Races races = Races::Report;
  Volatiles volatiles = Volatiles::Plain;
  bool memory_errors = true;    // uses of freed memory and the like
  bool leaks = true;            // memory that nothing refers to when the program ends
  bool blocked_at_exit = true;  // threads that nobody can wake when the program ends
  bool judges_races = false;    // the command line says of each race whether it counts
  Isolation isolation = Isolation::Reset;
  Checkpoints checkpoints = Checkpoints::Auto;
  Blocking blocking = Blocking::Wait;
  bool sees_done_once = false;  // arriving at a pthread_once that is done is a step: for reductions
  Timeouts timeouts = Timeouts::Explore;
  uint32_t early_timeouts = 1;  // per thread and execution, before nothing else is possible
  uint32_t spurious = 0;        // wake-ups of conditions without a signal, per thread and execution
  uint64_t entry = 0;           // of the function in main's place, as the file numbers it; 0: main
  bool void_main = false;       // main returns nothing: what it leaves behind is no status
  bool unroll_loops = false;    // let threads that wait in loops go round and round
  bool keep_going = false;      // go on after the first finding
  FindingKinds ignored = 0;     // findings of these kinds do not count
  uint32_t max_threads = 0;     // that an execution may start; 0: as many as there is room for
  double minimise = -1;         // seconds for making traces simpler; below 0: by the search's time
  bool stop_in_debugger = false;  // replay --gdb
  char strategy[24] = "portfolio";
  char filters[64] = "";  // "seen,depth:20"
  // What the strategy and the filter `lua` do, where the options are used to make them. In another
  // process it lies elsewhere: the channel has a copy.
  const ScriptText* strategy_script = nullptr;
  const ScriptText* filter_script = nullptr;
  PickOrder order = PickOrder::Depth;
  Equivalence equivalence = Equivalence::Mazurkiewicz;
  bool coverage = false;      // count the states that are seen
  bool exact_states = false;  // compare states in full where they are kept
  int32_t bound = -1;         // -1: no bound
  uint32_t pct_depth = 3;
  uint64_t seed = 1;
  uint64_t max_executions = 0;   // 0: no limit
  uint64_t max_steps = 100'000;  // per execution
};

}  // namespace heddle
