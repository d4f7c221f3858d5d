// The steps of one thread as gates: from each place where it can stop, along all ways, to the next.
//
// Each block is encoded once. What enters it is merged from all jumps that lead forward to it, and
// from the thread's own latches where it stands there. Blocks whose action may be a step, and
// blocks that are jumped back to, are where a way ends: the thread stops. Where the interpreter
// would go on in the same step (a loop without a step in it; main, while it is alone; the next
// action of an atomic section) the thread stops all the same and is marked as running: nobody else
// is scheduled before it has stopped for good. So one step of the interpreter is one or more of the
// circuit, and what others can see is the same.
//
// What the actions do follows interpreter/machine_*.cc line by line. What these refuse to go on
// with (Outcome::Cut) is the property "beyond" here, as is everything that does not fit the
// narrower fields of the circuit.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "circuit/fields.h"
#include "circuit/path.h"
#include "circuit/thread_plan.h"
#include "graph/points_to.h"
#include "interpreter/state_space.h"
#include "model/finding.h"

namespace heddle::circuit {

// An input of the program: which statement takes it, and the circuit's inputs.
struct InputStatement {
  uint32_t routine = 0, block = 0, statement = 0;
  Word word;
};
// That a thread takes an input of the program in this step.
struct InputTaken {
  uint32_t slot = 0, statement = 0;  // into the inputs
  Literal guard;
};

// What all threads contribute to.
struct Encoding {
  Encoding(const ThreadPlan& threads, const uint8_t* initial)
      : plan(threads),
        fields(make_fields(system.aig, threads, initial)),
        points_to(threads.program->source) {}

  const ThreadPlan& plan;
  System system;
  Fields fields;
  graph::PointsTo points_to;
  std::vector<Literal> execute;  // by slot
  Word choice;                   // which alternative is taken
  std::vector<InputStatement> inputs;
  std::vector<InputTaken> inputs_taken;  // in the order in which one step may take them

  std::vector<Path> ends;  // of all steps: fields only
  std::map<FindingKind, std::vector<Literal>> failures;
  std::vector<Literal> beyond, dismissed, ended;
  std::vector<Literal> allowed;                // constraints on choices
  std::vector<std::vector<Literal>> ends_run;  // by slot: its step, if taken, ends the execution
};

// A cell that an address may lead to, and when it does.
struct Target {
  uint32_t cell = 0;
  Literal match;
};

// In how many ways an action can be taken.
struct Ways {
  Literal possible = kTrue;
  Literal only_one = kTrue;
};

class StepEncoder {
 public:
  StepEncoder(Encoding& encoding, uint32_t slot);

  void encode();

  // The thread stands there.
  Literal at(uint32_t code) const { return at_[code]; }
  const SlotPlan& plan() const { return e_.plan.of_slot[slot_]; }
  // As seen between steps: it is able to go on, whoever else must not wait for it.
  Literal able();
  Literal live() const;
  // By cell: accesses that it is about to make, as the judge of races sees them.
  struct Access {
    Literal any = kFalse, writes = kFalse, plain = kFalse;
  };
  std::vector<Access> about_to_access();
  // What its next action touches, as resources of the interpreter (not what follows it).
  struct NextTouch {
    uint32_t resource = 0;
    bool writes = false;
    Literal when;
  };
  struct NextTouches {
    std::vector<NextTouch> touches;
    std::vector<NextTouch> waits;  // those of them that are locks which it waits for
    Literal unknown = kFalse;      // it leads to nothing
  };
  NextTouches next_touches(const StateSpace& space);

 private:
  using Action = graph::Action;

  // encode_blocks.cc: control.
  void encode_routine(uint32_t routine);
  void encode_block(uint32_t block);
  void encode_ends_of_process(uint32_t block);
  Path standing(uint32_t code) const;
  Path starting(uint32_t routine) const;
  void arrive(uint32_t block, const std::vector<Path>& paths);
  void run_statements(Path& path, uint32_t block);
  void run_statement(Path& path, uint32_t block, uint32_t number);
  void run_jump(Path& path, uint32_t block);
  void go_to(Path path, uint32_t from, graph::BlockId to);
  void reach_end(Path& path, const Word& result);
  void end_thread(Path& path, const Word& result);
  void exit_process(Path& path, const Word& status);
  Literal is_step(Path& path, uint32_t block);
  Literal concurrent(const Path& path);
  Literal in_section(const Path& path);
  Word take_input(Path& path, uint32_t block, uint32_t number);

