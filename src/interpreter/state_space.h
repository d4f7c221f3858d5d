// A program whose states can be kept and gone on from, for searches that store states.
//
// A state is a vector of bytes, of the same size for all states of a program; equal bytes are equal
// futures: registers whose value is of no more use are not part of it. The steps are those of an
// Executor: from a thread's visible action to just before its next one.
//
// Nothing here allocates per step. A StateSpace has scratch memory of its own: one for each worker,
// by clone(). All clones agree on the numbers of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/action.h"
#include "model/finding.h"

namespace heddle {

// Which thread steps, and which alternative of its action it takes.
struct Move {
  uint32_t thread = 0;  // its slot, which is its ThreadId as well
  uint32_t choice = 0;
  friend bool operator==(const Move&, const Move&) = default;
};

// What a step has led to.
enum class Outcome : uint8_t {
  Running,    // a state, in which some thread may be able to move or none (a deadlock)
  Ended,      // the program has ended by itself
  Failed,     // a bug of the program: see failure()
  Dismissed,  // an assumption does not hold: of no interest
  Cut,  // the program goes beyond a bound of the graph, or does what it cannot say: see bound()
};

// What steps of different threads can meet at, as numbers: the cells of all objects in their order,
// then the life of each object, then of each thread (resource_* below).
struct Touch {
  uint32_t resource = 0;
  bool writes = false;
};

// What a thread does next.
struct NextAction {
  Op op = Op::ThreadStart;  // as an executor shows it: CondBlocked, CondRelock … included
  graph::ActionKind kind = graph::ActionKind::None;  // of its block; None at its start and its end
  graph::RoutineId routine{0};
  graph::BlockId block{0};        // where it stands
  bool in_section = false;        // the step goes on to the end of an atomic section
  bool opens_section = false;     // likewise, which begins here
  bool meets_everything = false;  // ends the process, or touches what is not known
  uint32_t choices = 0;           // in how many ways it can be taken now; 0: the thread is blocked
  uint32_t touch_count = 0;
  Touch touches[4];  // of the action itself (of a section: of its first action only)
  std::span<const Touch> touched() const { return {touches, touch_count}; }
};

// Where things lie in a state. What is not named here is the interpreter's own.
struct StateLayout {
  struct Span {
    uint32_t offset = 0, size = 0;
  };
  struct CellLayout {
    Span bytes;
    graph::ObjectId object{0};
    bool may_point = false;  // an integer of 64 bits, which may be a pointer or a thread's handle
    bool holds_thread = false;   // a lock: the slot of its holder, from 1 on, is in the first byte
    bool holds_threads = false;  // a set of slots, as bits
  };
  std::vector<CellLayout> cells;  // by resource number
  // By object: the byte that says whether it is there (1); kAlways: of those that always are.
  static constexpr uint32_t kAlways = 0xffffffff;
  std::vector<uint32_t> life;
  std::vector<Span> threads;  // by slot
};

class StateSpace {
 public:
  virtual ~StateSpace() = default;

  virtual const graph::Program& program() const = 0;
  // Another one for the same program; states and thread numbers are the same in both.
  virtual std::unique_ptr<StateSpace> clone() const = 0;

  virtual size_t state_size() const = 0;  // in bytes
  virtual uint32_t thread_slots() const = 0;
  virtual const StateLayout& layout() const = 0;

  // The state in which main stands before its first step.
  virtual Outcome initial(uint8_t* state) = 0;

  // All moves that are enabled, thread by thread; `into` is emptied first.
  virtual void moves(const uint8_t* state, std::vector<Move>& into) = 0;

  // Takes a move that is enabled; `to` may be `from`. Where it does not lead to Running, `to` is
  // the state in which the step was left: good for printing only.
  virtual Outcome take(const uint8_t* from, Move move, uint8_t* to) = 0;

  // Of the last take() or initial() that failed, or was cut.
  virtual const Failure& failure() const = 0;
  virtual const std::string& bound() const = 0;

  // Whether the program could not go on although it has not ended: live threads, no move.
  virtual bool is_deadlock(const uint8_t* state) = 0;
  virtual Failure deadlock(const uint8_t* state) = 0;

  // Whether the slot holds a thread that has begun to exist and has not ended.
  virtual bool is_live(const uint8_t* state, uint32_t thread) = 0;
  // Of a live thread.
  virtual NextAction next_action(const uint8_t* state, uint32_t thread) = 0;
  // The locks it holds (mutexes, spin locks, reader-writer locks for writing), as resources.
  virtual void locks_held(const uint8_t* state, uint32_t thread, std::vector<uint32_t>& into) = 0;
  // Offsets in the state of the 64-bit words that may be a pointer or a handle, in an order that
  // depends on where the threads stand only: cells of globals, registers thread by thread, then
  // cells of other objects that are there.
  virtual void pointers(const uint8_t* state, std::vector<uint32_t>& into) = 0;

  // Of which thread, from 1 on the how-manieth child, the thread is; {0, 0} for main.
  struct Birth {
    uint32_t parent = 0, nth = 0;
  };
  virtual Birth birth(uint32_t thread) const = 0;

  virtual std::string state_text(const uint8_t* state) = 0;

  // The numbers of resources.
  uint32_t cell_count() const { return static_cast<uint32_t>(layout().cells.size()); }
  uint32_t resource_of_life(graph::ObjectId object) const {
    return cell_count() + graph::index(object);
  }
  uint32_t resource_of_thread(uint32_t slot) const {
    return cell_count() + static_cast<uint32_t>(layout().life.size()) + slot;
  }
  uint32_t resource_count() const { return resource_of_thread(thread_slots()); }
};

// A thread's handle: no object lies there.
constexpr uint64_t handle_of(uint32_t slot) {
  return uint64_t{0xffffffff} << 32 | slot;
}

// Code as an address: what Action::pc and Failure::pc are on a graph.
struct CodePlace {
  uint32_t routine = 0;
  uint32_t block = 0;
  uint32_t part = 0;  // 0: the action; i: the i-th statement, from 1 on; one more: the jump
};
constexpr Address address_of(CodePlace place) {
  return Address{uint64_t{place.routine + 1} << 40 | uint64_t{place.block} << 16 | place.part};
}
constexpr CodePlace code_place(Address pc) {
  return {static_cast<uint32_t>(value(pc) >> 40) - 1,
          static_cast<uint32_t>(value(pc) >> 16 & 0xffffff),
          static_cast<uint32_t>(value(pc) & 0xffff)};
}
// Where that is in the source.
graph::Place place_of(const graph::Program& program, Address pc);

}  // namespace heddle
