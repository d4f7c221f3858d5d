// What the paper leaves open ("currently we are not handling conditionals, loops, and procedure
// calls"), and locks, which it does not have.
//
// Calls are inlined in a program graph. A thread with branches and loops is the set of its control
// paths, each place passed at most so often; a straight line has one. One path for each thread, in
// every combination, is what the paper starts from: lists of blocks, here steps. Which pairs of
// steps must be ordered is known from the text (graph/footprint.h): those that touch the same thing
// with a write among them; an operation on a lock, a condition, a semaphore is a write to it. A
// thread's start comes after the step that creates it, a join after the end of the thread that it
// joins, where the text says which that is.
//
// Most of these graphs have no execution: a branch goes the other way, a lock is not free. That is
// found out when the graph is run, and it is discarded. So that deadlocks are not among the
// discarded, a path may also end before an action that can block, for ever: such a graph counts if
// nobody can move at the end of its run.
//
// Completeness: an execution takes some path in each thread and orders the conflicting steps in
// some way; that combination and that order are among those run, and a run in any other order of
// the steps that do not conflict ends in the same state. If a step fails, the run ends there; which
// paths the other threads would have taken is then of no interest, and some combination has them as
// far as they got.
//
// Alternatives of a step (which waiter a signal wakes, what a choice gives) are tried one by one in
// the run. Main takes no steps where it is alone; a run passes these places of its path at once.
#include "orders/graph_orders.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "graph/footprint.h"
#include "orders/orientations.h"
#include "orders/thread_paths.h"

namespace heddle::orders {
namespace {

using graph::index;

struct Instance {
  const ThreadPath* path = nullptr;
  graph::RoutineId routine{0};
  uint32_t parent = 0;
  uint32_t nth = 0;         // child of it, from 1 on; 0: main
  uint32_t created_by = 0;  // step of the parent
};

struct Node {
  uint32_t instance = 0;
  uint32_t step = 0;
};

bool conflict(const PathStep& a, const PathStep& b) {
  if (a.kind == StepKind::Exit || b.kind == StepKind::Exit) {
    return a.joins_unknown || b.joins_unknown;
  }
  const graph::TouchSet& x = *a.touches;
  const graph::TouchSet& y = *b.touches;
  return x.meets_everything || y.meets_everything || x.writes.meets(y.writes) ||
         x.writes.meets(y.reads) || x.reads.meets(y.writes) ||
         (a.joins_unknown && (y.joins || y.ends)) || (b.joins_unknown && (x.joins || x.ends));
}

// Runs one order of the steps of one combination of paths.
class Run {
 public:
  Run(StateSpace& space, const OrdersOptions& options, GraphOrders& result)
      : space_(space), options_(options), result_(result) {}

  // `linked`: by two nodes, whether one of them must come before the other.
  void follow(const std::vector<Instance>& instances, const std::vector<Node>& nodes,
              const std::vector<bool>& linked, const std::vector<uint32_t>& order) {
    linked_ = &linked;
    left_out_.clear();
    instances_ = &instances;
    nodes_ = &nodes;
    order_ = &order;
    feasible_ = false;
    path_.clear();
    Thread nobody;
    std::vector<Thread> threads(instances.size(), nobody);
    std::vector<uint8_t> state(space_.state_size());
    const Outcome outcome = space_.initial(state.data());
    threads[0].known = true;
    if (outcome != Outcome::Running) {
      end(state.data(), outcome);
    } else if (settle(state.data(), threads, 0, 0)) {
      step(0, state, threads);
    }
    if (!feasible_) ++result_.infeasible;
  }

 private:
  struct Thread {
    bool known = false;
    uint32_t slot = 0;
    uint32_t next = 0;  // step of its path
  };

  bool is_at(const uint8_t* state, uint32_t slot, const PathStep& step) {
    if (!space_.is_live(state, slot)) return false;
    const NextAction now = space_.next_action(state, slot);
    const bool in_statement = now.kind == graph::ActionKind::None;
    const bool woken = now.op == Op::CondRelock || now.op == Op::BarrierWoken;
    switch (step.kind) {
      case StepKind::Start:
        return now.op == Op::ThreadStart;
      case StepKind::Exit:
        return now.op == Op::ThreadExit;
      case StepKind::Woken:
        return woken && now.block == step.stand.block;
      case StepKind::Action:
        break;
    }
    if (now.op == Op::ThreadStart || now.op == Op::ThreadExit || woken) return false;
    if (now.op == Op::CondBlocked || now.op == Op::BarrierBlocked) return false;
    return now.block == step.stand.block && in_statement == step.stand.inside &&
           (now.op == Op::ProcessExit) == step.stand.leaves;
  }

