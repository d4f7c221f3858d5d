#include "strategies/dpor_search.h"

#include <algorithm>
#include <utility>

#include "model/process_end.h"
#include "strategies/transition_order.h"

namespace heddle {

namespace {

bool only_reads_memory(const Action& action) {
  if (is_section(action)) return false;
  const Accesses list = accesses_of(action);
  return std::all_of(list.begin(), list.end(), [](const Access& access) {
    return access.kind != ResourceKind::Memory || access.mode == AccessMode::Observes;
  });
}

}  // namespace

bool DporSearch::begin_execution() {
  stuck_.clear();
  if (!started_) return started_ = true;
  exhausted_ = exhausted_ || (!backtrack() && !next_item());
  unchanged_steps_ = path_.empty() ? 0 : path_.size() - 1;
  return !exhausted_;
}

void DporSearch::start_over() {
  while (!nodes_.empty()) {
    tree_.remove_tree(nodes_.back().below);
    tree_.remove_tree(nodes_.back().wakeup);
    sleep_.pop();
    nodes_.pop_back();
  }
  order_.truncate(0);
  path_.clear();
  views_.shrink(0);
  preemptions_ = excused_ = 0;
  unchanged_steps_ = 0;
  executions_ = 0;
  started_ = exhausted_ = false;
  shared_ = 0;
  gaps_ = {};
}

// Goes to the deepest node that has something left to try, and takes the first of it.
bool DporSearch::backtrack() {
  while (!nodes_.empty()) {
    const size_t depth = nodes_.size() - 1;
    Node& node = nodes_.back();
    tree_.remove_tree(node.below);
    if (path_.size() > depth) {
      const Step& done = order_.step(static_cast<Position>(depth));
      sleep_.add({done.action, actions_.untaken(done.action), done.transition.choice});
      order_.truncate(depth);
      path_.resize(depth);
      ++node.done;
    }
    if (follow_tree()) return true;
    views_.shrink(node.views);
    sleep_.pop();
    nodes_.pop_back();
  }
  return false;
}

// What the last step did, if only the executor can tell.
void DporSearch::learn_last_step() {
  if (path_.empty() || order_.size() != path_.size()) return;
  const ActionId last = order_.last().action;
  if (!actions_.is_unknown(last) || executor_ == nullptr) return;
  const std::span<const Action> inside = executor_->last_section();
  order_.learn_last(actions_.number_of_section(last, inside), inside);
}

Transition DporSearch::choose(const Configuration& configuration) {
  learn_last_step();
  order_.observe(configuration);
  note_round(configuration);
  open_node(configuration);
  const bool known = nodes_.size() <= shared_;
  const bool goes_on = known ? follow_stem() : follow_tree() || go_freely(configuration);
  return goes_on ? path_.back() : kAbandon;
}

void DporSearch::open_node(const Configuration& configuration) {
  Node node;
  node.views = static_cast<uint32_t>(views_.size());
  node.preemptions = preemptions_;
  node.excused = excused_;
  node.incumbent = incumbent(configuration);
  see_all(configuration);
  if (nodes_.empty()) {
    sleep_.push_empty();
  } else if (sleep_policy_ == Sleep::Here) {
    sleep_.push_empty();
    std::swap(node.wakeup, nodes_.back().below);
  } else {
    sleep_.push_after(actions_, order_.step(static_cast<Position>(path_.size() - 1)).action);
    std::swap(node.wakeup, nodes_.back().below);
  }
  nodes_.push_back(node);
  if (!path_.empty() && actions_[order_.last().action].action.op == Op::BarrierWait)
    wake_changed_arrivals();
}

// Those that have become the last that is missing.
void DporSearch::wake_changed_arrivals() {
  const size_t depth = nodes_.size() - 1;
  sleep_.drop([&](const Sleeper& sleeper) {
    const Action& action = actions_[sleeper.action].action;
    if (action.op != Op::BarrierWait) return false;
    const View* view = find_view(depth, action.thread);
    return view == nullptr || view->action != sleeper.untaken;
  });
}

uint32_t DporSearch::state_of_barrier(size_t node, Address barrier) const {
  for (const View& view : views(node))
    if (view.op == Op::BarrierWait && actions_[view.action].action.object == barrier)
      return view.before;
  for (auto p = static_cast<Position>(node); p < order_.size(); ++p) {
    const Action& action = actions_[order_.step(p).action].action;
    if (action.op == Op::BarrierWait && action.object == barrier) return order_.step(p).before;
  }
  return Action::kUnknownState;
}

// What a thread does next is, but for the thread that took the last step, what it was going to do
// before that step, unless that turned a wait into something else or made it count for more.
void DporSearch::see_all(const Configuration& configuration) {
  const size_t begin = nodes_.empty() ? 0 : nodes_.back().views;
  View* now = views_.grow(configuration.live.size());
  const View* before = views_.begin() + begin;
  const View* const before_end = now;
  for (const ThreadView& view : configuration.live) {
    while (before != before_end && before->thread < view.id) ++before;
    const bool same =
        before != before_end && before->thread == view.id && before->op == view.next.op &&
        view.id != configuration.last &&
        (!has_forms(view.next.op) || actions_[before->action].action.second == view.next.second);
    now->thread = view.id;
    now->choices = view.choices;
    now->action = same ? before->action : actions_.number_of(view.next);
    now->before = view.next.before;
    now->spins = view.spin != Spin::None;
    now->op = view.next.op;
    ++now;
  }
}

void DporSearch::note_round(const Configuration& configuration) {
  const ThreadView* last = configuration.find_last();
  if (last == nullptr || last->spin == Spin::None || last->round > path_.size()) return;
  const size_t begin = path_.size() - last->round;
  for (size_t p = begin; p < path_.size(); ++p)
    if (path_[p].thread != last->id) return;
  if (begin < path_.size() && nodes_[begin].incumbent == last->id) nodes_[begin].yields_here = true;
}

// Whether they are the same, but for what others have decided about it.
bool DporSearch::same_up_to_form(ActionId a, ActionId b) const {
  if (a == b) return true;
  const Action &x = actions_[a].action, &y = actions_[b].action;
  return has_forms(x.op) && x.same_as(y);
}

// Takes the first branch of the last node's wakeup tree; false if it has none.
bool DporSearch::follow_tree() {
  const size_t depth = nodes_.size() - 1;
  Node& node = nodes_.back();
  while (node.wakeup != WakeupTree::kNone) {
    const WakeupStep step = tree_.step(node.wakeup);
    const View* view = find_view(depth, actions_[step.action].action.thread);
    WakeupTree::Cell below = tree_.remove_first(node.wakeup);
    const ActionId untaken = actions_.untaken(step.action);
    const bool same = view != nullptr && same_up_to_form(view->action, untaken);
    // It was not known what the step does when the branch was added, and now it sleeps.
    if (sleep_.contains(depth, same ? view->action : untaken, step.choice)) {
      tree_.remove_tree(below);
      continue;
    }
    // Whether a thread is said to spin may depend on what is left over on its stack: it was not
    // when the branch was added, so it may make another round.
    View ready = view == nullptr ? View{} : *view;
    if (ready.spins) ready.choices = std::max(ready.choices, 1u);
    if (same && step.choice < ready.choices) {
      node.below = below;
      if (shared_ > 0 && nodes_.size() > shared_ && ready.choices > 1)
        add_alternatives(ready, step.choice);
      take(view->action == untaken ? step : WakeupStep{view->action, step.choice}, ready);
      return true;
    }
    tree_.remove_tree(below);
    gaps_.lost = true;
  }
  return false;
}

// Takes the first step that is not asleep, and leaves its alternatives for later; all other steps
// too if no races are looked for.
bool DporSearch::go_freely(const Configuration& configuration) {
  const size_t depth = nodes_.size() - 1;
  const View* const views = &views_[nodes_.back().views];
  WakeupStep first;
  const View* chosen = nullptr;
  find_thread(configuration, [&](const ThreadView& thread) {
    const View& view = views[&thread - configuration.live.data()];
    const ActionId action = view.action;
    for_each_choice(thread, [&](Transition t) {
      if (sleep_.contains(depth, action, t.choice)) return;
      if (chosen != nullptr) {
        tree_.append(nodes_.back().wakeup, {action, t.choice});
        return;
      }
      first = {action, t.choice};
      chosen = &view;
    });
    return chosen != nullptr && tail_ != Tail::None;
  });
  if (chosen != nullptr) take(first, *chosen);
  return chosen != nullptr;
}

void DporSearch::take(const WakeupStep& step, const View& view) {
  Node& node = nodes_.back();
  node.failed = false;
  const Transition transition{actions_[step.action].action.thread, step.choice};
  const bool preempts = node.incumbent != kNoThread && node.incumbent != transition.thread;
  preemptions_ = node.preemptions + (preempts ? 1 : 0);
  excused_ = node.excused + (preempts && node.yields_here ? 1 : 0);
  path_.push_back(transition);
  order_.append(transition, actions_.untaken(step.action), view.choices, view.before);
}

void DporSearch::stuck(const Configuration& configuration) {
  learn_last_step();
  order_.observe(configuration);
  note_round(configuration);
  for (const ThreadView& view : configuration.live) stuck_.push_back(see(view));
}

void DporSearch::end_execution(const ExecutionSummary& summary) {
  ++executions_;
  if (summary.ending == Ending::Abandoned && shared_ > 0 && tail_ == Tail::Full) ++apart_;
  if (!gaps_.note_end(summary, path_.size())) return;
  if (summary.ending == Ending::Finished) learn_last_step();
  const bool exited = !path_.empty() && actions_[order_.last().action].exits;
  if (summary.ending == Ending::TooLong) gaps_.cut = true;
  if (summary.ending == Ending::Failed && !exited && !nodes_.empty() &&
      views(nodes_.size() - 1).size() > 1)
    gaps_.stopped = true;
  if (tail_ == Tail::None || path_.empty()) return;
  reverse_races();
  if (exited) reverse_exit(path_.size() - 1);
  if (summary.ending == Ending::Abandoned) reverse_blocked(views(nodes_.size() - 1));
  reverse_blocked(stuck_);
}

// There is no step where the program fails before its first one.
void DporSearch::step_failed() {
  learn_last_step();
  if (!path_.empty()) nodes_[path_.size() - 1].failed = true;
}

// What happened before the last step, and nothing else.
bool DporSearch::isolate_failure(Schedule& schedule) const {
  if (path_.empty()) return false;
  const auto last = static_cast<Position>(path_.size() - 1);
  for (Position p = 0; p < last; ++p) {
    if (!order_.before(p, last)) continue;
    if (nodes_[p].failed) return false;
    schedule.push_back(path_[p]);
  }
  schedule.push_back(path_[last]);
  return true;
}

// Where the second step is an atomic section, what it does without the first may depend on steps
// that come after it in this execution: the sequence has them before it, for every strategy.
//
// Of races that earlier executions had, too, the answer is known, unless the new steps could be
// taken in other ways: a sequence that has one of these ways is none that has another.
void DporSearch::reverse_races() {
  bool all = false;
  for (size_t p = unchanged_steps_; p < order_.size() && !all; ++p)
    all = order_.step(static_cast<Position>(p)).has_alternatives;
  for (Race& race : order_.races())
    if (all || !still_answered(race)) reverse(race);
}

bool DporSearch::still_answered(const Race& race) const {
  if (race.witness != kNowhere) return race.witness < unchanged_steps_;
  if (race.outsider == kNoAction) return false;
  if (actions_[race.outsider].action.op == Op::BarrierWait) return false;  // arrivals are counted
  const uint32_t thread = index(order_.thread(race.first));
  for (size_t p = unchanged_steps_; p < order_.size(); ++p) {
    const auto position = static_cast<Position>(p);
    if (order_.clock(position)[thread] <= race.first &&
        actions_.dependent(order_.step(position).action, race.outsider))
      return false;
  }
  return true;
}

void DporSearch::reverse(Race& race) {
  const uint32_t ways = ways_without_first(race);
  race.witness = 0;
  race.outsider = kNoAction;
  const ActionId second =
      race.instead != kNoAction ? race.instead : actions_.untaken(order_.step(race.second).action);
  const bool unknown = actions_.is_unknown(second);
  for (uint32_t way = 0; way < std::max(1u, ways); ++way) {
    reversal_.of_race(race, unknown ? Tail::Full : tail_);
    if (has_forms(actions_[second].action.op))
      reversal_.set_form_of_second(form_without_first(race));
    if (ways > 0) reversal_.take_second(way);
    const Answer answer = see_to(race.first, reversal_);
    if (ways <= 1) race.outsider = answer.outsider;
    if (answer.position == kNowhere)
      race.witness = kNowhere;
    else if (race.witness != kNowhere)
      race.witness = std::max(race.witness, answer.position);
  }
  if (unknown) {  // what an atomic section does then depends on all that comes before it
    race.witness = kNowhere;
    race.outsider = second;
  }
}

// What the second step of the race is without the first, which may have decided its form: what it
// was before the first, if it was pending there. No other step of the sequence decides it, or it
// would be dependent with the first, too.
ActionId DporSearch::form_without_first(const Race& race) {
  const Step& second = order_.step(race.second);
  const Action action = actions_[second.action].action;
  if (!has_forms(action.op)) return second.action;
  const Action& first = actions_[order_.step(race.first).action].action;
  if (action.op == Op::BarrierWait && first.op == Op::BarrierWait) {  // it comes in its place
    Action arrival = action;
    arrival.second = first.second;
    return actions_.number_of(arrival);
  }
  if (second.previous == kNowhere || second.previous < race.first) {
    const View* view = find_view(race.first, action.thread);
    if (view != nullptr && same_up_to_form(view->action, second.action)) return view->action;
  }
  if (decides_order_of_ends(action.op)) return actions_.number_of(end_without_first(race));
  if (action.op == Op::AtomicCas) return actions_.number_of(swap_without_first(race));
  return actions_.number_of(strongest_form(action));
}

// A compare-and-swap finds what the first found. Where it is not known what that is, it is taken to
// succeed: see has_guesses_.
Action DporSearch::swap_without_first(const Race& race) {
  const Step &first = order_.step(race.first), &second = order_.step(race.second);
  const Action& change = actions_[first.action].action;
  Action swap = actions_[second.action].action;
  if (only_reads_memory(change)) return swap;
  if (second.before == Action::kUnknownState) return regardless_of_outcome(swap);
  const bool known = change.object == swap.object && change.size == swap.size &&
                     first.before != Action::kUnknownState && !is_section(change);
  has_guesses_ = has_guesses_ || !known;
  swap.second = known && first.before != second.before ? kWouldFail : kNoAddress;
  return swap;
}

// The end of a thread, or the registration of a handler.
Action DporSearch::end_without_first(const Race& race) const {
  const Step& step = order_.step(race.first);
  const Action& first = actions_[step.action].action;
  Action second = actions_[order_.step(race.second).action].action;
  if (second.second != kOrderCounts) return second;
  const bool main_leaves = first.op == Op::ThreadExit && first.thread == kMainThread;
  const bool registers = first.op == Op::ExitRegister && first.object == kExitHandlers;
  // Main has left by the first, or what runs at exit is the first's handler alone.
  if (main_leaves || (registers && second.op == Op::ThreadExit && step.before == 0))
    second.second = kNoAddress;
  return second;
}

// In how many ways the second step of the race can be taken without the first; 0: as it was taken.
// Only for a signal that depends on what came before it, on the waiters of its condition; and of
// the steps on that condition none lies between the two. The same for a futex and its waiters.
uint32_t DporSearch::ways_without_first(const Race& race) const {
  const Action& second = actions_[order_.step(race.second).action].action;
  if (!choices_vary(second.op)) return 0;
  uint32_t waiting = 0;
  for (const View& view : views(race.first)) {
    const Action& next = actions_[view.action].action;
    if (next.op == Op::CondBlocked && next.object == second.object) ++waiting;
    if (second.op == Op::FutexWake && wakes(second, next)) ++waiting;
  }
  if (second.op == Op::FutexWake)
    return second.size >= waiting ? 1 : ways_to_choose(waiting, second.size);
  return std::max(1u, waiting);
}

// The steps that the other threads were about to take are in a race with the exit.
void DporSearch::reverse_exit(size_t last) {
  for (const View& view : views(last)) {
    if (view.thread == path_[last].thread) continue;
    for (uint32_t choice = 0; choice < view.choices; ++choice) {
      reversal_.of_step(view.thread, view.action, choice);
      see_to(last, reversal_);
    }
  }
  reverse_blocked(views(last));
}

void DporSearch::reverse_blocked(std::span<const View> threads) {
  for (const View& view : threads) {
    if (view.choices > 0 || view.spins) continue;
    const Race race = order_.pending_race(view.thread, view.action);
    if (race.first == kNowhere) continue;
    reversal_.of_blocked(race, view.thread, view.action);
    see_to(race.first, reversal_);
  }
}

// Of the branches of a node only those are known that some race has asked for so far.
Share DporSearch::share() const {
  const auto branches = [&](const Node& node) {
    uint32_t count = node.done + 1;
    for (auto cell = node.wakeup; cell != WakeupTree::kNone; cell = tree_.next(cell)) ++count;
    return count;
  };
  return share_of_path(nodes_, branches, executions_);
}

std::string DporSearch::guarantee() const {
  if (!exhausted_) return "";
  return "all executions, up to the order of independent steps" + gaps_.exceptions();
}

}  // namespace heddle
