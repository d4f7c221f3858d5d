// What the dynamic partial-order reductions have in common: a depth-first search over the tree of
// schedules in which the branches to try at a configuration are found out while going.
//
// Along the path each configuration has a node: the threads it showed, a sleep set, and a wakeup
// tree of what is still to be tried from there. An execution follows the path to the deepest node
// that has something left, goes on as the wakeup tree says, and from there on freely: any step that
// is not asleep. When it has ended, its races are gone through, and for each the strategy sees to
// it that the node before the first step of the race has a branch that reverses it. That, and how
// much of the reversing sequence goes into the tree, is all in which the strategies differ.
//
// Alternatives of one action (which waiter a signal wakes) are not in a race with each other: they
// are all tried where the action is first taken freely. In a reversing sequence, steps that did not
// happen after the reversed one find the same situation again and keep their alternative; the
// others are tried where these were first taken. Only the last step, the second of the race, may
// find another situation, and then there is a sequence for each of its alternatives.
//
// What a step is dependent with may depend on what happened before (a compare-and-swap that fails
// only looks): of steps that were taken it is known, of a pending one too, as things are. Only
// steps that are dependent with it in any case can change that, so a sleeping step stays what it
// was. In a reversing sequence the second step may have become another: see form_without_first.
// Arrivals at a barrier are told apart in this way, too: only the one that is the last is dependent
// with the others. But these decide it without being dependent among themselves. So an arrival
// sleeps no longer when it has become the last; and one that is not part of a sequence may be taken
// before it only if it would not be the last after it, either.
//
// Exit takes away what the other threads would have done. It is dependent with every step, also
// with those about to be taken instead of it.
//
// Failures. A step that fails is a step like others: its thread takes no more, and the others go on
// (Executor::continue_without_failed_thread), so that their races are seen. Where that is
// impossible because the process died, what the others would have done stays unknown, and the
// search is not complete.
//
// Atomic sections are steps of which it is known only afterwards what they touch. Where one is
// taken again after other steps, it does the same as long as these are independent of what it did;
// as the second step of a race it may do anything, and is taken to be dependent with everything
// (reversal.h).
//
// Blocked threads. A thread that waits for a lock when the execution ends, or is abandoned, is in a
// race with the acquire that keeps it waiting, although its own step was never taken. So is one
// that gave up waiting because nothing else was possible.
//
// Threads that wait in loops go no further after a round for nothing (explore/spin_monitor.h): the
// classes are those of the program in which such a round is the thread's end.
//
// A search with a bound on preemptions has to know that giving way there is none, as it is none for
// searches that let such threads wait. So once a thread has made such a round at one go, the node
// where the round began remembers that the thread gives way there.
//
// Divided. What is left of the search can be given away branch by branch: dpor_division.cc.
//
// Guarantee. One execution at least of every class of executions that differ only in the order of
// independent steps; of those that fail, one for everything that happened before the failure and
// might have led to it. Hence all final states, deadlocks and failures. Memory depends on the
// length of executions and on what is to be tried along one path, not on the number of executions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/divisible.h"
#include "explore/executor.h"
#include "explore/strategy.h"
#include "strategies/action_table.h"
#include "strategies/gaps.h"
#include "strategies/happens_before.h"
#include "strategies/item_bytes.h"
#include "strategies/plain_stack.h"
#include "strategies/reversal.h"
#include "strategies/sleep_set.h"
#include "strategies/strategy_table.h"
#include "strategies/wakeup_tree.h"

namespace heddle {

enum class Sleep : uint8_t {
  Inherited,  // a branch that is done sleeps below the later ones
  Here,       // it is only not taken twice from the same configuration
};

class DporSearch : public StrategyBase, private Divisible {
 public:
  DporSearch(StrategyId id, Tail tail, Sleep sleep = Sleep::Inherited)
      : StrategyBase(strategy_info(id).traits()),
        tail_(tail),
        sleep_policy_(sleep),
        order_(actions_),
        reversal_(actions_, order_) {}

