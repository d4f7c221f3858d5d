#include "strategies/bounded_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle {

bool BoundedSearch::begin_execution() {
  if (!started_) return started_ = true;
  exhausted_ = exhausted_ || (!path_.backtrack() && !next_work());
  known_steps_ = path_.transitions().size();
  return !exhausted_;
}

void BoundedSearch::end_execution(const ExecutionSummary& summary) {
  gaps_.note_end(summary, known_steps_);
  ++executions_;
  queue_what_was_put_off();
}

// In bundles of equal cost and equally many preemptions.
void BoundedSearch::queue_what_was_put_off() {
  const auto alike = [](const PutOff& a, const PutOff& b) { return !a.together(b); };
  if (std::adjacent_find(put_off_.begin(), put_off_.end(), alike) != put_off_.end())
    std::stable_sort(put_off_.begin(), put_off_.end(), [](const PutOff& a, const PutOff& b) {
      return std::tie(a.cost, a.preemptions) < std::tie(b.cost, b.preemptions);
    });
  for (size_t begin = 0; begin < put_off_.size();) {
    const PutOff first = put_off_[begin];
    branches_.clear();
    for (; begin < put_off_.size() && put_off_[begin].together(first); ++begin)
      branches_.push_back(put_off_[begin].branch);
    if (later_.size() < first.cost) later_.resize(first.cost);
    Level& level = later_[first.cost - 1];
    level.work.push(path_.transitions(), branches_, first.preemptions);
    level.items += branches_.size();
  }
  put_off_.clear();
}

// Takes up the next item, of this bound or, when that is done, of the next that has any.
bool BoundedSearch::next_work() {
  ++items_done_;
  if (taken_of_bundle_ == bundle_.branches.size()) {
    while (level_.work.empty()) {
      if (later_.empty() || this_bound_only_) return false;
      level_ = std::move(later_.front());
      later_.pop_front();
      ++bound_;
      items_ = level_.items;
      items_done_ = executions_ = 0;
    }
    level_.work.pop(bundle_);
    taken_of_bundle_ = 0;
  }
  const Branch& branch = bundle_.branches[taken_of_bundle_++];
  const std::span<const Transition> path = bundle_.path;
  path_.start(path.first(branch.depth), branch.transition, bundle_.preemptions);
  return true;
}

std::string BoundedSearch::guarantee() const {
  const std::string cost(cost_.one), costs(cost_.several);
  const int32_t done = exhausted_ ? largest_bound_ : bound_ - 1;
  std::string text;
  if (exhausted_ && !left_out_some_)
    text = "all executions, whatever the number of " + costs;
  else if (done < 0)
    return "";
  else if (done == 0)
    text = "all executions without " + costs + "; undecided beyond";
  else
    text = "all executions with at most " + std::to_string(done) + " " +
           (done == 1 ? cost : costs) + "; undecided beyond";
  return text + gaps_.exceptions();
}

}  // namespace heddle
