// The reductions as work items.
//
// Problem. Of a depth-first search with sleep sets the branches of a node can be explored apart
// from each other: each sleeps on those before it, whether these are done or somebody else is at
// them. But races turn up below one branch that ask for further branches at nodes above it, and no
// two processes must both add one.
//
// Idea. When a search is divided, each branch that is left becomes an item: the path to its node
// (the stem), the sleep set there, the branch, and the wakeup tree below it. The nodes of the stem
// belong to whoever keeps the items (stems.h). An item is searched like a whole program, but from
// the end of its stem on, and a race whose reversal would have to begin at a node of the stem ends
// in a call: the sequence that reverses it, for the keeper. He adds a branch for it, which is
// another item, unless a branch that is known at that node is an initial of the sequence.
//
// Why it is right. As in one search, what a node does not explore is covered by a step that sleeps
// or a branch that is explored elsewhere; and since the branches of a node are in an order in which
// each sleeps on the earlier, no class is completed twice, whoever explores them and whenever. What
// is lost is that optimal DPOR never begins what others cover: an item is taken up without the
// sequences that would have been added below it later. Such executions are abandoned where all
// steps sleep; they are counted apart (Division::apart), and their races are reversed like those of
// others.
//
// Initials, not weak ones. One search may leave a sequence to a step that is asleep and independent
// of all of it: the branch of that step was done before, and whatever follows it in conflict with
// the step has been seen there, and led to a longer sequence. Here that branch may be under way at
// the same time, and each could leave a sequence to the other. So what sleeps at the end of a stem
// covers only sequences that begin with it (Sleeper::elsewhere), and so do the branches that a
// keeper knows.
//
// Atomic sections are known only in the process that has taken them, and a sequence that may do
// less than it was taken to do (has_guesses) would make counts depend on the division: such
// searches are not divided.
#include <algorithm>
#include <utility>

#include "strategies/dpor_search.h"

