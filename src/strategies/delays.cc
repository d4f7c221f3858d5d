// Iterative delay bounding.
//
// Problem. With many threads even the executions without a preemption are many: wherever a thread
// blocks or ends, each of the others may be next.
//
// Idea (Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011). Fix a deterministic
// scheduler and count how often an execution departs from it. Ours lets a thread run as long as it
// can and then takes the next one in a circle; to pass over a thread that would be next is a delay.
// So the first execution has no delay and is the only one, and for a bound of c there are at most
// as many executions as ways to place c delays in it, however many threads there are.
//
// The search is that of icb.cc with another cost: to run the k-th thread of the circle costs k
// delays, so that work is put off not only until the next bound but until any later one.
//
// Guarantee. When bound c is done: all executions with at most c delays, each run once; every one
// of them has at most c preemptions. When nothing was left for later bounds: all executions.
#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "strategies/registry.h"
#include "strategies/search_path.h"
#include "strategies/transition_order.h"
#include "strategies/work_queue.h"

namespace heddle {
namespace {

class Delays final : public Strategy {
 public:
  explicit Delays(int32_t largest_bound) : largest_bound_(largest_bound) {}

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
    uint32_t delays = 0;
    for_each_in_circle(configuration, [&](const ThreadView& view) {
      const bool preempts = running != kNoThread && view.id != running;
      for_each_choice(view, [&](Transition t) {
        if (delays == 0)
          path_.offer(t);
        else
          put_off(t, delays, path_.preemptions() + (preempts ? 1 : 0));
      });
      ++delays;
    });
    return path_.extend(running);
  }

  void end_execution(const ExecutionSummary& summary) override {
    if (summary.steps < known_steps_) lost_some_ = true;
    ++executions_;
    queue_what_was_put_off();
  }

  bool complete() const override { return exhausted_ && !lost_some_; }
  std::string guarantee() const override;
  int bound() const override { return bound_; }
  bool fewest_preemptions_first() const override { return false; }
  Share share() const override {
    return {(static_cast<double>(items_done_) + path_.part()) / static_cast<double>(items_),
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
  struct PutOff {
    uint32_t delays, preemptions;
    Branch branch;
  };

  // The enabled threads in the order of the scheduler: who ran last first, unless it gave up.
  template <typename Visit>
  static void for_each_in_circle(const Configuration& configuration, Visit&& visit) {
    const std::vector<ThreadView>& live = configuration.live;
    size_t first = 0;
    while (first < live.size() &&
           (configuration.last_gave_up ? live[first].id <= configuration.last
                                       : live[first].id < configuration.last))
      ++first;
    for (size_t i = 0; i < live.size(); ++i) {
      const ThreadView& view = live[(first + i) % live.size()];
      if (view.enabled()) visit(view);
    }
  }

  void put_off(Transition transition, uint32_t delays, uint32_t preemptions) {
    if (largest_bound_ >= 0 && bound_ + static_cast<int32_t>(delays) > largest_bound_)
      left_out_some_ = true;
    else
      put_off_.push_back(
          {delays, preemptions, {static_cast<uint32_t>(path_.transitions().size()), transition}});
  }

  void queue_what_was_put_off() {
    const auto kind = [](const PutOff& p) { return std::pair(p.delays, p.preemptions); };
    std::stable_sort(put_off_.begin(), put_off_.end(),
                     [&](const PutOff& a, const PutOff& b) { return kind(a) < kind(b); });
    for (size_t begin = 0; begin < put_off_.size();) {
      const PutOff first = put_off_[begin];
      branches_.clear();
      for (; begin < put_off_.size() && kind(put_off_[begin]) == kind(first); ++begin)
        branches_.push_back(put_off_[begin].branch);
      if (later_.size() < first.delays) later_.resize(first.delays);
      Level& level = later_[first.delays - 1];
      level.work.push(path_.transitions(), branches_);
      level.preemptions.push_back(first.preemptions);
      level.items += branches_.size();
    }
    put_off_.clear();
  }

  bool next_work();

  const int32_t largest_bound_;  // -1: none
  int32_t bound_ = 0;            // delays of the executions under way
  SearchPath path_;              // the search inside the current work item
  std::vector<PutOff> put_off_;  // by the execution under way
  std::vector<Branch> branches_;
  Level level_;              // the rest of this bound
  std::deque<Level> later_;  // the first is that of the next bound
  WorkBundle bundle_;        // taken from level_
  uint32_t preemptions_ = 0;
  size_t taken_of_bundle_ = 0;
  size_t known_steps_ = 0;
  uint64_t items_ = 1, items_done_ = 0, executions_ = 0;  // of this bound
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_some_ = false;
  bool lost_some_ = false;  // an execution ended inside its prefix: what lay below is unknown
};

bool Delays::next_work() {
  ++items_done_;
  if (taken_of_bundle_ == bundle_.branches.size()) {
    while (level_.work.empty()) {
      if (later_.empty()) return false;
      level_ = std::move(later_.front());
      later_.pop_front();
      ++bound_;
      items_ = level_.items;
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

std::string Delays::guarantee() const {
  const int32_t done = exhausted_ ? bound_ : bound_ - 1;
  std::string text;
  if (exhausted_ && !left_out_some_)
    text = "all executions, whatever the number of delays";
  else if (done < 0)
    text = "nothing yet: the execution without delays is not done";
  else
    text = "all executions with at most " + std::to_string(exhausted_ ? largest_bound_ : done) +
           (done == 1 ? " delay" : " delays") + "; undecided beyond";
  if (lost_some_) text += "; except where the program did not repeat itself";
  return text;
}

}  // namespace

std::unique_ptr<Strategy> make_delays(const RunOptions& options) {
  return std::make_unique<Delays>(options.bound);
}

}  // namespace heddle
