// A program graph made ready to run: code without trees, and the layout of a state.
//
// Values. Each routine has one array of 64-bit values: its registers, then its constants, then
// places for what expressions compute on the way. An instruction names places of that array, so
// registers and constants cost no instruction.
//
// Locations. Between steps a thread stands at a location: before the visible action of a block, or
// in the middle of one (woken, not yet at the lock again). A location knows which registers are
// live there; only these are in the state, packed one after the other. So registers that are of no
// more use cannot make states differ, and threads at different places share the room.
//
// A state is: the thread in an atomic section that keeps others out, if the program has sections;
// the threads, one slot after the other; the objects, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/graph.h"
#include "interpreter/state_space.h"

namespace heddle {

enum class Phase : uint8_t {
  Unborn,
  Ended,
  Joined,
  Stopped,      // after a failure; goes no further
  Exiting,      // before its end
  Starting,     // of a routine
  Action,       // before the action of a block
  Blocked,      // in it: waits for a signal, for others to arrive, or (by attempts) for a lock
  Woken,        // in it: relocks, leaves the barrier, tries again
  Input,        // before a statement that takes an input of few bits
  ExitTurn,     // has called exit, and turns to the exit handlers
  ProcessExit,  // before the end of the process
};

// The first locations; the others belong to routines.
enum class FixedLocation : uint8_t { Unborn, Ended, Joined, Stopped, Exiting };
inline constexpr uint32_t kFixedLocations = 5;

// In the middle of a block, not before its action or in it.
constexpr bool is_inside_block(Phase phase) {
  return phase >= Phase::Input;
}

// A live register in the frame of a thread.
struct Field {
  uint32_t value = 0;  // its place in the array of values
  uint16_t offset = 0;
  uint8_t bytes = 0;
};

struct Location {
  Phase phase = Phase::Unborn;
  uint32_t routine = 0;
  uint32_t block = 0;
  uint32_t part = 0;  // see CodePlace
  uint32_t code = 0;  // Input, ExitTurn, ProcessExit: where it goes on
  uint32_t first_field = 0, field_count = 0;
};

enum class Code : uint8_t {
#define X(enumerator, text, operands) enumerator,
  HEDDLE_OPERATORS(X)
#undef X
      Input,  // dst
  Self,       // dst
  Assume,     // a
  Assert,     // a
  Allocate,   // dst; a unless kNoPlace; b: site
  Release,    // a
  Goto,       // b: block
  Branch,     // a; b, c: blocks
  Return,     // a unless kNoPlace
  Exit,       // a unless kNoPlace
  Cut,        // b: bound
  Done,       // the end of the code of an operand
};
inline constexpr uint32_t kNoPlace = 0xffffffff;

struct Instruction {
  Code code = Code::Done;
  uint8_t from = 0, to = 0;  // bits of the operand and of the result
  uint16_t part = 0;         // see CodePlace
  uint32_t dst = 0, a = 0, b = 0, c = 0;
};

inline constexpr uint32_t kNoCell = 0xffffffff;

struct CompiledAction {
  graph::ActionKind kind = graph::ActionKind::None;
  bool own = false;
  bool always_possible = true;  // in one way
  uint8_t bits = 0;
  uint8_t into_bits = 0, second_into_bits = 0;
  uint32_t before = 0;      // code that computes the operands
  uint32_t value_code = 0;  // code that computes the value, for updates after `into` is known
  uint32_t address = kNoPlace, second = kNoPlace, value = kNoPlace;  // places of the operands
  uint32_t into = kNoPlace, second_into = kNoPlace;
  uint32_t cell = kNoCell;         // of the address, where it is constant, of a global, and right
  uint32_t second_cell = kNoCell;  // likewise, of a second address
  uint32_t routine = 0;            // Create
};

struct CompiledBlock {
  CompiledAction action;
  uint32_t code = 0;                        // the statements and the jump
  uint32_t at = 0, blocked = 0, woken = 0;  // locations; 0: none
};

struct CompiledRoutine {
  std::vector<CompiledBlock> blocks;
  std::vector<Instruction> code;
  std::vector<uint64_t> values;  // as they are before: constants
  uint32_t registers = 0;
  uint32_t starting = 0;  // location
  uint32_t parameter = kNoPlace;
  std::vector<uint32_t> inputs;  // by number in Instruction::b: location
};

struct CompiledCell {
  uint32_t offset = 0;  // in the state
  uint16_t bytes = 0;
  uint8_t bits = 0;
  graph::CellKind kind = graph::CellKind::Integer;
  bool constant = false;
  uint32_t object = 0;
  uint64_t initial = 0;
  // Of an integer that was not initialised: which bit says that it was written; offset 0: none.
  uint32_t written_offset = 0;
  uint8_t written_mask = 0;
};

struct CompiledObject {
  graph::ObjectKind kind = graph::ObjectKind::Global;
  uint32_t size = 0;
  uint32_t first_cell = 0, cell_count = 0;
  uint32_t cell_at = 0;         // into CompiledProgram::cell_at, by byte
  uint32_t life = 0;            // offset in the state; 0 for globals
  uint32_t begin = 0, end = 0;  // of its cells in the state
  std::vector<uint8_t> fresh;   // those bytes, when it comes to life
};

// Which sets of things the program has at all; what it has not takes no room.
struct Features {
  bool sections = false;
  bool detach = false;
  bool creates = false;      // threads other than main do
  bool results = false;      // what threads return is asked for
  bool mutex_kinds = false;  // recursive ones, or such that are initialised at run time
  bool cond_status = false;
};

struct CompiledProgram {
  graph::Program source;
  Features has;
  uint32_t slots = 1;
  uint32_t state_size = 0;
  uint32_t mask_bytes = 1;      // of a set of threads
  uint32_t location_bytes = 1;  // of where a thread stands
  uint32_t exclusive = 0;       // offset, if it has sections
  // Offsets within a slot.
  uint32_t flags = 0, sections = 0, children = 0, depth = 0;
  std::vector<uint32_t> slot_offset, slot_frame, slot_size;  // frame: where registers begin
  std::vector<Location> locations;
  std::vector<Field> fields;
  std::vector<CompiledRoutine> routines;
  std::vector<CompiledCell> cells;
  std::vector<CompiledObject> objects;
  std::vector<uint32_t> cell_at;
  std::vector<uint8_t> initial;  // the state before main runs
  StateLayout layout;

  // kNoCell unless a cell begins there.
  uint32_t find_cell(uint32_t object, uint32_t offset) const {
    return cell_at[objects[object].cell_at + offset];
  }
};

// The program must be well formed (graph/check.h).
std::shared_ptr<const CompiledProgram> compile(graph::Program program);

}  // namespace heddle
