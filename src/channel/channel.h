// The one ABI between the supervising command line and the runtime inside the tested process.
//
// The command line creates a sparse memory file (memfd), maps its first part, fills in `options`
// and passes the descriptor in the environment. The tested process maps the same part for the
// header, the mailbox and the coverage, and the rest, at a fixed address, as the arena in which the
// explorer keeps all its state. So the state of the search survives the process: an execution may
// run in a forked child (--isolation=fork) or the process may die, and the search goes on from the
// arena.
#pragma once

#include <atomic>
#include <cstdint>

#include "channel/scratch.h"
#include "channel/scripts.h"
#include "model/coverage_log.h"
#include "model/limitation.h"
#include "model/run_options.h"

namespace heddle {

inline constexpr char kChannelEnv[] = "HEDDLE_CHANNEL";    // "fd"
inline constexpr uint64_t kChannelMagic = 0x314c44444548;  // "HEDDL1"
inline constexpr uint32_t kChannelVersion = 8;

inline constexpr uint64_t kHeaderBytes = 256 << 10;
inline constexpr uint64_t kMailboxBytes = 1ull << 30;  // sparse
inline constexpr uint64_t kCoverageOffset = kHeaderBytes + kMailboxBytes;
inline constexpr uint64_t kCoverageBytes = 1 << 20;  // a CoverageLog; sparse
inline constexpr uint64_t kScriptsOffset = kCoverageOffset + kCoverageBytes;
inline constexpr uint64_t kScriptsBytes = 2 << 20;  // ChannelScripts; sparse
inline constexpr uint64_t kArenaOffset = kScriptsOffset + kScriptsBytes;
inline constexpr uint64_t kArenaBytes = 64ull << 30;  // sparse
inline constexpr uint64_t kChannelBytes = kArenaOffset + kArenaBytes;
// The search ends before its memory is full.
inline constexpr uint64_t kMostMemory = kArenaBytes / 8 * 7;

enum class RunState : uint32_t {
  Starting,     // the runtime has not spoken yet
  Running,      // exploring
  Done,         // finished by itself; `complete`, `guarantee` and the mailbox are final
  Unsupported,  // `message` names a function that is not controlled yet
  Error,        // `message` says what in the environment or the input prevents the run
  Computes,     // `message` names a thread that computes for longer than the watchdog waits
  Unseen,       // `message` names a thread that waits for something that Heddle cannot see
  Deferred,     // constructors start threads: to be started again, see `defers_constructors`
};

enum class StopReason : uint32_t {
  None,
  Interrupted,
  TimeLimit,
  ExecutionLimit,
  StepLimit,
  FirstFinding,
  KilledFromOutside,
  MemoryLimit,
};

// What the supervisor has seen before it asks for an execution to be given up.
enum class Idleness : uint32_t { Runs, Sleeps };

// How often an execution that died is known to die, see children.h.
enum class Repetition : uint32_t { NotReached, LastStepBegun, Survived };

// Counters the supervisor reads while the search runs. Written by one process at a time.
struct Progress {
  std::atomic<uint64_t> executions;
  std::atomic<uint64_t> events;               // visible events, all executions together
  std::atomic<uint64_t> heartbeat;            // changes with every step; the watchdog looks at it
  std::atomic<uint64_t> findings;             // distinct
  std::atomic<uint64_t> suppressed_findings;  // of these
  std::atomic<uint64_t> failing_executions;
  std::atomic<uint64_t> milestones;  // after the search: things begun, each of them once
  std::atomic<uint64_t> blocked;     // executions cut short by the strategy
  std::atomic<uint64_t> dismissed;   // executions that broke an assumption
  std::atomic<uint64_t> redundant;   // executions equivalent to an earlier one, where known
  std::atomic<uint64_t> longest;     // steps of the longest execution
  std::atomic<int64_t> bound;        // -1: none
  std::atomic<uint64_t> estimate;  // of the executions in all, of this bound if there is one; or 0
  std::atomic<double> estimate_error;  // its relative standard error, where that is known; or 0
};

// A function of the program that says whether all is well (--properties).
struct ChannelProperty {
  uint64_t function;      // as its file numbers it
  uint32_t result_bytes;  // how much of what it returns counts
  char library[256];      // the file; "": the executable
  char name[128];
  char message[200];
};
inline constexpr uint32_t kMostProperties = 256;

// Shared libraries of the program's own: loaded from outside the system's directories.
struct ChannelLibraries {
  static constexpr uint32_t kMost = 32;
  uint32_t count;
  char path[kMost][256];
};

struct ChannelHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  RunOptions options;
  uint64_t replay_bytes;  // length of the schedule text at `replay` (Mode::Replay), or of the share
  uint32_t resynchronise;  // the program was edited since: follow actions, not the schedule

