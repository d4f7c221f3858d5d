// The events of one thread: its blocks, each taken once for each round of the loops around it, in
// an order in which all ways that can meet have been gone before the block where they meet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "events/event.h"
#include "events/loops.h"
#include "events/sharing.h"
#include "events/unroll_options.h"
#include "events/values.h"
#include "events/walk.h"

namespace heddle::events {

// What a thread begins with.
struct Beginning {
  uint32_t routine = 0;
  Word argument;
  uint32_t creation = kNoEvent;  // the event
};

// What the unrollers of all threads share.
struct Unrolling {
  EventProgram& out;
  const Sharing& sharing;
  UnrollOptions options;
  CellWords words;
  std::map<uint32_t, Beginning> begins;  // by slot
  std::vector<Word> results;             // by slot: what it returns; empty: nobody asks
};

class ThreadUnroller {
 public:
  ThreadUnroller(Unrolling& shared, uint32_t slot, uint32_t routine);

  // Throws Refusal.
  void run(const Beginning* beginning);

 private:
  using Key = std::vector<uint32_t>;
  struct Target {
    uint32_t cell = 0;
    Literal match;
  };

  // thread_unroller.cc: control.
  void take_block(uint32_t block, Walk walk);
  void run_statements(Walk& walk, const graph::Block& block);
  void run_jump(Walk walk, uint32_t block);
  void branch(Walk walk, uint32_t block, const graph::Jump& jump);
  void go_to(Walk walk, uint32_t from, graph::BlockId to);
  bool next_round(Walk& walk, uint32_t header);
  Key key_of(const Walk& walk, uint32_t block) const;
  void end(Walk walk, const Word& result);
  void end_all();
  void exit(Walk& walk, const graph::Jump& jump);
  void fail(Walk& walk, FindingKind kind, Literal when);
  void go_beyond(Walk& walk, Literal when, const std::string& what);

  // Values.
  Word value(const Walk& walk, graph::ExprId expr) const;
  Word value_or_zero(const Walk& walk, graph::ExprId expr, uint32_t bits) const;
  void assign(Walk& walk, graph::RegisterId into, const Word& value);

  // unroll_actions.cc: what actions do.
  void perform(Walk& walk, const graph::Action& action);
  void perform_memory(Walk& walk, const graph::Action& action);
  void lock(Walk& walk, const graph::Action& action);
  void take_lock(Walk& walk, uint32_t event, const std::vector<Target>& targets);
  void try_lock(Walk& walk, const graph::Action& action);
  void unlock(Walk& walk, const graph::Action& action);
  void remake_mutex(Walk& walk, const graph::Action& action);
  void perform_thread(Walk& walk, const graph::Action& action);
  void create(Walk& walk, const graph::Action& action);
  void join(Walk& walk, const graph::Action& action);
  void free_object(Walk& walk, const graph::Action& action);
  void allocate(Walk& walk, const graph::Statement& statement);
  void release(Walk& walk, const Word& pointer);

  // unroll_waiting.cc
  void perform_condition(Walk& walk, const graph::Action& action);
  void wait_on_condition(Walk& walk, const graph::Action& action);
  void perform_semaphore(Walk& walk, const graph::Action& action);
  void perform_barrier(Walk& walk, const graph::Action& action);
  void perform_rwlock(Walk& walk, const graph::Action& action);
  void rw_step(Walk& walk, const graph::Action& action, uint32_t event, const Target& target);

  // unroll_events.cc: events and their accesses.
  bool alone(const Walk& walk) const { return slot_ == 0 && walk.children == 0; }
  // The thread comes to it; it may go no further. kNoEvent where main is alone.
  uint32_t begin_event(Walk& walk, EventKind kind, const graph::Action& action);
  uint32_t begin_silent(Walk& walk);
  std::vector<Target> targets(const Walk& walk, const graph::Action& action, graph::ExprId address,
                              bool sync);
  // The walk goes on only where the address leads to one of them that is there.
  void require_target(Walk& walk, uint32_t event, const std::vector<Target>& targets,
                      const graph::Place& place);
  Word see(Walk& walk, uint32_t event, const Target& target);
  void put(Walk& walk, uint32_t event, const Target& target, const Word& word);
  // As is asked of the cell if the action is to be taken.
  void must_be_possible(Walk& walk, uint32_t event, graph::ActionKind action, EventKind kind,
                        const Target& target, const Word& seen);
  bool is_known_here(const Walk& walk, uint32_t cell) const;
  const Word& known(Walk& walk, uint32_t cell);
  Access& access(uint32_t event, const Target& target);
  Literal holds(const Walk& walk, uint32_t cell) const;
  void set_holds(Walk& walk, const Target& target, bool held);
  void note_standing(uint32_t event, const graph::Action& action,
                     const std::vector<Target>& targets);
  uint32_t event_for(Walk& walk, const graph::Action& action, const std::vector<Target>& targets);
  bool is_initialised(uint32_t cell);

  const graph::Routine& routine() const { return out_.plan.program->source.routines[routine_]; }

  Unrolling& shared_;
  EventProgram& out_;
  circuit::Aig& aig_;
  const uint32_t slot_;
  const uint32_t routine_;
  LoopNest loops_;
  WalkMerger merger_;
  std::map<Key, std::pair<uint32_t, std::vector<Walk>>> open_;  // blocks that are to be taken
  std::vector<std::pair<Walk, Word>> ends_;
  uint32_t blocks_taken_ = 0;
  Literal reached_ = circuit::kFalse;  // the last event
};

}  // namespace heddle::events
