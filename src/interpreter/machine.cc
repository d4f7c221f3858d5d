// How a thread runs: from the step it takes to the place where it stops next.
#include "interpreter/machine.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "graph/builder.h"

namespace heddle {
namespace {

using graph::ActionKind;

// So many blocks without a step are taken for a loop that never ends.
constexpr uint32_t kMostBlocks = 1u << 22;
// So many actions of one atomic section; then the step ends in its middle.
constexpr uint32_t kMostSectionActions = 1000;
// Inputs of so few bits are taken as so many alternatives of a step.
constexpr uint32_t kFewBits = 8;

}  // namespace

Machine::Machine(std::shared_ptr<const CompiledProgram> program, std::shared_ptr<ThreadSlots> slots,
                 MachineOptions options)
    : program_(std::move(program)), slots_(std::move(slots)), options_(options) {
  for (const CompiledRoutine& routine : program_->routines) values_of_.push_back(routine.values);
  probes_ = values_of_;
}

void Machine::load(const uint8_t* state, uint32_t thread, std::vector<uint64_t>& values) const {
  const Location& at = location(state, thread);
  const uint8_t* frame = state + program_->slot_frame[thread];
  const Field* field = program_->fields.data() + at.first_field;
  for (const Field* end = field + at.field_count; field != end; ++field)
    values[field->value] = load_bytes(frame + field->offset, field->bytes);
}

void Machine::enter(uint32_t routine) {
  routine_ = routine;
  code_ = &program_->routines[routine];
  values_ = values_of_[routine].data();
}

// The thread stops here; what is live goes into the state.
void Machine::park(uint32_t number) {
  const CompiledProgram& p = *program_;
  uint8_t* frame = state_ + p.slot_frame[self_];
  memset(frame, 0, p.slot_offset[self_] + p.slot_size[self_] - p.slot_frame[self_]);
  set_location(state_, self_, number);
  const Location& at = p.locations[number];
  const Field* field = p.fields.data() + at.first_field;
  for (const Field* end = field + at.field_count; field != end; ++field)
    store_bytes(frame + field->offset, field->bytes, values_[field->value]);
}

Outcome Machine::start(uint8_t* state) {
  memcpy(state, program_->initial.data(), program_->state_size);
  state_ = state;
  self_ = 0;
  outcome_ = Outcome::Running;
  section_step_ = false;
  section_actions_ = 0;
  enter(0);
  std::fill_n(values_, code_->registers, 0);
  run_block(0);
  return outcome_;
}

Outcome Machine::step(uint8_t* state, uint32_t thread, uint32_t choice) {
  state_ = state;
  self_ = thread;
  outcome_ = Outcome::Running;
  section_step_ = sections(state, thread) > 0;
  section_actions_ = 0;
  const Location& at = location(state, thread);
  block_ = at.block;
  part_ = at.part;
  if (at.phase == Phase::Exiting) {
    routine_ = at.routine;
    end_thread(load_bytes(state + program_->slot_frame[thread], program_->has.results ? 8 : 1));
    return outcome_;
  }
  enter(at.routine);
  load(state, thread, values_of_[routine_]);
  const CompiledBlock& block = code_->blocks[block_];
  switch (at.phase) {
    case Phase::Starting: {
      const uint64_t argument = code_->parameter == kNoPlace ? 0 : values_[code_->parameter];
      std::fill_n(values_, code_->registers, 0);
      if (code_->parameter != kNoPlace) values_[code_->parameter] = argument;
      run_block(0);
      break;
    }
    case Phase::Action:
      compute(*code_, values_, block.action.before);
      section_step_ |= block.action.kind == ActionKind::AtomicBegin;
      if (perform(block.action, choice) == Flow::GoOn) run_from(block.code);
      break;
    case Phase::Woken:
      compute(*code_, values_, block.action.before);
      if (block.action.kind == ActionKind::CondWait) {
        if (relock(block.action) == Flow::GoOn) run_from(block.code);
      } else if (block.action.kind == ActionKind::BarrierWait) {
        set_result(block.action, 0);
        run_from(block.code);
      } else if (perform(block.action, choice) == Flow::GoOn) {
        run_from(block.code);
      }
      break;
    case Phase::Input: {
      const Instruction& input = code_->code[at.code - 1];
      values_[input.dst] = choice;
      run_from(at.code);
      break;
    }
    case Phase::ExitTurn:  // there are none
      set_location(state, thread, location_number(state, thread) + 1);
      break;
    case Phase::ProcessExit:
      end_process(at.code);
      break;
    default:
      HEDDLE_CHECK(!"a thread that is blocked or has ended was stepped");
  }
  if (program_->has.sections && outcome_ == Outcome::Running) {
    const bool holds = sections(state, thread) > 0 && choices(state, thread) > 0;
    state[program_->exclusive] = holds ? static_cast<uint8_t>(thread + 1) : 0;
  }
  return outcome_;
}

bool Machine::concurrent() const {
  if (self_ != 0) return true;  // the thread itself has not been joined
  for (uint32_t other = 1; other < program_->slots; ++other) {
    const Phase phase = location(state_, other).phase;
    if (phase != Phase::Unborn && phase != Phase::Joined) return true;
  }
  return false;
}

// Whether the action is a step where it is reached now (main alone takes few).
bool Machine::is_step(const CompiledAction& action) {
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::MutexInit:
    case ActionKind::CondInit:
    case ActionKind::RwInit:
    case ActionKind::SemInit:
    case ActionKind::BarrierInit:
    case ActionKind::Detach:
    case ActionKind::AtomicEnd:
    case ActionKind::Free:
      return false;
    case ActionKind::Create:
    case ActionKind::Join:
    case ActionKind::Choose:
      return true;
    case ActionKind::AtomicBegin:
      return sections(state_, self_) == 0 && concurrent();
    case ActionKind::OnceBegin: {
      const uint32_t cell = cell_of(Address{values_[action.address]});
      const bool done = cell != kNoCell && state_[program_->cells[cell].offset] ==
                                               static_cast<uint8_t>(OnceState::Done);
      return concurrent() && (!done || options_.done_once_is_step);
    }
    case ActionKind::RwRead:
    case ActionKind::RwWrite: {
      // Who writes under it already is told so at once.
      const uint32_t cell = cell_of(Address{values_[action.address]});
      const bool mine = cell != kNoCell && state_[program_->cells[cell].offset] == self_ + 1;
      return !action.own && !mine && concurrent();
    }
    default:
      return !action.own && concurrent();
  }
}

