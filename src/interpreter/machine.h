// Takes steps of a compiled program on states that lie anywhere.
//
// StateSpace and Executor are both made of this. What an executor must know in addition (what was
// changed, what an atomic section did) is told to a StepObserver; a search that stores states has
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/compiled.h"
#include "interpreter/state_space.h"
#include "interpreter/sync_cells.h"
#include "interpreter/thread_slots.h"
#include "model/action.h"
#include "model/run_options.h"

namespace heddle {

struct MachineOptions {
  Blocking blocking = Blocking::Wait;
  bool done_once_is_step = true;  // arriving at a once that is done (sound for reductions)
};

// Hears of what a step does.
class StepObserver {
 public:
  virtual void changed() = 0;  // memory has another value than before
  virtual void locked(uint32_t thread, Address lock) = 0;
  virtual void unlocked(uint32_t thread, Address lock) = 0;
  virtual void created(uint32_t thread) = 0;
  virtual void in_section(const Action& action) = 0;  // taken, or tried, as part of the step
  virtual void overwritten(uint32_t first_cell, uint32_t cells) = 0;  // freed, initialised

 protected:
  ~StepObserver() = default;
};

// Where inputs of the program come from, if they are given and not tried one by one.
class InputSource {
 public:
  virtual uint64_t next(uint32_t bits, Address pc) = 0;  // pc: of the statement that takes it

 protected:
  ~InputSource() = default;
};

class Machine {
 public:
  Machine(std::shared_ptr<const CompiledProgram> program, std::shared_ptr<ThreadSlots> slots,
          MachineOptions options = {});

  const CompiledProgram& program() const { return *program_; }
  const std::shared_ptr<const CompiledProgram>& shared_program() const { return program_; }
  const std::shared_ptr<ThreadSlots>& shared_slots() const { return slots_; }
  const MachineOptions& options() const { return options_; }
  void set_observer(StepObserver* observer) { observer_ = observer; }
  // Inputs of any width are then taken from it, and are no steps.
  void set_inputs(InputSource* inputs) { inputs_ = inputs; }

  Outcome start(uint8_t* state);
  // The thread is able to, in more than `choice` ways.
  Outcome step(uint8_t* state, uint32_t thread, uint32_t choice);
  const Failure& failure() const { return failure_; }
  const std::string& bound() const { return bound_; }

  // In how many ways the thread can take its next action; 0: it is blocked, or not live.
  uint32_t choices(const uint8_t* state, uint32_t thread);
  // The one that nobody else may go on before, in the middle of an atomic section; -1: none.
  int32_t exclusive(const uint8_t* state) const {
    return program_->has.sections ? static_cast<int32_t>(state[program_->exclusive]) - 1 : -1;
  }
  bool is_live(const uint8_t* state, uint32_t thread) const {
    const Phase phase = location(state, thread).phase;
    return phase >= Phase::Exiting;
  }
  void stop(uint8_t* state, uint32_t thread);  // it goes no further, and keeps what it holds

  // As an executor shows it.
  Action next_action(const uint8_t* state, uint32_t thread);
  // Who has to move before the thread can; -1: nobody in particular.
  int32_t waits_for(const uint8_t* state, uint32_t thread);

  const Location& location(const uint8_t* state, uint32_t thread) const {
    return program_->locations[location_number(state, thread)];
  }
  uint32_t location_number(const uint8_t* state, uint32_t thread) const {
    const uint8_t* at = state + program_->slot_offset[thread];
    return program_->location_bytes == 1
               ? *at
               : static_cast<uint32_t>(load_bytes(at, program_->location_bytes));
  }
  uint32_t sections(const uint8_t* state, uint32_t thread) const {
    return program_->has.sections ? state[program_->slot_offset[thread] + program_->sections] : 0;
  }
  uint32_t semaphore_value(const uint8_t* state, Address semaphore) const;
  uint32_t cell_of(Address address) const;      // kNoCell: none
  std::string name_of(uint64_t pointer) const;  // "queue.head"

 private:
  enum class Flow : uint8_t { GoOn, Stop };  // of the running step

  // The running thread, on state_.
  Outcome outcome_ = Outcome::Running;
  uint8_t* state_ = nullptr;
  uint32_t self_ = 0;
  uint32_t routine_ = 0;
  uint64_t* values_ = nullptr;
  const CompiledRoutine* code_ = nullptr;
  uint32_t block_ = 0;
  uint32_t part_ = 0;
  bool section_step_ = false;
  uint32_t section_actions_ = 0;

