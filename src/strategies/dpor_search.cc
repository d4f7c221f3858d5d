#include "strategies/dpor_search.h"

#include <utility>

#include "strategies/transition_order.h"

namespace heddle {

bool DporSearch::begin_execution() {
  stuck_.clear();
  if (!started_) return started_ = true;
  exhausted_ = exhausted_ || !backtrack();
  unchanged_steps_ = path_.empty() ? 0 : path_.size() - 1;
  return !exhausted_;
}

// Goes to the deepest node that has something left to try, and takes the first of it.
bool DporSearch::backtrack() {
  while (!nodes_.empty()) {
    const size_t depth = nodes_.size() - 1;
    Node& node = nodes_.back();
    tree_.remove_tree(node.below);
    if (path_.size() > depth) {
      const Step& done = order_.step(static_cast<Position>(depth));
      sleep_.add({done.action, done.transition.choice, node.ends_program});
      order_.truncate(depth);
      path_.resize(depth);
      node.ends_program = false;
    }
    if (follow_tree()) return true;
    views_.resize(node.views);
    sleep_.pop();
    nodes_.pop_back();
  }
  return false;
}

Transition DporSearch::choose(const Configuration& configuration) {
  order_.observe(configuration);
  open_node(configuration);
  if (!follow_tree() && !go_freely(configuration)) return kAbandon;
  return path_.back();
}

void DporSearch::open_node(const Configuration& configuration) {
  Node node;
  node.views = static_cast<uint32_t>(views_.size());
  node.preemptions = preemptions_;
  node.incumbent = incumbent(configuration);
  for (const ThreadView& view : configuration.live)
    views_.push_back({view.id, view.choices, actions_.number_of(view.next)});
  if (nodes_.empty()) {
    sleep_.push_empty();
  } else {
    sleep_.push_after(actions_, order_.step(static_cast<Position>(path_.size() - 1)).action);
    std::swap(node.wakeup, nodes_.back().below);
  }
  nodes_.push_back(node);
}

// Takes the first branch of the last node's wakeup tree; false if it has none.
bool DporSearch::follow_tree() {
  const size_t depth = nodes_.size() - 1;
  Node& node = nodes_.back();
  while (node.wakeup != WakeupTree::kNone) {
    const WakeupStep step = tree_.step(node.wakeup);
    const View* view = find_view(depth, actions_[step.action].action.thread);
    const bool possible = view != nullptr && view->action == step.action &&
                          (step.choice == kAnyChoice || step.choice < view->choices);
    WakeupTree::Cell below = tree_.remove_first(node.wakeup);
    if (possible && step.choice == kAnyChoice && view->choices > 0) {
      expand_choices(step);
      continue;
    }
    if (possible) {
      node.below = below;
      take(step, view->choices);
      return true;
    }
    tree_.remove_tree(below);
    lost_some_ = true;
  }
  return false;
}

// Puts every alternative of the step that is not yet provided for into the last node's tree.
void DporSearch::expand_choices(const WakeupStep& step) {
  const size_t depth = nodes_.size() - 1;
  Node& node = nodes_.back();
  const View* view = find_view(depth, actions_[step.action].action.thread);
  for (uint32_t choice = 0; choice < view->choices; ++choice) {
    if (sleep_.contains(depth, step.action, choice)) continue;
    bool present = false;
    for (WakeupTree::Cell c = node.wakeup; c != WakeupTree::kNone; c = tree_.next(c))
      present = present || (tree_.step(c).action == step.action && tree_.step(c).choice == choice);
    if (present) continue;
    tree_.append(node.wakeup, {step.action, choice});
  }
}

// Takes the first step that is not asleep, and leaves its alternatives for later.
bool DporSearch::go_freely(const Configuration& configuration) {
  const size_t depth = nodes_.size() - 1;
  ThreadId chosen = kNoThread;
  ActionId action{};
  for_each_transition(configuration, [&](Transition t) {
    if (chosen != kNoThread) return;
    const View* view = find_view(depth, t.thread);
    if (sleep_.contains(depth, view->action, t.choice)) return;
    chosen = t.thread;
    action = view->action;
  });
  if (chosen == kNoThread) return false;
  expand_choices({action, kAnyChoice});
  return follow_tree();
}

void DporSearch::take(const WakeupStep& step, uint32_t choices) {
  const Node& node = nodes_.back();
  const Transition transition{actions_[step.action].action.thread, step.choice};
  preemptions_ = node.preemptions +
                 (node.incumbent != kNoThread && node.incumbent != transition.thread ? 1 : 0);
  path_.push_back(transition);
  order_.append(transition, step.action, choices);
}

void DporSearch::stuck(const Configuration& configuration) {
  order_.observe(configuration);
  for (const ThreadView& view : configuration.live)
    stuck_.push_back({view.id, view.choices, actions_.number_of(view.next)});
}

void DporSearch::end_execution(const ExecutionSummary& summary) {
  if (summary.steps < path_.size() || summary.ending == Ending::Strayed) {
    lost_some_ = true;
    return;
  }
  if (summary.ending == Ending::TooLong) cut_some_ = true;
  Position last = kNowhere;
  if (!path_.empty()) {
    const auto end = static_cast<Position>(path_.size() - 1);
    const Op op = actions_[order_.step(end).action].action.op;
    if (summary.ending == Ending::Failed ||
        (summary.ending == Ending::Finished && op != Op::ThreadExit))
      last = end;
  }
  reverse_races(last);
  if (last != kNowhere) reverse_end(last);
  for (const View& view : stuck_) reverse_blocked(view.thread, view.action, last);
}

void DporSearch::reverse_races(Position last) {
  for (Race& race : order_.races()) {
    if (race.second == last) continue;
    if (race.witness != kNowhere && race.witness < unchanged_steps_) continue;
    reversal_.of_race(race, tail_, last);
    const Position choice = reversal_.last_with_alternatives();
    race.witness = provide(race.first, reversal_);
    if (race.witness != kNowhere && choice != kNowhere && choice > race.witness)
      race.witness = choice;
  }
}

void DporSearch::reverse_end(Position last) {
  nodes_[last].ends_program = true;
  const size_t by_the_end = order_.end_program(end_races_);
  for (size_t i = 0; i < end_races_.size(); ++i) {
    if (i < by_the_end)
      reversal_.of_end(end_races_[i]);
    else
      reversal_.of_race(end_races_[i], tail_, last);
    provide(end_races_[i].first, reversal_);
  }
  for (const View& view : views(last)) {
    if (view.thread == order_.thread(last)) continue;
    if (view.choices == 0) {
      reverse_blocked(view.thread, view.action, last);
    } else {
      reversal_.of_step(view.thread, view.action, view.choices == 1 ? 0 : kAnyChoice);
      provide(last, reversal_);
    }
  }
}

void DporSearch::reverse_blocked(ThreadId thread, ActionId action, Position last) {
  const Position first = order_.pending_race(thread, action, scratch_);
  if (first == kNowhere || first == last) return;
  reversal_.of_blocked(first, thread, action, last);
  provide(first, reversal_);
}

bool DporSearch::sleeps(size_t node, const Sleeper& sleeper, const Reversal::Item& item) const {
  if (item.step.choice != kAnyChoice) return item.step.choice == sleeper.choice;
  const View* view = find_view(node, item.thread);
  for (uint32_t choice = 0; choice < view->choices; ++choice)
    if (!sleep_.contains(node, sleeper.action, choice)) return false;
  return true;
}

std::string DporSearch::guarantee() const {
  if (!exhausted_) return "nothing yet: the search has not ended";
  std::string text = "all executions, up to the order of independent steps";
  if (cut_some_) text += "; except beyond the limit of steps";
  if (lost_some_) text += "; except where the program did not repeat itself";
  return text;
}

}  // namespace heddle
