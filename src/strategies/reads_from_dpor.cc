// Stateless search up to reads from: one execution for each way in which reads can see
// writes to it.
//
// Problem. Optimal DPOR (optimal_dpor.cc) runs every order of two writes to a variable, although
// nobody may ever see which came last. Four threads that write a variable which five others read
// have 75,000 orders, but only 5 ** 5 = 3,125 ways to see it.
//
// Equivalence. Two executions are equivalent if each thread takes the same steps, with the same
// alternatives, each read sees the write of the same step, and each lock goes through the
// same hands. Then all threads compute the same, and fail or block in the same way; only what is
// left in memory that nobody looked at may differ. Searches for this equivalence: Abdulla, Atig,
// Jonsson, Lang, Ngo, Sagonas, "Optimal stateless model checking for reads-from equivalence under
// sequential consistency", OOPSLA 2019. The search below is our own arrangement of the idea.
//
// Idea. A tree of partial executions, kept as sets of steps with their sources, not as sequences.
// At a node some steps T are fixed (closed under what they need), and a thread that is about to
// take a step e which looks at something. The complete executions that contain T are divided
//  * for a read by the past of e, that is its source with all that this source needs;
//  * for a step on a lock by the lock's first step after T, with what that one needs. (A lock that
//    somebody else takes first may not be free for e as long as others fix what happens meanwhile.)
//  * for a step with alternatives by the alternative.
// Each part is a branch: its steps are fixed, and the search goes on below. Parts are disjoint, so
// no class is met twice; each contains an execution, so no execution is in vain.
//
// How branches are found. Sources within T: all are tried when the node is opened. The others show
// in executions below the node. Let E be one of them, and let u be a write of it to e's variable
// whose thread needed nothing of e before. If u does not look itself, then its past with e after it
// is a branch: take E's order without the rest, then u, which nobody there has seen, then e. If u
// looks, too (an atomic update), it may see any write s whose past is without e; whether there is
// an order is then to be found out (linearise.h), as it is for sources within T.
// All branches are found so: of the past of e in some execution remove the source w. If e sees
// something else then, this is a smaller past, by induction on a branch of its own, and below it is
// an execution that contains all of w's past and thus has w (with whatever source) as u. For a
// lock, an execution that begins with e contains all that the other thread needs to come to the
// lock.
//
// Guarantee. Exactly one execution for each class, none abandoned; hence all failures and
// deadlocks. Memory grows with the branches that nodes on the path ever had, which may be many.
//
// Limits. Operations other than accesses, locks, threads and choices are not described by a single
// source (conditions, semaphores, barriers, overlapping accesses of different sizes). Nor are
// threads that wait in loops: whether a loop goes on for ever depends on what is in memory at the
// end. The search ends at once where it meets one of them, and says so by beyond().
#include "strategies/reads_from_dpor.h"

#include <utility>

#include "strategies/transition_order.h"