  bool begin_execution() override;
  std::span<const Transition> prefix() const override { return path_; }
  uint32_t prefix_preemptions() const override { return preemptions_; }
  void attach(const Executor& executor) override { executor_ = &executor; }
  Transition choose(const Configuration& configuration) override;
  Spinning spinning() const override { return Spinning::Prune; }
  void start_over() override;
  void step_failed() override;
  bool isolate_failure(Schedule& schedule) const override;
  void stuck(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  bool complete() const override { return exhausted_ && !gaps_.any(); }
  std::string guarantee() const override;

  Share share() const override;
  // Where a branch that is done does not sleep below later ones, parts know of each other.
  Divisible* divisible() override { return sleep_policy_ == Sleep::Inherited ? this : nullptr; }

  size_t wakeup_cells() const { return tree_.allocated(); }

 protected:
  // A thread at a node, and in how many ways it can go on.
  struct View {
    ThreadId thread;
    uint32_t choices;
    ActionId action;
    uint32_t before;  // the state that it would find its object in
    bool spins;
    Op op;  // of the action
  };
  struct Node {
    uint32_t views = 0;                           // the first of its part of views_
    WakeupTree::Cell wakeup = WakeupTree::kNone;  // what is to be tried after the branch under way
    WakeupTree::Cell below = WakeupTree::kNone;   // what is to be tried below that branch
    uint32_t preemptions = 0;                     // of the path up to here
    uint32_t excused = 0;                         // of these, where the thread gave way
    ThreadId incumbent = kNoThread;
    uint32_t done = 0;         // branches
    bool yields_here = false;  // the incumbent would only make a round for nothing
    bool failed = false;       // the branch under way fails with its first step
  };

  // How a race was dealt with: by a branch that begins with a step of its sequence, or with one
  // that concerns none of them.
  struct Answer {
    Position position = kNowhere;   // of the step of the sequence
    ActionId outsider = kNoAction;  // the other
  };
  // Sees to it that the node has a branch for the sequence.
  virtual Answer provide(size_t node, Reversal& sequence) = 0;

  std::span<const View> views(size_t node) const {
    const size_t end = node + 1 < nodes_.size() ? nodes_[node + 1].views : views_.size();
    return {views_.begin() + nodes_[node].views, end - nodes_[node].views};
  }
  const View* find_view(size_t node, ThreadId thread) const {
    for (const View& view : views(node))
      if (view.thread == thread) return &view;
    return nullptr;
  }
  // How many are missing at the barrier and how many make a round (model/waiting.h), where that is
  // known.
  uint32_t state_of_barrier(size_t node, Address barrier) const;
  // Whether a sequence may hold a step that does less than it was taken to do: an atomic section,
  // or a compare-and-swap. It may then be explored although it is covered by another, whose first
  // step sleeps there; so it stands for no other sequence.
  bool has_guesses() const { return has_guesses_ || actions_.has_sections(); }
  Transition transition_at(size_t node) const { return path_[node]; }  // the branch under way
  bool exhausted() const { return exhausted_; }
  const Gaps& gaps() const { return gaps_; }

  ActionTable actions_;
  std::vector<Node> nodes_;
  SleepSets sleep_;
  WakeupTree tree_;

 private:
  View see(const ThreadView& view) {
    return {view.id,
            view.choices,
            actions_.number_of(view.next),
            view.next.before,
            view.spin != Spin::None,
            view.next.op};
  }
  void see_all(const Configuration& configuration);
  void note_round(const Configuration& configuration);
  void open_node(const Configuration& configuration);
  bool same_up_to_form(ActionId a, ActionId b) const;
  bool follow_tree();
  bool go_freely(const Configuration& configuration);
  void take(const WakeupStep& step, const View& view);
  void wake_changed_arrivals();
  void learn_last_step();
  bool backtrack();
  void reverse_races();
  bool still_answered(const Race& race) const;
  void reverse(Race& race);
  ActionId form_without_first(const Race& race);
  Action end_without_first(const Race& race) const;
  Action swap_without_first(const Race& race);
  uint32_t ways_without_first(const Race& race) const;
  void reverse_exit(size_t last);
  void reverse_blocked(std::span<const View> threads);
  Answer see_to(size_t node, Reversal& sequence) {
    return node < shared_ ? call_for(node, sequence) : provide(node, sequence);
  }

  // dpor_division.cc
  bool may_divide() const override { return !has_guesses(); }
  Division divide(size_t pieces) override;
  bool take_up(std::span<const WorkItem> items) override;
  void conclude(int32_t bound, uint32_t left_out, bool all) override;
  bool next_item();
  bool load(BytesIn& in);
  bool follow_stem();
  void add_alternatives(const View& view, uint32_t taken);
  Answer call_for(size_t node, const Reversal& sequence);
  bool is_transition(const WakeupStep& step, Transition transition) const {
    return Transition{actions_[step.action].action.thread, step.choice} == transition;
  }
  bool is_called_for(size_t node, const Reversal& sequence);
  WakeupStep as_seen(size_t node, const WakeupStep& step) const;
  void write_tree(BytesOut& out, WakeupTree::Cell first) const;
  bool read_tree(BytesIn& in, WakeupTree::Cell& first, uint32_t depth);
  WakeupStep read_step(BytesIn& in);
  void write_step(BytesOut& out, const WakeupStep& step) const;
  void give_away(size_t node, std::span<const WakeupStep> asleep, const WakeupStep& branch,
                 WakeupTree::Cell below, Division& division) const;
  void give_away_nodes(Division& division);
  void note_calls();

  const Executor* executor_ = nullptr;
  const Tail tail_;
  const Sleep sleep_policy_;
  HappensBefore order_;
  Reversal reversal_;
  Schedule path_;
  PlainStack<View> views_;
  std::vector<View> stuck_;  // threads of a configuration without enabled ones
  uint32_t preemptions_ = 0;
  uint32_t excused_ = 0;
  size_t unchanged_steps_ = 0;  // that the execution under way shares with the one before
  uint64_t executions_ = 0;
  bool started_ = false;
  bool exhausted_ = false;
  bool has_guesses_ = false;
  Gaps gaps_;

  // Of a search that has taken up items: the stem of the one under way, and what its first node
  // below is to begin with. The nodes of the stem, and the one at its end, are kept by others.
  Schedule stem_;
  size_t shared_ = 0;                           // nodes: 0, or those of stem_ and one
  std::vector<std::vector<WakeupStep>> known_;  // by shared node: what is tried there
  // By shared node: the initials of the sequences that others are to try.
  std::vector<std::vector<std::vector<uint64_t>>> called_;
  std::vector<WakeupStep> asleep_;              // at the last shared node
  WakeupTree::Cell first_ = WakeupTree::kNone;  // the branch to be tried there
  std::vector<std::string> items_;              // the last is next
  std::string item_;                            // under way
  BytesOut calls_, nodes_given_, notes_;
  uint64_t call_count_ = 0, nodes_given_count_ = 0;
  uint64_t apart_ = 0;
};

}  // namespace heddle