namespace heddle {
namespace {

constexpr uint32_t kDeepest = 1u << 16;  // of a wakeup tree

// The item as it was before the keeper handed it out.
std::string without_knowledge(std::string_view item) {
  BytesIn in(item);
  for (uint64_t nodes = in.count(); nodes > 0; --nodes)
    for (uint64_t left = in.count(); left > 0; --left) {
      in.action();
      in.number();
    }
  return std::string(in.rest());
}

}  // namespace

WakeupStep DporSearch::read_step(BytesIn& in) {
  const Action action = in.action();
  const auto choice = static_cast<uint32_t>(in.number());
  if (in.damaged()) return {};
  return {actions_.number_of(action), choice};
}

void DporSearch::write_step(BytesOut& out, const WakeupStep& step) const {
  out.action(actions_[step.action].action);
  out.number(step.choice);
}

void DporSearch::write_tree(BytesOut& out, WakeupTree::Cell first) const {
  uint64_t branches = 0;
  for (auto cell = first; cell != WakeupTree::kNone; cell = tree_.next(cell)) ++branches;
  out.number(branches);
  for (auto cell = first; cell != WakeupTree::kNone; cell = tree_.next(cell)) {
    write_step(out, tree_.step(cell));
    write_tree(out, tree_.first_child(cell));
  }
}

bool DporSearch::read_tree(BytesIn& in, WakeupTree::Cell& first, uint32_t depth) {
  for (uint64_t branches = in.count(); branches > 0; --branches) {
    const WakeupStep step = read_step(in);
    WakeupTree::Cell below = WakeupTree::kNone;
    if (depth == kDeepest || in.damaged() || !read_tree(in, below, depth + 1)) return false;
    tree_.set_children(tree_.append(first, step), below);
  }
  return !in.damaged();
}

// What is known at the nodes of the stem comes first: the keeper puts it there (stems.h).
bool DporSearch::load(BytesIn& in) {
  shared_ = in.count();
  known_.assign(shared_, {});
  called_.assign(shared_, {});
  for (std::vector<WakeupStep>& known : known_)
    for (uint64_t left = in.count(); left > 0; --left) known.push_back(read_step(in));
  stem_ = in.path();
  asleep_.clear();
  for (uint64_t left = in.count(); left > 0; --left) asleep_.push_back(read_step(in));
  tree_.remove_tree(first_);
  return read_tree(in, first_, 0) && in.done() && shared_ == stem_.size() + 1;
}

bool DporSearch::take_up(std::span<const WorkItem> items) {
  started_ = true;
  for (const WorkItem& item : items) {
    BytesIn in(item.bytes);
    if (!load(in)) return false;
    items_.push_back(item.bytes);
  }
  std::reverse(items_.begin(), items_.end());
  tree_.remove_tree(first_);
  shared_ = 0;
  return !items_.empty();
}

bool DporSearch::next_item() {
  note_calls();
  if (items_.empty()) return false;
  item_ = std::move(items_.back());
  items_.pop_back();
  BytesIn in(item_);
  preemptions_ = excused_ = 0;
  return load(in);
}

// At a node of the stem, or the one at its end: for the first and only time in this item.
bool DporSearch::follow_stem() {
  const size_t depth = nodes_.size() - 1;
  Node& node = nodes_.back();
  if (depth == stem_.size()) {
    sleep_.drop([](const Sleeper&) { return true; });
    for (const WakeupStep& step : asleep_)
      sleep_.add({step.action, actions_.untaken(step.action), step.choice, true});
    node.wakeup = std::exchange(first_, WakeupTree::kNone);
  } else {
    const View* view = find_view(depth, stem_[depth].thread);
    if (view == nullptr) {
      gaps_.lost = true;
      return false;
    }
    tree_.append(node.wakeup, {view->action, stem_[depth].choice});
  }
  return follow_tree();
}

// In one search the alternatives of a step are tried where it was first taken freely, and the
// sequences of races carry each of them further. Here that may have been above the stem.
void DporSearch::add_alternatives(const View& view, uint32_t taken) {
  const size_t depth = nodes_.size() - 1;
  Node& node = nodes_.back();
  for (uint32_t choice = 0; choice < view.choices; ++choice) {
    bool known = choice == taken || sleep_.contains(depth, view.action, choice);
    for (auto cell = node.wakeup; cell != WakeupTree::kNone; cell = tree_.next(cell))
      known =
          known || is_transition(tree_.step(cell), {actions_[view.action].action.thread, choice});
    if (!known) tree_.append(node.wakeup, {view.action, choice});
  }
}

// The step in the form in which the thread stands before it at the node.
WakeupStep DporSearch::as_seen(size_t node, const WakeupStep& step) const {
  const View* view = find_view(node, actions_[step.action].action.thread);
  const ActionId untaken = actions_.untaken(step.action);
  if (view == nullptr || !same_up_to_form(view->action, untaken)) return {untaken, step.choice};
  return {view->action, step.choice};
}

// Whether the same was called for before: of two sequences the second is, if each of the initials
// of the first is an initial of it.
bool DporSearch::is_called_for(size_t node, const Reversal& sequence) {
  std::vector<uint64_t> initials;
  for (size_t i = 0; i < sequence.size(); ++i) {
    const WakeupStep& step = sequence.item(i).step;
    if (sequence.find(sequence.item(i).thread) == i && sequence.initial(i))
      initials.push_back(uint64_t{index(step.action)} << 32 | step.choice);
  }
  std::sort(initials.begin(), initials.end());
  for (const std::vector<uint64_t>& earlier : called_[node])
    if (std::includes(initials.begin(), initials.end(), earlier.begin(), earlier.end()))
      return true;
  called_[node].push_back(std::move(initials));
  return false;
}

DporSearch::Answer DporSearch::call_for(size_t node, const Reversal& sequence) {
  for (const WakeupStep& step : known_[node]) {
    const size_t i = sequence.find(actions_[step.action].action.thread);
    if (i != Reversal::kAbsent && sequence.begins_with(i, step.action, step.choice))
      return {sequence.item(i).position};
  }
  if (is_called_for(node, sequence)) return {};
  ++call_count_;
  calls_.number(node);
  calls_.number(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    const WakeupStep& step = sequence.item(i).step;
    write_step(calls_, i == 0 ? as_seen(node, step) : step);
    const bool first = sequence.find(sequence.item(i).thread) == i;
    calls_.number(first && sequence.initial(i) ? 1 : 0);
  }
  return {};
}

// One note for each path: its nodes that are given to the keeper, and the calls for nodes of its
// stem.
void DporSearch::note_calls() {
  if (call_count_ == 0 && nodes_given_count_ == 0) return;
  notes_.path(path_.empty() ? std::span<const Transition>(stem_) : path_);
  notes_.number(std::exchange(nodes_given_count_, 0));
  notes_.append(nodes_given_.take());
  notes_.number(std::exchange(call_count_, 0));
  notes_.append(calls_.take());
}

void DporSearch::give_away(size_t node, std::span<const WakeupStep> asleep,
                           const WakeupStep& branch, WakeupTree::Cell below,
                           Division& division) const {
  BytesOut out;
  out.path(std::span(path_).first(node));
  out.number(asleep.size());
  for (const WakeupStep& step : asleep) write_step(out, step);
  out.number(1);
  write_step(out, branch);
  write_tree(out, below);
  division.items.push_back({0, out.take()});
}

// Each node of this search with all that sleeps and is tried there; as items, what is left.
void DporSearch::give_away_nodes(Division& division) {
  std::vector<WakeupStep> steps;
  for (size_t depth = shared_; depth < nodes_.size(); ++depth) {
    steps.clear();
    for (const Sleeper& sleeper : sleep_.of(depth))
      steps.push_back({sleeper.action, sleeper.choice});
    const Step& now = order_.step(static_cast<Position>(depth));
    const WakeupStep current{now.action, now.transition.choice};
    if (depth + 1 == nodes_.size()) give_away(depth, steps, current, nodes_[depth].below, division);
    steps.push_back(current);
    for (auto cell = nodes_[depth].wakeup; cell != WakeupTree::kNone; cell = tree_.next(cell)) {
      const WakeupStep branch = as_seen(depth, tree_.step(cell));
      give_away(depth, steps, branch, tree_.first_child(cell), division);
      steps.push_back(branch);
    }
    ++nodes_given_count_;
    nodes_given_.number(depth);
    nodes_given_.number(steps.size());
    for (const WakeupStep& step : steps) write_step(nodes_given_, step);
  }
}

Division DporSearch::divide(size_t) {
  Division division;
  const bool begun = !exhausted_ && !nodes_.empty();
  if (begun) give_away_nodes(division);
  note_calls();
  const bool waits = !exhausted_ && !begun && !item_.empty();
  if (waits) items_.push_back(item_);
  for (auto it = items_.rbegin(); it != items_.rend(); ++it)
    division.items.push_back({0, without_knowledge(*it)});
  items_.clear();
  division.notes = notes_.take();
  division.apart = apart_;
  division.left_out = gaps_.bits();
  exhausted_ = true;
  return division;
}

void DporSearch::conclude(int32_t, uint32_t left_out, bool all) {
  exhausted_ = all;
  gaps_.add(left_out);
}

}  // namespace heddle