// The thread stands before the action of its block, whose operands are computed. What becomes of
// it: the action is taken as part of the step, or the step ends before it.
Machine::Flow Machine::arrive() {
  const CompiledBlock& block = code_->blocks[block_];
  const CompiledAction& action = block.action;
  if (check_arrival(action) == Flow::Stop) return Flow::Stop;
  if (!is_step(action)) {
    // Nobody is left to make it possible, but that is for others to say.
    if (ways(state_, self_, action, values_) > 0) return Flow::GoOn;
    park(block.at);
    return Flow::Stop;
  }
  if (section_step_ && sections(state_, self_) > 0 && stays_in_section(block)) return Flow::GoOn;
  park(block.at);
  return Flow::Stop;
}

bool Machine::stays_in_section(const CompiledBlock& block) {
  const uint32_t possible = ways(state_, self_, block.action, values_);
  if (observer_ != nullptr) {
    Action tried = action_of(state_, self_, block.at, values_);
    tried.in_section = false;
    if (tried.op == Op::ThreadJoin)
      tried.op = Op::ThreadTryJoin;
    else if (possible == 0)
      tried.op = Op::Blocked;
    if (possible <= 1) observer_->in_section(tried);
  }
  return possible == 1 && ++section_actions_ <= kMostSectionActions;
}

void Machine::run_block(uint32_t number) {
  for (uint32_t left = kMostBlocks; left > 0; --left) {
    block_ = number;
    part_ = 0;
    const CompiledBlock& block = code_->blocks[number];
    if (block.action.kind != ActionKind::None) {
      compute(*code_, values_, block.action.before);
      if (arrive() == Flow::Stop || perform(block.action, 0) == Flow::Stop) return;
    }
    if (run_code(block.code) == Flow::Stop) return;
    number = block_;
  }
  cut_here("a loop without any step of its thread, of more than " + std::to_string(kMostBlocks) +
           " blocks");
}

void Machine::run_from(uint32_t code) {
  if (run_code(code) == Flow::GoOn) run_block(block_);
}

// Code of an operand; up to its end.
void Machine::compute(const CompiledRoutine& routine, uint64_t* values, uint32_t code) const {
  for (const Instruction* i = routine.code.data() + code; i->code != Code::Done; ++i)
    values[i->dst] = graph::evaluate(static_cast<graph::Operator>(i->code), i->from, i->to,
                                     values[i->a], values[i->b], values[i->c]);
}

