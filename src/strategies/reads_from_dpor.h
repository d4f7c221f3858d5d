// The search up to reads from; reads_from_dpor.cc says how.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "explore/strategy.h"
#include "strategies/gaps.h"
#include "strategies/linearise.h"
#include "strategies/sourced_execution.h"
#include "strategies/strategy_table.h"

namespace heddle {

class ReadsFromDpor final : public StrategyBase {
 public:
  ReadsFromDpor() : StrategyBase(strategy_info(StrategyId::optimal_dpor).traits()) {}

  bool begin_execution() override {
    stuck_.clear();
    if (!started_) return started_ = true;
    exhausted_ = exhausted_ || beyond() || !backtrack();
    return !exhausted_;
  }
  std::span<const Transition> prefix() const override { return prefix_; }
  uint32_t prefix_preemptions() const override { return prefix_preemptions_; }
  Spinning spinning() const override { return Spinning::Prune; }
  void start_over() override;
  void step_failed() override { execution_.fail_last(); }
  bool isolate_failure(Schedule& schedule) const override;
  Transition choose(const Configuration& configuration) override;
  void stuck(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  bool complete() const override { return exhausted_ && !gaps_.any() && !beyond(); }
  std::string guarantee() const override;
  Share share() const override;

  // Something that this search does not know was met, and what.
  bool beyond() const { return !beyond_.empty(); }
  const std::string& what_beyond() const { return beyond_; }

 private:
  using Key = std::vector<uint32_t>;
  struct Planned {
    ActionId action{};
    Transition transition;
  };
  using Plan = std::vector<Planned>;
  enum class Kind : uint8_t { Look, Lock, Alternatives };
  struct Node {
    Kind kind = Kind::Look;
    ThreadId thread = kNoThread;
    ActionId action{};
    uint32_t thing = kNoThing;
    Cut fixed;                // without the thread's step
    bool held = false;        // the lock, after what is fixed
    bool own_first = true;    // the branch under way: the lock's first step is the thread's
    uint32_t done = 0;        // branches
    std::vector<Plan> plans;  // branches to come
    std::set<Key> known;      // those of before, too, and those that proved impossible
  };
  // A step as part of a branch: who, and where it gets its view from.
  struct Wanted {
    ThreadId thread = kNoThread;
    uint32_t number = 0;
    ActionId action{};
    uint32_t choice = 0;
    Place source = kBeginning;
  };

  bool knows(const Configuration& configuration);
  void open_node(const ThreadView& view, ActionId action);
  bool backtrack();
  void follow(const Plan& plan);
  void count_preemptions();
  bool could_go_on(Place last, CutView taken);
  void look_for_branches(Node& node);
  void look_for_sources(Node& node);
  void look_for_takers(Node& node);
  void consider_taker(Node& node, ThreadId thread, uint32_t number, ActionId action);
  void branch_after_write(Node& node, const Wanted& write);
  void branch_after_update(Node& node, const Wanted& update);
  void branch_from_fixed(Node& node, Place source);
  Key key_of(const Node& node, CutView cut, const Wanted& first, Place source) const;
  Plan plan_of(CutView cut) const;
  void branch_if_ordered(Node& node, CutView cut, const Wanted* update, Place source);
  uint32_t identity(Place place) const {
    return place == kBeginning
               ? kBeginning
               : index(execution_.thread(place)) << 20 | execution_.step(place).number;
  }
  Wanted step_at(Place place) const {
    const SourcedStep& step = execution_.step(place);
    return {step.transition.thread, step.number, step.action, step.transition.choice, step.source};
  }

  SourcedExecution execution_;
  Lineariser lineariser_;
  std::vector<Node> nodes_;
  Schedule prefix_;
  uint32_t prefix_preemptions_ = 0;
  struct Blocked {
    ThreadId thread;
    ActionId action;
  };
  std::vector<Blocked> stuck_;
  std::string beyond_;
  uint64_t executions_ = 0;
  bool started_ = false;
  bool exhausted_ = false;
  Gaps gaps_;
};

}  // namespace heddle
