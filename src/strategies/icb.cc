// Iterative context bounding.
//
// Problem. The tree of schedules is exponential in the length of the execution, and a search that
// is cut short should still have covered something one can name.
//
// Idea (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded
// programs", PLDI 2007, section 3, algorithm 1). Switching away from a thread that could have gone
// on is a preemption; most bugs need one or two. Explore every execution with c preemptions before
// any with c+1. For a fixed c their number is polynomial in the number of steps, and threads may
// run as long as they like between preemptions.
//
// Two queues of work items. An item is a schedule prefix. Search(item) explores depth first all
// executions that extend the prefix without a further preemption: where the running thread is
// enabled it goes on, where it is not every other thread is tried. At each configuration where it
// goes on, running another thread instead would be a preemption, and is put into the queue of the
// next bound. When the queue of this bound is empty, the next one takes its place.
//
// Each configuration on a path is new to exactly one execution, the one for which choose() is
// called there, and it queues what branches off there: so no execution is run twice, and none is
// forgotten.
//
// Where we deviate.
//  * An item of the paper is a state and a thread; ours is a schedule, since native states cannot
//    be stored. What one execution puts off is queued together when it ends (work_queue.h).
//  * The paper's items come in the order of its recursion, ours in the order of depth. Within a
//    bound the order is free.
//  * Alternatives of the running thread's own action (which waiter a signal wakes) are no
//    preemptions: Search tries them all.
//  * After a yield or a sleep every thread may run without it counting, the one that yielded too.
//  * With a bound, what lies beyond it is not stored, only that there is something.
//
// Guarantee. When bound c is done: all executions with at most c preemptions, each run once. When
// nothing was left for the next bound: all executions. The queues grow with the number of
// executions of a bound; every piece is released when it is taken up.
#include <memory>
#include <utility>

#include "strategies/frontier.h"
#include "strategies/registry.h"
#include "strategies/search_path.h"
#include "strategies/transition_order.h"
#include "strategies/work_queue.h"

namespace heddle {
namespace {

class Icb final : public Strategy {
 public:
  explicit Icb(int32_t largest_bound) : largest_bound_(largest_bound) {}

  bool begin_execution() override {
    if (!started_) return started_ = true;
    exhausted_ = exhausted_ || (!path_.backtrack() && !next_work());
    known_steps_ = path_.transitions().size();
    return !exhausted_;
  }

  std::span<const Transition> prefix() const override { return path_.transitions(); }
  uint32_t prefix_preemptions() const override { return path_.preemptions(); }

  Transition choose(const Configuration& configuration) override {
    const ThreadId running = incumbent(configuration);
    for_each_transition(configuration, [&](Transition t) {
      if (running == kNoThread || t.thread == running)
        path_.offer(t);
      else
        put_off(t);
    });
    return path_.extend(running);
  }

  void end_execution(const ExecutionSummary& summary) override {
    if (summary.steps < known_steps_) lost_some_ = true;
    ++executions_;
    next_items_ += put_off_.size();
    if (!put_off_.empty()) next_queue_.push(path_.transitions(), put_off_);
    put_off_.clear();
  }

  bool complete() const override { return exhausted_ && !lost_some_; }
  std::string guarantee() const override;
  int bound() const override { return bound_; }
  Share share() const override {
    return {(static_cast<double>(items_done_) + path_.part()) / static_cast<double>(items_),
            executions_};
  }

 private:
  // From here a transition that costs one more preemption.
  void put_off(Transition transition) {
    if (bound_ == largest_bound_)
      left_out_some_ = true;
    else
      put_off_.push_back({static_cast<uint32_t>(path_.transitions().size()), transition});
  }

  bool next_work();

  const int32_t largest_bound_;  // -1: none
  int32_t bound_ = 0;            // preemptions of the executions under way
  SearchPath path_;              // the search inside the current work item
  std::vector<Branch> put_off_;  // by the execution under way
  WorkQueue queue_, next_queue_;
  WorkBundle bundle_;           // taken from queue_
  size_t taken_of_bundle_ = 0;  // how many of its branches have been searched
  size_t known_steps_ = 0;      // of the execution under way: length of its prefix
  uint64_t items_ = 1, items_done_ = 0, next_items_ = 0;  // of this bound, and the next
  uint64_t executions_ = 0;                               // of this bound
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_some_ = false;  // there are executions beyond largest_bound_
  bool lost_some_ = false;      // an execution ended inside its prefix: what lay below is unknown
};

// Takes up the next item, of this bound or, when that is done, of the next.
bool Icb::next_work() {
  bool first_of_bound = false;
  if (taken_of_bundle_ == bundle_.branches.size()) {
    if (queue_.empty()) {
      if (next_queue_.empty()) return false;
      std::swap(queue_, next_queue_);
      ++bound_;
      items_ = std::exchange(next_items_, 0);
      items_done_ = executions_ = 0;
      first_of_bound = true;
    }
    queue_.pop(bundle_);
    taken_of_bundle_ = 0;
  }
  if (!first_of_bound) ++items_done_;
  const Branch& branch = bundle_.branches[taken_of_bundle_++];
  const std::span<const Transition> path = bundle_.path;
  path_.start(path.first(branch.depth), branch.transition, static_cast<uint32_t>(bound_));
  return true;
}

std::string Icb::guarantee() const {
  const int32_t done = exhausted_ ? bound_ : bound_ - 1;
  std::string text;
  if (exhausted_ && !left_out_some_)
    text = "all executions, whatever the number of preemptions";
  else if (done < 0)
    text = "nothing yet: the executions without preemptions are not done";
  else if (done == 0)
    text = "all executions without preemptions; undecided beyond";
  else
    text = "all executions with at most " + std::to_string(done) +
           (done == 1 ? " preemption" : " preemptions") + "; undecided beyond";
  if (lost_some_) text += "; except where the program did not repeat itself";
  return text;
}

}  // namespace

std::unique_ptr<Strategy> make_icb(const RunOptions& options) {
  if (wants_frontier(options)) return make_frontier_search(options, FrontierKind::ByPreemptions);
  return std::make_unique<Icb>(options.bound);
}

}  // namespace heddle
