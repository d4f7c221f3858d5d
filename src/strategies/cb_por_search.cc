#include "strategies/cb_por_search.h"

#include "explore/executor.h"
#include "strategies/transition_order.h"

namespace heddle {

bool CbPorSearch::begin_execution() {
  if (!started_) return started_ = true;
  exhausted_ = exhausted_ || (!backtrack() && !next_bound());
  known_steps_ = path_.size();
  return !exhausted_;
}

void CbPorSearch::see(Configuration& configuration) {
  for (ThreadView& view : configuration.live)
    if (view.next.before == Action::kUnknownState &&
        operation(view.next.op).object == ObjectSort::Semaphore)
      if (const auto value = executor_->semaphore_value(view.next.object))
        view.next.before = *value;
  order_.note(configuration);
  const ThreadView* last = configuration.find_last();
  some_spin_ = some_spin_ || (last != nullptr && last->spin != Spin::None);
}

void CbPorSearch::stuck(const Configuration& configuration) {
  Configuration seen = configuration;
  see(seen);
}

Transition CbPorSearch::choose(const Configuration& configuration) {
  Frame& frame = push_frame();
  frame.configuration = configuration;
  see(frame.configuration);
  entered();
  frame.incumbent = incumbent(configuration);
  Cut cut = order_.whole();
  for_each_transition(configuration, [&](Transition transition) {
    if (!within_bound(cut, order_.hash(), transition.thread)) {
      left_out_some_ = true;
      return;
    }
    const ThreadView& view = *frame.configuration.find(transition.thread);
    frame.candidates.push_back({transition, view.next, view.choices,
                                order_.tracker().hash_after(view.next, transition.choice)});
  });
  return advance(frame) ? path_.back() : kAbandon;
}

CbPorSearch::Frame& CbPorSearch::push_frame() {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.candidates.clear();
  frame.next = 0;
  frame.preemptions = preemptions_;
  return frame;
}

// Takes the next step of the frame that leads to an open state. The path ends at the frame.
bool CbPorSearch::advance(Frame& frame) {
  while (frame.next < frame.candidates.size()) {
    const Candidate& candidate = frame.candidates[frame.next++];
    if (closed_.contains(candidate.state)) continue;
    const Transition taken = candidate.transition;
    preemptions_ =
        frame.preemptions + (frame.incumbent != kNoThread && taken.thread != frame.incumbent);
    order_.push(candidate.action, taken, candidate.choices);
    path_.push_back(taken);
    return true;
  }
  return false;
}

bool CbPorSearch::backtrack() {
  for (; depth_ > 0; --depth_) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.next == frame.candidates.size()) continue;
    if (path_.size() >= depth_) {
      path_.resize(depth_ - 1);
      order_.truncate(depth_ - 1);
    }
    order_.note(frame.configuration);  // the execution may end with the very next step
    if (advance(frame)) return true;
  }
  return false;
}

// The closed states of one bound say nothing about the next: more ends are to be reached from them.
bool CbPorSearch::next_bound() {
  if (!iterates_ || !left_out_some_) return false;
  ++bound_;
  left_out_some_ = false;
  closed_.clear();
  path_.clear();
  order_.truncate(0);
  preemptions_ = 0;
  return true;
}

void CbPorSearch::end_execution(const ExecutionSummary& summary) {
  if (gaps_.note_end(summary, known_steps_) && summary.ending != Ending::Abandoned)
    reached_end(summary.ending == Ending::Pruned ? Ending::Stuck : summary.ending);
}

std::string CbPorSearch::guarantee() const {
  const int32_t done = exhausted_ ? bound_ : iterates_ ? bound_ - 1 : -1;
  std::string text;
  if (exhausted_ && !left_out_some_)
    text = "all classes of executions, whatever the number of preemptions";
  else if (done < 0)
    return "";
  else
    text = "all classes of executions that have one with at most " + std::to_string(done) +
           (done == 1 ? " preemption" : " preemptions") +
           (some_spin_ ? ", where leaving a thread before a loop in which it waits is one" : "") +
           "; undecided beyond";
  return text + gaps_.exceptions();
}

}  // namespace heddle