  // Of the running way: what ends it, where the condition holds.
  void stop(Path& path, Literal when, uint32_t code, Literal running, Literal able);
  void fail(Path& path, FindingKind kind, Literal when);
  void beyond(Path& path, Literal when);
  static Literal leave(Aig& aig, Path& path, Literal when);
  void end_run(std::vector<Literal>& list, Literal left);
  void touch_cells(Literal at, const Path& path, graph::ExprId address, bool writes, bool locks,
                   const StateSpace& space, NextTouches& into);

  // Values.
  Word value(const Path& path, graph::ExprId expr);
  Word value_or_zero(const Path& path, graph::ExprId expr, uint32_t bits);
  void assign(Path& path, graph::RegisterId into, const Word& value);
  const Word& get(const Path& path, FieldId id) const { return path.get(e_.fields, id); }
  void set_if(Path& path, Literal condition, FieldId id, const Word& value) {
    path.set_if(aig_, e_.fields, condition, id, value);
  }
  void set_if(Path& path, Literal condition, FieldId id, uint64_t value) {
    set_if(path, condition, id, constant_word(value, e_.fields.bits(id)));
  }
  void set_bit_if(Path& path, Literal condition, FieldId id, uint32_t bit, Literal value);
  Literal stands(const Path& path, uint32_t slot, uint32_t code);

  // encode_enabled.cc: whether an action can be taken by the thread, with these values.
  Ways ways(const Path& path, uint32_t block);
  Ways join_ways(const Path& path, const Action& action);
  Ways ways_at(const Path& path, const Action& action, const Target& target);
  Literal can_relock(const Path& path, uint32_t block);
  void check_arrival(Path& path, uint32_t block);
  void check_join(Path& path, const Action& action);
  Literal somebody_waits_at(const Path& path, const Word& pointer);
  void allow_choices(uint32_t block);

  // encode_memory.cc: pointers, accesses, objects that come and go.
  struct Wanted {
    graph::CellKind first = graph::CellKind::Integer, last = graph::CellKind::Integer;
    uint32_t bits = 0;  // of an integer
    bool writes = false;
  };
  std::vector<Target> resolve(Path& path, graph::ExprId address, const Wanted& wanted);
  std::vector<Target> cells_at(const Path& path, graph::ExprId address);
  Literal leads_to(const Word& address, uint32_t cell);
  Word read(const Path& path, uint32_t cell);
  void perform_memory(Path& path, const Action& action);
  void perform_free(Path& path, const Action& action);
  void allocate(Path& path, const graph::Statement& statement);
  void release(Path& path, graph::ExprId pointer);
  void end_life(Path& path, Literal when, uint32_t object);
  void begin_life(Path& path, Literal when, uint32_t object);
  template <typename Function>
  void for_fields_of_cell(uint32_t cell, Function function);

  // encode_locks.cc
  void perform_mutex(Path& path, const Action& action);
  void mutex_exists(Path& path, const Target& target);
  void perform_rwlock(Path& path, const Action& action);
  Literal can_write(const Path& path, uint32_t cell);
  Literal is_kind(const Path& path, uint32_t cell, graph::CellKind kind);
  Literal mine(const Path& path, uint32_t cell) {
    return get(path, e_.fields.cells[cell].holder)[slot_];
  }
  void take_mutex(Path& path, Literal when, uint32_t cell);
  FindingKind misuse_of(uint32_t cell) const;

  // encode_waiting.cc: conditions, semaphores, barriers, once.
  void perform_condition(Path& path, const Action& action, uint32_t block);
  void wait_on(Path& path, const Action& action, uint32_t block,
               const std::vector<Target>& conditions);
  void relock(Path& path, const Action& action);
  void wake(Path& path, Literal when, uint32_t slot);
  void perform_semaphore(Path& path, const Action& action);
  void perform_barrier(Path& path, const Action& action, uint32_t block);
  void perform_once(Path& path, const Action& action);

  // encode_threads.cc
  void perform(Path& path, uint32_t block);
  void create(Path& path, const Action& action);
  void join(Path& path, const Action& action);
  void detach(Path& path, const Action& action);
  void clear_slot(Path& path, Literal when, uint32_t slot);

  const graph::Routine& routine() const { return e_.plan.program->source.routines[routine_]; }
  const CompiledProgram& program() const { return *e_.plan.program; }

  Encoding& e_;
  Aig& aig_;
  uint32_t slot_;
  uint32_t routine_ = 0;
  std::vector<Literal> at_;                  // by code
  std::vector<std::vector<Path>> entering_;  // by block of the routine: from before
  std::vector<std::vector<Path>> arriving_;  // by block: at those where it stops
};

}  // namespace heddle::circuit
