// Dynamic partial-order reduction, as it was first.
//
// Problem. Most schedules differ only in the order of steps that do not notice each other, and a
// static analysis sees too little of a C program to tell which.
//
// Idea (Flanagan, Godefroid, "Dynamic partial-order reduction for model checking software", POPL
// 2005, figure 3). Run the program and look at what it did. If two steps of different threads are
// in a race, the later one must also be tried before the earlier: from the configuration before the
// earlier step, try its thread, or, if that was not enabled there, one whose steps led to it, or,
// if there is none, every enabled thread. The sets so found are persistent sets. Sleep sets are
// added as in section 5 of the paper.
//
// Where we deviate. The paper looks for races of every thread's next step in every configuration;
// we look at the steps that were taken, and at the threads that were still blocked at the end. For
// a lock its last acquire is what races (happens_before.h). The paper leaves open which of the
// threads is taken; we take the one of the later step only if that step could come first. Its
// thread may be enabled with another step, which brings nothing if that is asleep: sound in the
// paper, where dependence does not change with the configuration, but a step that ends the program
// in one configuration and not in another is dependent with everything only in the former.
//
// With a bound on preemptions (Coons, Musuvathi, McKinley, "Bounded partial-order reduction",
// OOPSLA 2013) a branch beyond the bound is not taken, although an equivalent execution with fewer
// preemptions may need it. So the thread of the later step is also tried where the thread of the
// earlier one was switched to: there it may come first without a preemption. And nothing sleeps
// below other branches: the execution for which a sleeping step was explored may have been beyond
// the bound. The executions are a part of those that icb makes, each once. A thread that waits in a
// loop can be switched away from where a round begins that would change nothing, for no preemption:
// the later step's thread is tried there, too.
//
// Guarantee. One execution at least of each class; some executions are abandoned half-way because
// all that could go on is asleep. Here as a baseline: source-dpor and optimal-dpor need fewer.
#include <memory>

#include "strategies/dpor_search.h"
#include "strategies/estimating.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class Dpor : public DporSearch {
 public:
  explicit Dpor(Sleep sleep = Sleep::Inherited)
      : DporSearch(StrategyId::dpor, Tail::Short, sleep) {}

 protected:
  Answer provide(size_t node, Reversal& sequence) override {
    const Reversal::Item& second = sequence.item(sequence.size() - 1);
    const bool known = sequence.second_is_known();
    const bool first = known ? sequence.initial(sequence.size() - 1) : sequence.size() == 1;
    if (first && enabled(node, second.thread)) {
      add(node, second.thread);
      return {second.position};
    }
    for (size_t i = 0; known && i + 1 < sequence.size(); ++i) {
      const Reversal::Item& item = sequence.item(i);
      const bool led_to_it = second.clock[index(item.thread)] > item.position;
      if (!led_to_it || !enabled(node, item.thread)) continue;
      add(node, item.thread);
      return {second.position};
    }
    add_all(node);
    return {second.position};
  }

  bool enabled(size_t node, ThreadId thread) const {
    const View* view = find_view(node, thread);
    return view != nullptr && view->choices > 0;
  }

  void add_all(size_t node) {
    for (const View& view : views(node))
      if (view.choices > 0) add(node, view.thread);
  }

  // Every alternative of the thread's step that is neither listed nor done nor under way.
  virtual void add(size_t node, ThreadId thread) {
    const View* view = find_view(node, thread);
    for (uint32_t choice = 0; choice < view->choices; ++choice) {
      bool known = transition_at(node) == Transition{thread, choice} ||
                   sleep_.contains(node, view->action, choice);
      for (auto cell = nodes_[node].wakeup; cell != WakeupTree::kNone; cell = tree_.next(cell))
        known = known || (actions_.untaken(tree_.step(cell).action) == view->action &&
                          tree_.step(cell).choice == choice);
      if (!known) tree_.append(nodes_[node].wakeup, {view->action, choice});
    }
  }
};

// With a bound on preemptions.
class BoundedDpor final : public Dpor {
 public:
  explicit BoundedDpor(uint32_t bound) : Dpor(Sleep::Here), bound_(bound) {}

  int bound() const override { return static_cast<int>(bound_); }
  std::string guarantee() const override {
    if (!exhausted() || !left_out_some_) return Dpor::guarantee();
    return "all classes of executions that have one with at most " + std::to_string(bound_) +
           (bound_ == 1 ? " preemption" : " preemptions") + "; undecided beyond" +
           gaps().exceptions();
  }

 private:
  Answer provide(size_t node, Reversal& sequence) override {
    const Reversal::Item& last = sequence.item(sequence.size() - 1);
    const ThreadId second = last.thread;
    try_thread(node, second);
    size_t block = node;
    while (block > 0 && transition_at(block - 1).thread == transition_at(block).thread) --block;
    if (block != node) try_thread(block, second);
    size_t round = node;
    while (round > block && !nodes_[round].yields_here) --round;
    if (round != node && round != block) try_thread(round, second);
    return {last.position};
  }

  void try_thread(size_t node, ThreadId thread) {
    if (enabled(node, thread))
      add(node, thread);
    else
      add_all(node);
  }

  void add(size_t node, ThreadId thread) override {
    const Node& at = nodes_[node];
    const bool preempts = at.incumbent != kNoThread && at.incumbent != thread && !at.yields_here;
    if (at.preemptions - at.excused + (preempts ? 1 : 0) > bound_)
      left_out_some_ = true;
    else
      Dpor::add(node, thread);
  }

  const uint32_t bound_;
  bool left_out_some_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_dpor(const RunOptions& options) {
  if (options.bound >= 0)
    return std::make_unique<BoundedDpor>(static_cast<uint32_t>(options.bound));
  return std::make_unique<Estimating>(std::make_unique<Dpor>(), options.seed);
}

}  // namespace heddle
