// What the searches by a rising bound have in common: every execution that costs c is run before
// any that costs more, where each transition has a cost at the configuration in which it is taken.
//
// Work items are schedule prefixes. An item is searched depth first for the executions that extend
// it at no further cost; what would cost something is put off until its bound has its turn. Each
// configuration on a path is new to exactly one execution, the one for which choose() is called
// there, and that one sees to all that branches off there: so no execution is run twice, and none
// is forgotten. A strategy says in choose() what each transition costs, and nothing else.
//
// What one execution puts off is queued together when it ends (work_queue.h). The queues grow with
// the number of executions of a bound; every piece is released when it is taken up.
//
// Such a search can be divided: what the path still has to go to and what is queued are items of
// the same kind, and none of them knows of another.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "explore/divisible.h"
#include "explore/strategy.h"
#include "strategies/gaps.h"
#include "strategies/search_path.h"
#include "strategies/strategy_table.h"
#include "strategies/work_queue.h"

namespace heddle {

class BoundedSearch : public StrategyBase, private Divisible {
 public:
  // What is counted.
  struct Cost {
    std::string_view one, several;  // "preemption", "preemptions"
  };
  BoundedSearch(StrategyId id, int32_t largest_bound, Cost cost)
      : StrategyBase(strategy_info(id).traits()), largest_bound_(largest_bound), cost_(cost) {}

  bool begin_execution() override;
  std::span<const Transition> prefix() const override { return path_.transitions(); }
  uint32_t prefix_preemptions() const override { return path_.preemptions(); }
  void end_execution(const ExecutionSummary& summary) override;
  bool complete() const override { return exhausted_ && !gaps_.any(); }
  std::string guarantee() const override;
  int bound() const override { return bound_; }
  Share share() const override {
    return {(static_cast<double>(items_done_) + path_.part()) / static_cast<double>(items_),
            executions_};
  }
  Divisible* divisible() override { return this; }

 protected:
  const Gaps& gaps() const { return gaps_; }
  bool exhausted() const { return exhausted_; }
  Share share_of_path() const { return {path_.part(), executions_}; }

  bool at_start() const { return path_.transitions().empty(); }
  // From the configuration under consideration, in the order in which they are to be tried.
  void try_now(Transition transition) { path_.offer(transition); }
  void put_off(Transition transition, uint32_t cost, bool preempts) {
    if (largest_bound_ >= 0 && bound_ + static_cast<int32_t>(cost) > largest_bound_)
      left_out_some_ = true;
    else
      put_off_.push_back({cost,
                          path_.preemptions() + (preempts ? 1 : 0),
                          {static_cast<uint32_t>(path_.transitions().size()), transition}});
  }
  // The first of those to be tried now.
  Transition go_on(ThreadId incumbent) { return path_.extend(incumbent); }

 private:
  struct PutOff {
    uint32_t cost, preemptions;
    Branch branch;
    bool together(const PutOff& o) const { return cost == o.cost && preemptions == o.preemptions; }
  };
  // The work of one bound.
  struct Level {
    WorkQueue work;
    uint64_t items = 0;
  };

  void queue_what_was_put_off();
  bool next_work();

  // bounded_division.cc
  bool may_divide() const override { return true; }
  Division divide(size_t pieces) override;
  bool take_up(std::span<const WorkItem> items) override;
  void conclude(int32_t bound, uint32_t left_out, bool all) override;
  class Pieces;
  void give_away_path(Pieces& pieces) const;

  const int32_t largest_bound_;  // -1: none
  const Cost cost_;
  int32_t bound_ = 0;            // cost of the executions under way
  SearchPath path_;              // the search inside the current work item
  std::vector<PutOff> put_off_;  // by the execution under way
  std::vector<Branch> branches_;
  Level level_;                 // the rest of this bound
  std::deque<Level> later_;     // the first is that of the next bound
  WorkBundle bundle_;           // taken from level_
  size_t taken_of_bundle_ = 0;  // how many of its branches have been searched
  size_t known_steps_ = 0;      // of the execution under way: length of its prefix
  uint64_t items_ = 1, items_done_ = 0, executions_ = 0;  // of this bound
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_some_ = false;  // there are executions beyond largest_bound_
  bool this_bound_only_ = false;
  Gaps gaps_;
};

}  // namespace heddle