  std::atomic<RunState> state;
  std::atomic<StopReason> stop;           // set by the supervisor to ask for an end, or by the run
  std::atomic<int32_t> worker;            // pid whose program is running (the forked child, if any)
  std::atomic<uint32_t> in_program;       // 1 while code of the tested program runs
  std::atomic<uint32_t> deaths;           // processes that died under the search; set by supervisor
  std::atomic<int32_t> death_status;      // wait status of the last of them
  std::atomic<uint32_t> died_in_program;  // whether it was code of the program that ran then
  std::atomic<uint32_t> report_only;      // the search is over: tell what was found
  // A search on several cores: the supervisor asks for what is left in so many pieces, and the run
  // ends with a division at the end of the mailbox, or goes on because that is not possible. Other
  // processes have a share at the beginning of the mailbox, and always end with a division.
  std::atomic<uint32_t> pieces_wanted;
  std::atomic<uint32_t> indivisible;
  uint32_t has_share;
  std::atomic<uint32_t> divided;
  uint64_t division_at;  // in the mailbox
  uint64_t division_bytes;
  uint64_t kept;  // executions that were seen to their end and broke no assumption
  std::atomic<Idleness> idleness;
  std::atomic<Repetition> repetition;
  uint32_t instrumented;         // the program was compiled for checking
  uint32_t defers_constructors;  // they are part of every execution
  // Whether a race counts is decided by the command line, which knows names: the runtime writes a
  // question to the mailbox, counts up `questions` and waits until `answers` has caught up.
  std::atomic<uint64_t> questions;
  std::atomic<uint64_t> answers;
  std::atomic<uint32_t> suppressed;  // the last answer
  Progress progress;
  uint32_t complete;            // the strategy covered all it was meant to cover
  uint32_t vacuous;             // every execution broke an assumption
  uint64_t mailbox_used;        // bytes of records (finding_record.h)
  uint64_t arena_root;          // address of the explorer in the arena, or 0
  uint32_t timeouts_held_back;  // some wait might have timed out, and was not allowed to
  uint32_t races_out_of_room;   // some execution was too large for race detection
  uint32_t blocked_at_exit;     // threads of such a program were blocked when it ended
  uint64_t leaked_blocks;       // of a program that was not compiled for us, in some execution
  uint64_t leaked_bytes;
  uint32_t spurious_left_out;  // some wait might have ended without a signal
  uint32_t frees_unordered;    // memory was freed, and nobody looks for races with that
  uint32_t threads_left_out;   // some execution would have started more threads than it may
  uint32_t timed;              // the supervisor ends the search after some time
  uint64_t memory_limit;       // bytes that the search may take; 0: no limit
  uint32_t steps_left_out;     // some execution was cut off at the limit of steps
  uint64_t cut_off_pc;         // where a thread was then, or 0
  uint32_t loops_assumed;      // a loop that counts was taken to wait
  uint32_t loops_abbreviated;  // threads ran on in a loop that counts far
  uint32_t most_threads;       // of an execution, the first included
  uint32_t explored;           // the search has ended, for this reason:
  StopReason ended_by;
  ChannelLibraries libraries;
  uint64_t first_execution_ns;  // CLOCK_MONOTONIC when the first execution began
  uint32_t property_count;
  ChannelProperty properties[kMostProperties];
  ChannelScratch scratch;
  char guarantee[512];
  Limitation limitation;  // of reductions, if the message is about one
  uint64_t message_pc;    // where in the program, if it is about a place
  char message[4096];
};
static_assert(sizeof(ChannelHeader) <= kHeaderBytes);
static_assert(sizeof(CoverageLog) <= kCoverageBytes);
static_assert(sizeof(ChannelScripts) <= kScriptsBytes);

// Signals of the supervisor to the worker: give up the execution under way (watchdog).
inline constexpr int kAbandonSignalOffset = 3;  // SIGRTMIN + this

}  // namespace heddle