  void load(const uint8_t* state, uint32_t thread, std::vector<uint64_t>& values) const;
  void enter(uint32_t routine);
  void park(uint32_t location);
  void run_from(uint32_t code);
  void run_block(uint32_t block);
  Flow arrive();
  Flow check_arrival(const CompiledAction& action);
  bool is_step(const CompiledAction& action);
  bool stays_in_section(const CompiledBlock& block);
  void note_in_section(uint32_t location);
  bool concurrent() const;
  Flow run_code(uint32_t code);
  void compute(const CompiledRoutine& routine, uint64_t* values, uint32_t code) const;
  Flow fail_assertion();
  Flow reach_end(uint64_t result);
  void end_process(uint32_t code);
  Flow exit_with(uint64_t status);

  // The operands of the action are computed in `values`.
  uint32_t ways(const uint8_t* state, uint32_t thread, const CompiledAction& action,
                const uint64_t* values) const;

  Flow perform(const CompiledAction& action, uint32_t choice);
  Flow perform_memory(const CompiledAction& action);
  Flow perform_mutex(const CompiledAction& action);
  Flow perform_condition(const CompiledAction& action, uint32_t choice);
  Flow perform_rwlock(const CompiledAction& action);
  Flow perform_semaphore(const CompiledAction& action);
  Flow perform_barrier(const CompiledAction& action);
  Flow perform_once(const CompiledAction& action);
  Flow perform_thread(const CompiledAction& action, uint32_t choice);
  Flow perform_free(const CompiledAction& action);
  Flow relock(const CompiledAction& action);
  Flow wait_on(const CompiledAction& action, const CompiledCell& condition);
  Flow block_inside();
  Flow check_join(uint64_t handle);
  Flow allocate(const Instruction& instruction);
  Flow release(uint64_t pointer);
  Flow end_thread(uint64_t result);

  // kNoCell: it failed.
  uint32_t resolve(uint64_t pointer, uint32_t bits, const char* does, bool writes);
  uint32_t resolve_sync(uint64_t pointer, uint32_t known, const char* does, graph::CellKind first,
                        graph::CellKind last);
  bool object_is_there(uint64_t pointer, const char* does);
  bool mutex_exists(const CompiledCell& cell, const char* does);
  bool condition_exists(const CompiledCell& cell, const char* does);
  void take_mutex(const CompiledCell& cell, uint64_t pointer);
  Flow misuse_mutex(const CompiledCell& cell, const char* does, const std::string& what);
  bool can_write(const uint8_t* lock) const;
  std::string rw_holder_text(const uint8_t* lock) const;
  int32_t waiter_at(uint64_t pointer);
  void wake(uint32_t thread);
  void wake_blocked(uint64_t pointer);
  int32_t thread_behind(const uint8_t* state, uint64_t handle) const;
  bool is_detached(uint32_t thread) const;
  void end_life(uint32_t object);
  static void show_waiting(const CompiledAction& action, Phase phase, Action& next);
  void set_result(const CompiledAction& action, uint64_t value) {
    if (action.into != kNoPlace) values_[action.into] = value & graph::mask_of(action.into_bits);
  }

  Flow fail(FindingKind kind, std::string message);
  Flow cut(std::string bound);
  Flow cut_here(const std::string& what);
  std::string self() const { return label(self_); }
  static std::string label(uint32_t thread) { return "thread " + std::to_string(thread); }
  std::string holder_text(uint32_t holder) const;

  uint64_t mask(const uint8_t* at) const { return load_bytes(at, program_->mask_bytes); }
  void set_mask(uint8_t* at, uint64_t value) const { store_bytes(at, program_->mask_bytes, value); }
  graph::CellKind mutex_kind(const uint8_t* state, const CompiledCell& cell) const;
  uint8_t* slot(uint32_t thread) const { return state_ + program_->slot_offset[thread]; }
  void set_location(uint8_t* state, uint32_t thread, uint32_t location) const {
    store_bytes(state + program_->slot_offset[thread], program_->location_bytes, location);
  }
  const CompiledAction& action_at(const Location& location) const {
    return program_->routines[location.routine].blocks[location.block].action;
  }
  // The values of a thread that is not running.
  const uint64_t* probe(const uint8_t* state, uint32_t thread);
  Action action_of(const uint8_t* state, uint32_t thread, uint32_t location,
                   const uint64_t* values);

  std::shared_ptr<const CompiledProgram> program_;
  std::shared_ptr<ThreadSlots> slots_;
  MachineOptions options_;
  StepObserver* observer_ = nullptr;
  InputSource* inputs_ = nullptr;
  std::vector<std::vector<uint64_t>> values_of_;  // by routine, of the running thread
  std::vector<std::vector<uint64_t>> probes_;     // by routine, of others
  Failure failure_;
  std::string bound_;
};

}  // namespace heddle
