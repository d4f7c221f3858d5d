// A program as events: what each thread may do, in the order of its text, with loops unrolled.
//
// An execution is a set of events, a prefix of what each thread may do, and a total order of them.
// What an event reads is not computed from it: the words that it sees are inputs of the graph of
// gates, and order.h says which stored word each of them may be.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "circuit/aig.h"
#include "circuit/thread_plan.h"
#include "circuit/words.h"
#include "graph/graph.h"
#include "model/finding.h"

namespace heddle::events {

using circuit::Literal;
using circuit::Word;

inline constexpr uint32_t kNoEvent = 0xffffffff;
// In `after`: all events of that thread, however many there will be.
inline constexpr uint32_t kAllEvents = 0xffffffff;

// Of memory: a cell of the program; from the number of cells on, whether an object lives.
struct Access {
  uint32_t cell = 0;
  Literal when;  // it takes place
  bool reads = false, writes = false;
  Word seen, stored;
};

enum class EventKind : uint8_t {
  Start,   // of a thread
  Action,  // of a block
  Woken,   // in the middle of it
  End,     // of a thread
  Exit,    // of the process, with a status other than 0
  Final,   // after everything
};

// A condition variable that is signalled: who waits, and which of them is woken, as bits.
struct Signal {
  Literal when;
  Word waiting, woken;
};

struct Event {
  EventKind kind = EventKind::Action;
  graph::ActionKind action = graph::ActionKind::None;
  uint32_t slot = 0;
  uint32_t number = 0;  // within its thread
  bool silent = false;  // no step of the interpreter, but part of the one before
  Literal reached;      // the thread stands before it, sooner or later
  Literal taken;        // and goes on
  std::vector<Access> accesses;
  std::vector<uint32_t> after;  // by slot: so many of its first events come before
  Word choice;                  // Choose: which
  std::vector<Signal> signals;  // CondSignal
};

// What a thread that goes no further is about to access.
struct Standing {
  uint32_t slot = 0, cell = 0;
  Literal when;
  bool writes = false, plain = false;
};

// A thread that goes no further because of the last value of a cell.
struct Wait {
  uint32_t slot = 0, cell = 0;
  Literal when;
  graph::ActionKind action = graph::ActionKind::None;
  EventKind kind = EventKind::Action;
};

struct GuardedFailure {
  FindingKind kind;
  uint32_t slot = 0;
  Literal when;
};

struct Beyond {
  Literal when;
  std::string what;  // without a period
};

struct TakenInput {
  Literal when;
  Word word;
};

// A thread that waits for the end of another one.
struct Join {
  uint32_t event = 0;   // the end comes before it
  uint32_t joined = 0;  // slot
  Literal taken;        // it has waited for that one
  Literal waits;        // it goes no further, and it is that one that it waits for
};

struct EventProgram {
  circuit::ThreadPlan plan;
  uint32_t slots = 1;  // that are in use
  circuit::Aig aig;
  std::vector<Event> events;
  std::vector<std::vector<uint32_t>> of_slot;
  std::vector<uint32_t> start, end;  // by slot: events; kNoEvent
  std::vector<Literal> created, ended;
  std::map<uint32_t, Word> initial;  // by cell: when the first thread is created
  std::vector<Join> joins;
  std::vector<Literal> constraints;
  std::vector<GuardedFailure> failures;
  std::vector<Literal> dismissed;  // an assumption does not hold
  std::vector<Literal> exits;      // the process ends by itself
  std::vector<Literal> unwound;    // one round of a loop too many
  std::vector<Beyond> beyond;      // what is not encoded, or a bound of the graph
  std::vector<Standing> standing;
  std::vector<Wait> waits;
  std::vector<std::pair<uint32_t, Literal>> stuck;  // slots that wait for what nobody does
  std::vector<std::vector<TakenInput>> inputs;      // by slot
  std::vector<TakenInput> main_choices;             // of main, while it is alone

  bool before(uint32_t a, uint32_t b) const {
    const Event &first = events[a], &second = events[b];
    if (second.kind == EventKind::Final) return true;
    if (first.kind == EventKind::Final) return false;
    if (first.slot == second.slot) return first.number < second.number;
    return first.number < second.after[first.slot];
  }
};

}  // namespace heddle::events