  // The thread has moved: where on its path is it now? It may have passed places without a step:
  // main where it is alone, every thread where a call gives an error at once.
  bool settle(const uint8_t* state, std::vector<Thread>& threads, uint32_t instance,
              uint32_t first) {
    const std::vector<PathStep>& steps = (*instances_)[instance].path->steps;
    Thread& thread = threads[instance];
    thread.next = first;
    if (!space_.is_live(state, thread.slot)) return true;
    for (uint32_t at = first; at < steps.size(); ++at) {
      if (!is_at(state, thread.slot, steps[at])) continue;
      thread.next = at;
      return true;
    }
    if (instance != 0) return true;  // it waits, or is elsewhere, which shows when its turn comes
    thread.next = static_cast<uint32_t>(steps.size());
    return (*instances_)[0].path->end != PathEnd::Returned;
  }

  // From the given place of the order on.
  void step(size_t at, const std::vector<uint8_t>& state, const std::vector<Thread>& threads) {
    const auto passed = [&](const Node& node) { return node.step < threads[node.instance].next; };
    const size_t left_out = left_out_.size();
    for (; at < order_->size(); ++at) {
      const uint32_t number = (*order_)[at];
      if (passed((*nodes_)[number])) continue;
      if (!comes_after_left_out(number)) break;
      left_out_.push_back(number);
    }
    take(at, state, threads);
    left_out_.resize(left_out);
  }

  void take(size_t at, const std::vector<uint8_t>& state, const std::vector<Thread>& threads) {
    if (at == order_->size()) {
      finish(state.data(), threads);
      return;
    }
    const Node node = (*nodes_)[(*order_)[at]];
    const Instance& instance = (*instances_)[node.instance];
    const Thread& thread = threads[node.instance];
    const PathStep& taken = instance.path->steps[node.step];
    if (!thread.known || thread.next != node.step || !is_at(state.data(), thread.slot, taken)) {
      return;
    }
    const uint32_t choices = space_.next_action(state.data(), thread.slot).choices;
    std::vector<uint8_t> next(state.size());
    bool ends = false;
    for (uint32_t choice = 0; choice < choices; ++choice) {
      const Outcome outcome = space_.take(state.data(), {thread.slot, choice}, next.data());
      path_.push_back({thread.slot, choice});
      if (outcome == Outcome::Running) {
        std::vector<Thread> moved = threads;
        const bool fits = settle(next.data(), moved, node.instance, node.step + 1);
        if (taken.creates) meet_child(next.data(), node, moved);
        if (fits) step(at + 1, next, moved);
      } else {
        ends = true;
        end(next.data(), outcome);
      }
      path_.pop_back();
    }
    if (!ends) return;
    left_out_.push_back((*order_)[at]);
    step(at + 1, state, threads);
    left_out_.pop_back();
  }

  bool comes_after_left_out(uint32_t number) const {
    return std::any_of(left_out_.begin(), left_out_.end(), [&](uint32_t other) {
      return (*linked_)[size_t{other} * nodes_->size() + number];
    });
  }

  void meet_child(const uint8_t* state, const Node& node, std::vector<Thread>& threads) {
    for (uint32_t i = 1; i < threads.size(); ++i) {
      const Instance& child = (*instances_)[i];
      if (child.parent != node.instance || child.created_by != node.step) continue;
      for (uint32_t slot = 1; slot < space_.thread_slots(); ++slot) {
        const StateSpace::Birth birth = space_.birth(slot);
        if (birth.parent != threads[node.instance].slot || birth.nth != child.nth) continue;
        if (space_.is_live(state, slot)) threads[i] = {true, slot, 0};
      }
    }
  }

