// Iterative bounding of context switches.
//
// Problem. A schedule with few preemptions may still hop between threads wherever one of them
// blocks, and a reader pays for every hop. Which schedule that shows a bug has the fewest?
//
// Idea (Qadeer, Rehof, "Context-bounded model checking of concurrent software", TACAS 2005). Count
// every switch from one thread to another, whether the first could have gone on or not. The search
// is that of icb.cc with this cost: an item is a prefix that ends with a switch, its executions let
// the same thread run as long as it can, and every other thread at every configuration is put off
// until the next bound.
//
// Where the thread that runs cannot go on, each way to continue belongs to the next bound, so the
// execution is abandoned there. That makes more executions than there are schedules; in return the
// first that shows a bug has the fewest context switches for certain, which is what the minimal
// traces are measured by (tests/minima/).
//
// Guarantee. When bound c is done: all executions with at most c context switches. When nothing was
// left for the next bound: all executions.
#include <array>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "strategies/registry.h"
#include "strategies/search_path.h"
#include "strategies/transition_order.h"
#include "strategies/work_queue.h"

namespace heddle {
namespace {

class Switches final : public Strategy {
 public:
  explicit Switches(int32_t largest_bound) : largest_bound_(largest_bound) {}

  bool begin_execution() override {
    if (!started_) return started_ = true;
    exhausted_ = exhausted_ || (!path_.backtrack() && !next_work());
    known_steps_ = path_.transitions().size();
    return !exhausted_;
  }

  std::span<const Transition> prefix() const override { return path_.transitions(); }
  uint32_t prefix_preemptions() const override { return path_.preemptions(); }

  Transition choose(const Configuration& configuration) override {
    const bool first = path_.transitions().empty();
    const size_t preempts = configuration.switch_preempts() ? 1 : 0;
    bool goes_on = false;
    for_each_transition(configuration, [&](Transition t) {
      if (first || t.thread == configuration.last) {
        path_.offer(t);
        goes_on = true;
      } else {
        put_off(t, preempts);
      }
    });
    return goes_on ? path_.extend(incumbent(configuration)) : kAbandon;
  }

  void end_execution(const ExecutionSummary& summary) override {
    if (summary.steps < known_steps_) lost_some_ = true;
    ++executions_;
    for (uint32_t preempts = 0; preempts < put_off_.size(); ++preempts) {
      std::vector<Branch>& branches = put_off_[preempts];
      if (branches.empty()) continue;
      next_.work.push(path_.transitions(), branches);
      next_.preemptions.push_back(path_.preemptions() + preempts);
      next_.items += branches.size();
      branches.clear();
    }
  }

  bool complete() const override { return exhausted_ && !lost_some_; }
  std::string guarantee() const override;
  int bound() const override { return bound_; }
  bool fewest_preemptions_first() const override { return false; }
  bool simplest_first() const override { return true; }
  Share share() const override {
    return {(static_cast<double>(items_done_) + path_.part()) / static_cast<double>(level_.items),
            executions_};
  }

 private:
  // The work of one bound. All branches of a bundle have so many preemptions as the first of
  // `preemptions` says.
  struct Level {
    WorkQueue work;
    std::deque<uint32_t> preemptions;
    uint64_t items = 0;
  };

  void put_off(Transition transition, size_t preempts) {
    if (bound_ == largest_bound_)
      left_out_some_ = true;
    else
      put_off_[preempts].push_back({static_cast<uint32_t>(path_.transitions().size()), transition});
  }

  bool next_work();

  const int32_t largest_bound_;                 // -1: none
  int32_t bound_ = 0;                           // context switches of the executions under way
  SearchPath path_;                             // the search inside the current work item
  std::array<std::vector<Branch>, 2> put_off_;  // by the execution under way; second: preempting
  Level level_{{}, {}, 1};                      // what is left of this bound
  Level next_;
  WorkBundle bundle_;  // taken from level_
  uint32_t preemptions_ = 0;
  size_t taken_of_bundle_ = 0;
  size_t known_steps_ = 0;
  uint64_t items_done_ = 0, executions_ = 0;  // of this bound
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_some_ = false;
  bool lost_some_ = false;  // an execution ended inside its prefix: what lay below is unknown
};

bool Switches::next_work() {
  ++items_done_;
  if (taken_of_bundle_ == bundle_.branches.size()) {
    if (level_.work.empty()) {
      if (next_.work.empty()) return false;
      level_ = std::exchange(next_, {});
      ++bound_;
      items_done_ = executions_ = 0;
    }
    level_.work.pop(bundle_);
    preemptions_ = level_.preemptions.front();
    level_.preemptions.pop_front();
    taken_of_bundle_ = 0;
  }
  const Branch& branch = bundle_.branches[taken_of_bundle_++];
  const std::span<const Transition> path = bundle_.path;
  path_.start(path.first(branch.depth), branch.transition, preemptions_);
  return true;
}

std::string Switches::guarantee() const {
  const int32_t done = exhausted_ ? bound_ : bound_ - 1;
  std::string text;
  if (exhausted_ && !left_out_some_)
    text = "all executions, whatever the number of context switches";
  else if (done < 0)
    text = "nothing yet: the execution without context switches is not done";
  else
    text = "all executions with at most " + std::to_string(done) +
           (done == 1 ? " context switch" : " context switches") + "; undecided beyond";
  if (lost_some_) text += "; except where the program did not repeat itself";
  return text;
}

}  // namespace

std::unique_ptr<Strategy> make_switches(const RunOptions& options) {
  return std::make_unique<Switches>(options.bound);
}

}  // namespace heddle