// Statements, and the jump: then block_ is the next one.
Machine::Flow Machine::run_code(uint32_t code) {
  uint64_t* const values = values_;
  for (const Instruction* i = code_->code.data() + code;; ++i) {
    switch (i->code) {
      default:
        values[i->dst] = graph::evaluate(static_cast<graph::Operator>(i->code), i->from, i->to,
                                         values[i->a], values[i->b], values[i->c]);
        break;
      case Code::Goto:
        block_ = i->b;
        return Flow::GoOn;
      case Code::Branch:
        block_ = values[i->a] != 0 ? i->b : i->c;
        return Flow::GoOn;
      case Code::Assert:
        if (values[i->a] != 0) break;
        part_ = i->part;
        return fail_assertion();
      case Code::Assume:
        if (values[i->a] != 0) break;
        part_ = i->part;
        outcome_ = Outcome::Dismissed;
        return Flow::Stop;
      case Code::Input:
        part_ = i->part;
        if (inputs_ != nullptr) {
          values[i->dst] =
              inputs_->next(i->to, address_of({routine_, block_, part_})) & graph::mask_of(i->to);
          break;
        }
        if (i->to > kFewBits)
          return cut_here("an input of " + std::to_string(i->to) +
                          " bits, whose values are too many to try one by one");
        park(code_->inputs[i->b]);
        return Flow::Stop;
      case Code::Self:
        values[i->dst] = handle_of(self_);
        break;
      case Code::Allocate:
        part_ = i->part;
        if (allocate(*i) == Flow::Stop) return Flow::Stop;
        break;
      case Code::Release:
        part_ = i->part;
        if (release(values[i->a]) == Flow::Stop) return Flow::Stop;
        break;
      case Code::Return:
        part_ = i->part;
        return reach_end(i->a == kNoPlace ? 0 : values[i->a]);
      case Code::Exit:
        part_ = i->part;
        if (concurrent()) {
          if (!section_step_ || sections(state_, self_) == 0) {
            park(i->b);
            return Flow::Stop;
          }
          note_in_section(i->b);
          note_in_section(i->b + 1);
        }
        return exit_with(i->a == kNoPlace ? 0 : values[i->a]);
      case Code::Cut:
        part_ = i->part;
        return cut(program_->source.bounds[i->b]);
      case Code::Done:
        HEDDLE_CHECK(!"code without a jump");
    }
  }
}

Machine::Flow Machine::fail_assertion() {
  const graph::Statement& statement =
      program_->source.routines[routine_].blocks[block_].statements[part_ - 1];
  return fail(statement.failure,
              statement.message.empty() ? "an assertion does not hold" : statement.message);
}

// An end that is part of an atomic section.
void Machine::note_in_section(uint32_t location) {
  if (observer_ == nullptr) return;
  Action ending = action_of(state_, self_, location, values_);
  ending.in_section = false;
  observer_->in_section(ending);
}

// The thread has returned.
Machine::Flow Machine::reach_end(uint64_t result) {
  if (!concurrent()) return end_thread(result);
  if (section_step_ && sections(state_, self_) > 0) {
    note_in_section(static_cast<uint32_t>(FixedLocation::Exiting));
    return end_thread(result);
  }
  park(static_cast<uint32_t>(FixedLocation::Exiting));
  if (program_->has.results) store_bytes(state_ + program_->slot_frame[self_], 8, result);
  return Flow::Stop;
}

// The last thread takes the process with it.
Machine::Flow Machine::end_thread(uint64_t result) {
  bool last = true;
  for (uint32_t other = 0; other < program_->slots; ++other) {
    const Phase phase = location(state_, other).phase;
    if (other != self_ && phase >= Phase::Stopped) last = false;
  }
  const CompiledProgram& p = *program_;
  const bool detached = is_detached(self_);
  memset(slot(self_), 0, p.slot_size[self_]);
  if (detached) slot(self_)[p.flags] = 1;
  set_location(state_, self_, static_cast<uint32_t>(FixedLocation::Ended));
  if (last) {
    outcome_ = Outcome::Ended;
  } else if (p.has.results) {
    store_bytes(state_ + p.slot_frame[self_], 8, result);
  }
  return Flow::Stop;
}

// From the location before the end of the process.
void Machine::end_process(uint32_t code) {
  const Instruction* i = code_->code.data() + code;
  for (; i->code != Code::Exit; ++i)
    values_[i->dst] = graph::evaluate(static_cast<graph::Operator>(i->code), i->from, i->to,
                                      values_[i->a], values_[i->b], values_[i->c]);
  exit_with(i->a == kNoPlace ? 0 : values_[i->a]);
}

Machine::Flow Machine::exit_with(uint64_t status) {
  if ((status & 0xff) != 0)
    return fail(FindingKind::ExitStatus,
                "the program exits with status " + std::to_string(status & 0xff));
  outcome_ = Outcome::Ended;
  return Flow::Stop;
}

void Machine::stop(uint8_t* state, uint32_t thread) {
  memset(
      state + program_->slot_frame[thread], 0,
      program_->slot_offset[thread] + program_->slot_size[thread] - program_->slot_frame[thread]);
  set_location(state, thread, static_cast<uint32_t>(FixedLocation::Stopped));
  if (program_->has.sections) {
    state[program_->slot_offset[thread] + program_->sections] = 0;
    state[program_->exclusive] = 0;
  }
}

Machine::Flow Machine::fail(FindingKind kind, std::string message) {
  outcome_ = Outcome::Failed;
  failure_ = {kind, std::move(message), ThreadId{self_}, address_of({routine_, block_, part_})};
  return Flow::Stop;
}

Machine::Flow Machine::cut(std::string bound) {
  outcome_ = Outcome::Cut;
  bound_ = std::move(bound);
  return Flow::Stop;
}

// Of what the interpreter itself cannot do, with the place.
Machine::Flow Machine::cut_here(const std::string& what) {
  const graph::Place place = place_of(program_->source, address_of({routine_, block_, part_}));
  if (place.line == 0) return cut(what);
  return cut(what + " at " + program_->source.files[place.file] + ":" + std::to_string(place.line));
}

}  // namespace heddle