  void finish(const uint8_t* state, const std::vector<Thread>& threads) {
    if (!left_out_.empty()) return;
    bool cut = false;
    for (uint32_t i = 0; i < threads.size(); ++i) {
      const ThreadPath& path = *(*instances_)[i].path;
      if (path.end == PathEnd::Returned) continue;
      if (path.end == PathEnd::Last) return;
      if (!threads[i].known || !space_.is_live(state, threads[i].slot)) return;
      if (space_.next_action(state, threads[i].slot).block != path.end_stand.block) return;
      cut = cut || path.end == PathEnd::Cut;
    }
    if (cut) {
      result_.cut = feasible_ = true;
      return;
    }
    std::vector<Move> moves;
    space_.moves(state, moves);
    if (!moves.empty() || !space_.is_deadlock(state)) return;
    feasible_ = true;
    if (options_.on_end) options_.on_end(state, Outcome::Running);
    add(space_.deadlock(state));
  }

  void end(const uint8_t* state, Outcome outcome) {
    feasible_ = true;
    if (options_.on_end) options_.on_end(state, outcome);
    if (outcome == Outcome::Cut) result_.cut = true;
    if (outcome == Outcome::Failed) add(space_.failure());
  }

  void add(const Failure& failure) {
    const bool known = std::any_of(
        result_.findings.begin(), result_.findings.end(),
        [&](const OrdersFinding& finding) { return same_bug(finding.failure, failure); });
    if (!known) result_.findings.push_back({failure, path_});
  }

  StateSpace& space_;
  const OrdersOptions& options_;
  GraphOrders& result_;
  const std::vector<Instance>* instances_ = nullptr;
  const std::vector<Node>* nodes_ = nullptr;
  const std::vector<uint32_t>* order_ = nullptr;
  const std::vector<bool>* linked_ = nullptr;
  std::vector<uint32_t> left_out_;  // nodes
  bool feasible_ = false;
  std::vector<Move> path_;
};

class Combinations {
 public:
  Combinations(StateSpace& space, const OrdersOptions& options)
      : space_(space),
        options_(options),
        footprints_(space.program()),
        run_(space, options, result_) {}

  GraphOrders all() {
    result_.complete = true;
    instances_.push_back({.path = nullptr, .routine = graph::RoutineId{0}});
    choose(0);
    return std::move(result_);
  }

 private:
  // Null: there are too many.
  const std::vector<ThreadPath>* paths(graph::RoutineId routine) {
    const auto [at, is_new] = paths_.try_emplace(index(routine));
    if (is_new) {
      at->second = paths_of(space_.program(), footprints_, routine, options_.unwind,
                            static_cast<size_t>(options_.most_paths));
    }
    if (!at->second) stop("a thread has more control paths than the limit");
    return at->second ? &*at->second : nullptr;
  }

  // The clock is looked at seldom.
  bool is_stopped() {
    constexpr uint64_t kBetween = 64;
    if (options_.stop && asked_++ % kBetween == 0 && options_.stop())
      stop("the search was stopped");
    return !result_.reason.empty();
  }

  void stop(std::string reason) {
    result_.complete = false;
    result_.reason = std::move(reason);
  }

  // A path for this instance and those after it, which its path may add to.
  void choose(uint32_t instance) {
    if (instance == instances_.size()) {
      run_orders_of_paths();
      return;
    }
    const std::vector<ThreadPath>* const all = paths(instances_[instance].routine);
    if (all == nullptr) return;
    const size_t before = instances_.size();
    for (const ThreadPath& path : *all) {
      if (!result_.complete) return;
      instances_[instance].path = &path;
      uint32_t children = 0;
      for (uint32_t step = 0; step < path.steps.size(); ++step) {
        if (!path.steps[step].creates) continue;
        instances_.push_back({.path = nullptr,
                              .routine = *path.steps[step].creates,
                              .parent = instance,
                              .nth = ++children,
                              .created_by = step});
      }
      if (instances_.size() <= space_.thread_slots()) {
        choose(instance + 1);
      } else {
        result_.cut = true;
      }
      instances_.resize(before);
    }
  }

