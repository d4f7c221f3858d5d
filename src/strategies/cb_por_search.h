// What the two algorithms of context-bounded partial-order reduction share: a depth-first search
// through happens-before states in which a step is taken only if its context bound is within the
// bound and the state it leads to is not closed. cb_por_1.cc and cb_por_2.cc say what closes a
// state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explore/strategy.h"
#include "states/context_bound.h"
#include "states/partial_order.h"
#include "states/state_set.h"
#include "strategies/gaps.h"
#include "strategies/strategy_table.h"

namespace heddle {

class CbPorSearch : public StrategyBase {
 public:
  // -1: bound after bound, until a bound leaves nothing out.
  CbPorSearch(StrategyId id, int32_t bound)
      : StrategyBase(strategy_info(id).traits()),
        bound_(bound < 0 ? 0 : bound),
        iterates_(bound < 0) {}

  bool begin_execution() final;
  std::span<const Transition> prefix() const final { return path_; }
  uint32_t prefix_preemptions() const final { return preemptions_; }
  Transition choose(const Configuration& configuration) final;
  Spinning spinning() const final { return Spinning::Prune; }
  void attach(const Executor& executor) final { executor_ = &executor; }
  void stuck(const Configuration& configuration) final;
  void end_execution(const ExecutionSummary& summary) final;
  bool complete() const final { return exhausted_ && !gaps_.any(); }
  std::string guarantee() const final;
  int bound() const final { return bound_; }

 protected:
  // The search enters a state from which there are steps to take.
  virtual void entered() {}
  // The execution has ended in the state at the end of the execution.
  virtual void reached_end(Ending ending) = 0;

  bool within_bound(Cut& cut, uint64_t hash, ThreadId thread) {
    return bounds_.within(order_, cut, hash, thread, static_cast<uint32_t>(bound_));
  }

  PartialOrder order_;
  StateSet closed_;  // H in the paper

 private:
  struct Candidate {
    Transition transition;
    Action action;
    uint32_t choices;
    uint64_t state;  // that it leads to
  };
  struct Frame {  // a state on the path
    Configuration configuration;
    std::vector<Candidate> candidates;
    size_t next = 0;
    uint32_t preemptions = 0;  // before it
    ThreadId incumbent = kNoThread;
  };

  void see(Configuration& configuration);  // and tells it the values of semaphores
  Frame& push_frame();
  bool advance(Frame& frame);
  bool backtrack();
  bool next_bound();

  int32_t bound_;
  const bool iterates_;
  const Executor* executor_ = nullptr;
  ContextBounds bounds_;
  Schedule path_;
  std::vector<Frame> frames_;  // the first depth_ of them are in use
  size_t depth_ = 0;
  size_t known_steps_ = 0;
  uint32_t preemptions_ = 0;
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_some_ = false;  // by this bound
  bool some_spin_ = false;      // threads, somewhere
  Gaps gaps_;
};

}  // namespace heddle
