// A trace: one execution and what went wrong in it. The same text is what the runtime puts into
// the mailbox, what a trace file holds, and what `heddle replay` reads.
//
// The runtime fills in raw code addresses; the command line adds source lines (report/) and the
// identity of the program. Unknown lines are ignored by the parser, so that later versions can add
// some; the version number changes only when old readers would misunderstand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/action.h"
#include "model/finding.h"
#include "model/schedule.h"
#include "trace/evidence_role.h"

namespace heddle {

inline constexpr int kTraceVersion = 1;

// A file mapped into the process: `address - base` is an address in the file's own numbering.
struct Module {
  std::string path;
  uint64_t base = 0;   // load bias
  uint64_t begin = 0;  // mapped range
  uint64_t end = 0;
};

struct TraceThread {
  ThreadId id = kMainThread;
  ThreadId parent = kNoThread;
  uint32_t birth = 0;          // n-th child of its parent, from 1
  Address entry = kNoAddress;  // start routine
  std::string name;            // given by the program, if any
};

struct TraceStep {
  Action action;
  uint32_t choice = 0;
  uint32_t choices = 1;
  bool preempts = false;       // this step preempted the thread of the step before
  std::vector<Address> stack;  // return addresses, innermost first; empty if not recorded
  std::string remark;          // what the trace file says of it for human readers
};

// At the end of the execution: what each thread that had not ended was about to do.
struct TraceThreadEnd {
  Action next;
  bool enabled = false;
  ThreadId waits_for = kNoThread;  // who holds what it waits for, if anybody
  std::vector<Address> stack;
};

// The call of a function that a place on a stack belongs to.
struct TraceFrame {
  ThreadId thread = kNoThread;
  Address pc = kNoAddress;     // where it was in the function: a return address; none: not known
  Address begin = kNoAddress;  // the stack pointer then
  Address end = kNoAddress;    // the canonical frame address
};

// A named place in memory that actions refer to.
struct TraceObject {
  Address address = kNoAddress;
  std::string name;   // "heap block 3 of thread 1 (40 bytes), offset 8", "stack of thread 0";
                      // globals are left to the symboliser
  std::string label;  // what the program calls it (heddle_name), if anything
  TraceFrame frame;   // if it lies on a stack
  // If it lies on the heap: the block, and a variable of the program that points to its beginning.
  Address block = kNoAddress;
  uint64_t block_size = 0;
  Address pointer = kNoAddress;
};

// What else bears on the failure: the accesses of a race, where a block came from and went.
struct TraceEvidence {
  EvidenceRole role = EvidenceRole::LaterAccess;
  Action action;               // who, on what, how much; the operation of an access
  std::vector<Address> locks;  // that the thread held
  std::vector<Address> stack;
  size_t step = 0;  // the step that it is part of, from 1; 0: not known
  std::optional<uint64_t> value = std::nullopt;  // read or written, of up to eight bytes
};

// Plain memory whose accesses were steps (--races=explore).
struct VisibleMemory {
  Address begin = kNoAddress;
  uint32_t size = 0;
};

// The steps that the bug does not show without, in their order.
enum class CauseKind : uint8_t { None, Order, Atomicity, LostSignal, LockOrder };
struct CriticalSteps {
  CauseKind kind = CauseKind::None;
  std::vector<size_t> steps;
  // Order: a step of another thread that should have come first and is not in the execution.
  std::optional<TraceStep> late;
};

struct Trace {
  // Identity (filled in by the command line).
  std::string program;  // absolute path
  std::vector<std::string> arguments;
  std::string build_id;
  std::string tool_version;               // of the Heddle that wrote it
  std::vector<std::string> run_settings;  // "visible=all", …: what must be the same on replay

  // The execution. Code addresses are return addresses, with one exception: for a crash, a stack
  // overflow or a livelock, failure.pc and the first entry of failure_stack are the instruction
  // that was interrupted.
  Failure failure;
  uint64_t execution = 0;    // number of the execution that showed it, from 1
  uint64_t occurrences = 1;  // executions of the search that showed the same
  uint32_t preemptions = 0;
  bool cut_short = false;  // no time was left to make the execution simpler
  Schedule schedule;
  std::vector<TraceThread> threads;
  std::vector<TraceStep> steps;  // may be empty (process died): then only `schedule` is known
  std::vector<TraceThreadEnd> ends;
  std::vector<ThreadId> cycle;  // deadlock: t0 waits for t1 waits for … waits for t0
  std::vector<TraceObject> objects;
  std::vector<VisibleMemory> visible_memory;
  CriticalSteps critical;  // found by running the program with steps reordered
  std::vector<Address> failure_stack;
  std::vector<TraceEvidence> evidence;
  std::vector<Module> modules;
  std::string output;  // what the program wrote to stdout and stderr
  std::string resync;  // replay of an edited program: how much of the recording it followed
};

// Remarks for human readers, written as comments.
struct TraceNotes {
  std::vector<std::string> steps;  // one per step, or empty
};

std::string to_text(const Trace& trace);
std::string to_text(const Trace& trace, const TraceNotes& notes);

struct ParseError {
  int line = 0;
  std::string message;
};
// On error the optional is empty and `error` says where.
std::optional<Trace> parse_trace(std::string_view text, ParseError& error);

}  // namespace heddle