  // Whom a handle stands for before a step of an instance; kNobody if nobody.
  static constexpr uint32_t kNobody = 0xffffffff;
  uint32_t child_behind(uint32_t instance, graph::RegisterId handle, uint32_t before) const {
    uint32_t found = kNobody;
    for (uint32_t child = 1; child < instances_.size(); ++child) {
      const Instance& there = instances_[child];
      if (there.parent != instance || there.created_by >= before) continue;
      const PathStep& created = instances_[instance].path->steps[there.created_by];
      if (created.handle == handle) found = child;  // the last one
    }
    return found;
  }

  bool returns(uint32_t instance) const {
    return instances_[instance].path->end == PathEnd::Returned;
  }

  // Adds that joins come after the ends of those they join. False if that cannot be: a thread that
  // never ends is joined, or a join waits for ever for one that does.
  bool order_joins(const std::vector<uint32_t>& first, Conflicts& conflicts) const {
    for (uint32_t i = 0; i < instances_.size(); ++i) {
      const ThreadPath& path = *instances_[i].path;
      const auto steps = static_cast<uint32_t>(path.steps.size());
      for (uint32_t step = 0; step < steps; ++step) {
        const PathStep& join = path.steps[step];
        if (join.creates || join.handle == graph::kNoRegister) continue;
        const uint32_t child = child_behind(i, join.handle, step);
        if (child == kNobody) continue;  // no thread: the step fails
        if (!returns(child)) return false;
        const auto last = static_cast<uint32_t>(instances_[child].path->steps.size() - 1);
        conflicts.fixed.emplace_back(first[child] + last, first[i] + step);
      }
      if (path.end != PathEnd::Blocked || path.end_handle == graph::kNoRegister) continue;
      const uint32_t child = child_behind(i, path.end_handle, steps);
      if (child != kNobody && returns(child)) return false;
    }
    return true;
  }

  void run_orders_of_paths() {
    std::vector<Node> nodes;
    std::vector<uint32_t> first;  // node of each instance
    Conflicts conflicts;
    for (uint32_t i = 0; i < instances_.size(); ++i) {
      first.push_back(static_cast<uint32_t>(nodes.size()));
      const auto steps = static_cast<uint32_t>(instances_[i].path->steps.size());
      for (uint32_t step = 0; step < steps; ++step) {
        const auto node = static_cast<uint32_t>(nodes.size());
        if (step > 0) conflicts.fixed.emplace_back(node - 1, node);
        nodes.push_back({i, step});
      }
      if (i > 0) {
        conflicts.fixed.emplace_back(first[instances_[i].parent] + instances_[i].created_by,
                                     first[i]);
      }
    }
    conflicts.nodes = static_cast<uint32_t>(nodes.size());
    if (is_stopped() || !order_joins(first, conflicts)) return;
    ++result_.combinations;
    const auto step_of = [&](uint32_t node) -> const PathStep& {
      return instances_[nodes[node].instance].path->steps[nodes[node].step];
    };
    for (uint32_t a = 0; a < nodes.size(); ++a) {
      for (uint32_t b = a + 1; b < nodes.size(); ++b) {
        if (nodes[a].instance == nodes[b].instance) continue;
        if (conflict(step_of(a), step_of(b))) conflicts.pairs.emplace_back(a, b);
      }
    }
    std::vector<bool> linked(nodes.size() * nodes.size());
    for (const auto* edges : {&conflicts.fixed, &conflicts.pairs}) {
      for (const auto& [a, b] : *edges) {
        linked[a * nodes.size() + b] = linked[b * nodes.size() + a] = true;
      }
    }
    for_each_orientation(conflicts, [&](const std::vector<uint32_t>& order) {
      if (++result_.graphs > options_.most_graphs) {
        stop("there are more partial orders than the limit of " +
             std::to_string(options_.most_graphs));
        return false;
      }
      run_.follow(instances_, nodes, linked, order);
      return !is_stopped();
    });
  }

  StateSpace& space_;
  const OrdersOptions& options_;
  graph::Footprints footprints_;
  GraphOrders result_;
  uint64_t asked_ = 0;
  Run run_;
  std::map<uint32_t, std::optional<std::vector<ThreadPath>>> paths_;
  std::vector<Instance> instances_;
};

}  // namespace

GraphOrders run_graph_orders(StateSpace& space, const OrdersOptions& options) {
  return Combinations(space, options).all();
}

}  // namespace heddle::orders