namespace heddle {

void ReadsFromDpor::start_over() {
  nodes_.clear();
  execution_.clear();
  prefix_.clear();
  prefix_preemptions_ = 0;
  executions_ = 0;
  started_ = exhausted_ = false;
  gaps_ = {};
}

// The last branch to come of the deepest node that has one.
bool ReadsFromDpor::backtrack() {
  while (!nodes_.empty()) {
    Node& node = nodes_.back();
    ++node.done;
    if (!node.plans.empty()) {
      const Plan plan = std::move(node.plans.back());
      node.plans.pop_back();
      node.own_first = false;
      follow(plan);
      return true;
    }
    nodes_.pop_back();
  }
  return false;
}

void ReadsFromDpor::follow(const Plan& plan) {
  execution_.clear();
  prefix_.clear();
  for (const Planned& planned : plan) {
    execution_.append(planned.action, planned.transition);
    prefix_.push_back(planned.transition);
  }
  count_preemptions();
}

// As far as the plan tells: whether a thread could have gone on is known of those that do so later.
void ReadsFromDpor::count_preemptions() {
  prefix_preemptions_ = 0;
  Cut taken;
  for (Place place = 0; place < execution_.size(); ++place) {
    const SourcedStep& step = execution_.step(place);
    const ThreadId thread = step.transition.thread;
    if (place > 0 && execution_.thread(place - 1) != thread && could_go_on(place - 1, taken))
      ++prefix_preemptions_;
    if (taken.size() <= index(thread)) taken.resize(index(thread) + 1);
    ++taken[index(thread)];
  }
}

bool ReadsFromDpor::could_go_on(Place last, CutView taken) {
  const SourcedStep& step = execution_.step(last);
  if (gives_up_processor(execution_.action(step.action).op)) return false;
  const ThreadId thread = step.transition.thread;
  if (step.number + 1 >= steps_of(execution_.taken(), thread)) return false;
  const SourcedStep& next = execution_.step(execution_.place(thread, step.number + 1));
  if (next.cause != kBeginning && !execution_.in(taken, next.cause)) return false;
  const SourcedRole& role = execution_.role(next.action);
  return role.lock != LockRole::Acquire || !execution_.held(role.thing, taken);
}

bool ReadsFromDpor::knows(const Configuration& configuration) {
  for (const ThreadView& view : configuration.live) {
    const ActionId action = execution_.number_of(view.next);
    const bool last_exit = view.next.op == Op::ProcessExit && configuration.live.size() == 1;
    const SourcedRole role = execution_.role(action);
    const bool several = view.choices > 1 && role.thing != kNoThing;
    if ((!execution_.unknown(action) || last_exit) && !several) {
      if (role.lock == LockRole::Acquire && !view.enabled() &&
          !execution_.held(role.thing, execution_.taken()))
        execution_.held_from_the_start(role.thing);
      continue;
    }
    beyond_ = "has the step " + std::string(name(view.next.op));
    return false;
  }
  return true;
}

Transition ReadsFromDpor::choose(const Configuration& configuration) {
  if (!knows(configuration)) return kAbandon;
  Transition chosen = kAbandon;
  for_each_transition(configuration, [&](Transition t) {
    if (chosen == kAbandon) chosen = t;
  });
  const ThreadView& view = *configuration.find(chosen.thread);
  const ActionId action = execution_.number_of(view.next);
  open_node(view, action);
  execution_.append(action, chosen);
  return chosen;
}

void ReadsFromDpor::open_node(const ThreadView& view, ActionId action) {
  const SourcedRole role = execution_.role(action);
  const bool looks = role.looks, locks = role.lock != LockRole::None;
  if (!looks && !locks && view.choices <= 1) return;
  Node node;
  node.kind = looks ? Kind::Look : locks ? Kind::Lock : Kind::Alternatives;
  node.thread = view.id;
  node.action = action;
  node.thing = role.thing;
  node.fixed.assign(execution_.taken().begin(), execution_.taken().end());
  if (locks)
    node.held = view.next.before != Action::kUnknownState ? view.next.before != 0
                                                          : execution_.held(role.thing, node.fixed);
  if (node.kind == Kind::Alternatives) {
    for (uint32_t choice = view.choices; choice-- > 1;) {
      node.plans.push_back(plan_of(node.fixed));
      node.plans.back().push_back({action, {view.id, choice}});
    }
  }
  if (node.kind == Kind::Look) {
    const auto writes = execution_.changes(role.thing);
    for (size_t i = 0; i < writes.size(); ++i)
      branch_from_fixed(node, i == 0 ? kBeginning : writes[i - 1]);
  }
  nodes_.push_back(std::move(node));
}

void ReadsFromDpor::stuck(const Configuration& configuration) {
  for (const ThreadView& view : configuration.live) {
    if (view.spin != Spin::None) beyond_ = "waits in loops";
    if (!view.enabled()) stuck_.push_back({view.id, execution_.number_of(view.next)});
  }
}

bool ReadsFromDpor::isolate_failure(Schedule& schedule) const {
  if (execution_.size() == 0) return false;
  const auto last = static_cast<Place>(execution_.size() - 1);
  for (Place place = 0; place <= last; ++place) {
    if (!execution_.in(execution_.past(last), place)) continue;
    if (place != last && execution_.step(place).failed) return false;
    schedule.push_back(execution_.step(place).transition);
  }
  return true;
}

void ReadsFromDpor::end_execution(const ExecutionSummary& summary) {
  ++executions_;
  if (beyond()) return;
  if (!gaps_.note_end(summary, execution_.size())) return;
  if (summary.ending == Ending::TooLong) gaps_.cut = true;
  if (summary.ending == Ending::Failed) gaps_.stopped = true;
  for (Node& node : nodes_) look_for_branches(node);
}

void ReadsFromDpor::look_for_branches(Node& node) {
  if (node.kind == Kind::Look) look_for_sources(node);
  if (node.kind == Kind::Lock && node.own_first) look_for_takers(node);
}

void ReadsFromDpor::look_for_sources(Node& node) {
  const uint32_t own = steps_of(node.fixed, node.thread);
  for (Place place : execution_.changes(node.thing)) {
    const Wanted write = step_at(place);
    if (write.thread == node.thread || execution_.in(node.fixed, place)) continue;
    if (steps_of(execution_.past_in_thread(write.thread, write.number), node.thread) > own)
      continue;
    if (execution_.role(write.action).looks)
      branch_after_update(node, write);
    else
      branch_after_write(node, write);
  }
}

void ReadsFromDpor::look_for_takers(Node& node) {
  for (Place place : execution_.changes(node.thing)) {
    const SourcedStep& step = execution_.step(place);
    if (!execution_.in(node.fixed, place))
      consider_taker(node, step.transition.thread, step.number, step.action);
  }
  for (const Blocked& blocked : stuck_)
    if (execution_.role(blocked.action).thing == node.thing)
      consider_taker(node, blocked.thread, steps_of(execution_.taken(), blocked.thread),
                     blocked.action);
}

// Whether the thread's step can be the lock's next after what is fixed.
void ReadsFromDpor::consider_taker(Node& node, ThreadId thread, uint32_t number, ActionId action) {
  if (thread == node.thread) return;
  Cut cut = node.fixed;
  join(cut, execution_.past_in_thread(thread, number));
  if (steps_of(cut, node.thread) > steps_of(node.fixed, node.thread)) return;
  for (Place other : execution_.changes(node.thing))
    if (execution_.in(cut, other) && !execution_.in(node.fixed, other)) return;
  if (execution_.role(action).lock == LockRole::Acquire && node.held) return;
  const Wanted taker{thread, number, action, 0, kBeginning};
  if (!node.known.insert(key_of(node, cut, taker, kBeginning)).second) return;
  Plan plan = plan_of(cut);
  plan.push_back({action, {thread, 0}});
  node.plans.push_back(std::move(plan));
}

void ReadsFromDpor::branch_after_write(Node& node, const Wanted& write) {
  Cut cut = node.fixed;
  join(cut, execution_.past_in_thread(write.thread, write.number));
  if (!node.known.insert(key_of(node, cut, write, kBeginning)).second) return;
  Plan plan = plan_of(cut);
  plan.push_back({write.action, {write.thread, write.choice}});
  plan.push_back({node.action, {node.thread, 0}});
  node.plans.push_back(std::move(plan));
}

void ReadsFromDpor::branch_after_update(Node& node, const Wanted& update) {
  const uint32_t own = steps_of(node.fixed, node.thread);
  Cut least = node.fixed;
  join(least, execution_.past_in_thread(update.thread, update.number));
  const auto writes = execution_.changes(node.thing);
  for (size_t i = 0; i <= writes.size(); ++i) {
    const Place source = i == 0 ? kBeginning : writes[i - 1];
    Cut cut = least;
    if (source != kBeginning) join(cut, execution_.past(source));
    if (steps_of(cut, node.thread) > own) continue;
    if (steps_of(cut, update.thread) > update.number) continue;
    if (!node.known.insert(key_of(node, cut, update, source)).second) continue;
    Wanted wanted = update;
    wanted.source = source;
    branch_if_ordered(node, cut, &wanted, kBeginning);
  }
}

void ReadsFromDpor::branch_from_fixed(Node& node, Place source) {
  for (Place other : execution_.changes(node.thing)) {
    const bool later =
        source == kBeginning || (other != source && execution_.in(execution_.past(other), source));
    if (later &&
        execution_.in(execution_.past_in_thread(node.thread, steps_of(node.fixed, node.thread)),
                      other))
      return;
  }
  branch_if_ordered(node, node.fixed, nullptr, source);
}

// Looks for an order of the steps of the cut with the node's step after them, which sees `source`,
// or the update if there is one; if there is one it becomes a branch.
void ReadsFromDpor::branch_if_ordered(Node& node, CutView cut, const Wanted* update, Place source) {
  lineariser_.clear();
  std::vector<Planned> planned;
  std::vector<uint32_t> item_of(execution_.size(), Lineariser::kNone);
  std::vector<uint32_t> last_of_lock(execution_.things(), Lineariser::kNone);
  const auto item = [&](Place place) {
    return place == kBeginning ? Lineariser::kNone : item_of[place];
  };
  const auto add = [&](ActionId action, Transition transition, uint32_t from, Place cause) {
    const SourcedRole& role = execution_.role(action);
    Lineariser::Item next{transition.thread};
    if (role.looks || role.writes) {
      next.variable = role.thing;
      next.looks = role.looks;
      next.writes = role.writes;
      next.source = role.looks ? from : Lineariser::kNone;
    }
    next.cause = item(cause);
    if (role.lock != LockRole::None)
      next.cause = std::exchange(last_of_lock[role.thing], static_cast<uint32_t>(planned.size()));
    planned.push_back({action, transition});
    return lineariser_.add(next);
  };
  for (Place place = 0; place < execution_.size(); ++place) {
    if (!execution_.in(cut, place)) continue;
    const SourcedStep& step = execution_.step(place);
    item_of[place] = add(step.action, step.transition, item(step.source), step.cause);
  }
  uint32_t seen = item(source);
  if (update != nullptr)
    seen = add(update->action, {update->thread, update->choice}, item(update->source), kBeginning);
  add(node.action, {node.thread, 0}, seen, kBeginning);
  const Lineariser::Answer answer = lineariser_.solve();
  if (answer == Lineariser::Answer::Unknown) gaps_.undecided = true;
  if (answer != Lineariser::Answer::Found) return;
  Plan plan;
  for (uint32_t number : lineariser_.order()) plan.push_back(planned[number]);
  node.plans.push_back(std::move(plan));
}

// What distinguishes a branch of the node from others: the first step after what is fixed, or the
// source of the node's own, and all that has to come before it.
ReadsFromDpor::Key ReadsFromDpor::key_of(const Node& node, CutView cut, const Wanted& first,
                                         Place source) const {
  Key key{index(first.thread), first.number, first.choice, identity(source)};
  for (size_t t = 0; t < cut.size(); ++t) {
    const ThreadId thread{static_cast<uint32_t>(t)};
    const uint32_t begin = steps_of(node.fixed, thread);
    if (begin == cut[t]) continue;
    key.push_back(static_cast<uint32_t>(t));
    key.push_back(cut[t]);
    for (uint32_t n = begin; n < cut[t]; ++n) {
      const SourcedStep& step = execution_.step(execution_.place(thread, n));
      key.push_back(step.transition.choice);
      key.push_back(identity(step.source));
    }
  }
  return key;
}

// The steps of the cut, in the order of the execution.
ReadsFromDpor::Plan ReadsFromDpor::plan_of(CutView cut) const {
  Plan plan;
  for (Place place = 0; place < execution_.size(); ++place)
    if (execution_.in(cut, place))
      plan.push_back({execution_.step(place).action, execution_.step(place).transition});
  return plan;
}

Share ReadsFromDpor::share() const {
  const auto branches = [](const Node& node) { return node.done + 1 + node.plans.size(); };
  return share_of_path(nodes_, branches, executions_);
}

std::string ReadsFromDpor::guarantee() const {
  if (!exhausted_) return "";
  return "all executions, up to which write each read sees" + gaps_.exceptions();
}

}  // namespace heddle
