// Search with a frontier and state filters.
//
// Problem. Plain depth-first search walks the tree of schedules. States repeat in it, and most of
// the ways to a state need not be taken.
//
// Idea (SCALE, section 4.1, algorithm 2). Keep a frontier of states that were found and not yet
// explored. Pick one, bring the program there, find its successors, let each filter drop some, and
// put the rest into the frontier. Which one is picked is free: the last found (depth first), the
// first found (breadth first), one at random, or one with the fewest preemptions. A state is a node
// of a tree: a link to the node it was reached from and the step that led there; bringing the
// program to it is a prefix.
//
// With the last order and the filter seen this is icb with state caching (Musuvathi, Qadeer, PLDI
// 2007, section 3, `table`): see filters/seen.cc for what counts as seen there.
//
// Where we deviate. SCALE restarts the program whenever the picked state is not a successor of the
// present one. So do we, but the explorer knows executions only: where nothing is picked below the
// present state, the execution is abandoned, and the next one begins with another prefix. Breadth
// first and random picking therefore abandon nearly every execution, and repeat long prefixes; they
// are for small programs and for looking around.
//
// Guarantee. When the frontier is empty: what the filters preserve. Without filters that is all
// executions. In order of preemptions, the same for each bound. Memory: one node for each state in
// the frontier and its ancestors, and what the filters keep. Nodes are recycled.
#include "strategies/frontier.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "filters/registry.h"
#include "strategies/gaps.h"
#include "strategies/pick_order.h"
#include "strategies/strategy_table.h"
#include "strategies/transition_order.h"

namespace heddle {
namespace {

// Nodes, recycled when neither they nor a descendant are of interest.
class NodePool {
 public:
  Node* make(Node* parent) {
    if (free_.empty()) {
      owned_.push_back(std::make_unique<Node>());
      free_.push_back(owned_.back().get());
    }
    Node* node = free_.back();
    free_.pop_back();
    node->parent = parent;
    node->references = 1;
    if (parent != nullptr) ++parent->references;
    return node;
  }

  void release(Node* node) {
    while (node != nullptr && --node->references == 0) {
      node->super_node.reset();
      node->super_origin = nullptr;
      free_.push_back(node);
      node = node->parent;
    }
  }

 private:
  std::vector<std::unique_ptr<Node>> owned_;
  std::vector<Node*> free_;
};

StrategyTraits traits_of(FrontierKind kind) {
  const bool by_preemptions = kind == FrontierKind::ByPreemptions;
  return strategy_info(by_preemptions ? StrategyId::icb : StrategyId::dfs).traits();
}

class FrontierSearch final : public StrategyBase {
 public:
  FrontierSearch(std::unique_ptr<Frontier> frontier, std::vector<std::unique_ptr<Filter>> filters,
                 FrontierKind kind, Spinning spinning, int32_t largest_bound)
      : StrategyBase(traits_of(kind)),
        frontier_(std::move(frontier)),
        filters_(std::move(filters)),
        kind_(kind),
        spinning_(spinning),
        largest_bound_(largest_bound) {
    next_ = pool_.make(nullptr);
    for (const auto& filter : filters_) filter->admits(*next_);
  }

  bool begin_execution() override;
  std::span<const Transition> prefix() const override { return prefix_; }
  uint32_t prefix_preemptions() const override { return current_->preemptions; }
  Spinning spinning() const override { return spinning_; }
  void attach(const Executor& executor) override { executor_ = &executor; }
  Transition choose(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  bool complete() const override { return exhausted_ && !gaps_.any() && !hides_more(); }
  std::string guarantee() const override;
  std::string_view mistake() const override;
  int bound() const override {
    return kind_ == FrontierKind::ByPreemptions ? static_cast<int>(frontier_->bound()) : -1;
  }

 private:
  void go_to(Node* node);
  void find_successors(Expansion& expansion);
  void put_into_frontier(const Expansion& expansion);
  Node* pick();
  bool hides_more() const {
    return std::any_of(filters_.begin(), filters_.end(),
                       [](const auto& filter) { return filter->may_hide_more(); });
  }

  NodePool pool_;
  std::unique_ptr<Frontier> frontier_;
  std::vector<std::unique_ptr<Filter>> filters_;
  const FrontierKind kind_;
  const Spinning spinning_;
  const int32_t largest_bound_;  // -1: none
  const Executor* executor_ = nullptr;

  Node* current_ = nullptr;  // where the program is
  Node* next_ = nullptr;     // already picked for the next execution
  Schedule prefix_;
  StateTracker tracker_;                  // of the current state
  std::vector<ExtendedAction> elements_;  // its elements
  std::vector<const Node*> chain_;
  std::vector<Successor> successors_;
  bool exhausted_ = false;
  bool left_out_some_ = false;  // there are executions beyond largest_bound_
  Gaps gaps_;
};

bool FrontierSearch::begin_execution() {
  if (exhausted_ || !mistake().empty()) return false;
  Node* next = next_ != nullptr ? std::exchange(next_, nullptr) : pick();
  exhausted_ = next == nullptr;
  if (!exhausted_) go_to(next);
  return !exhausted_;
}

// Sets the prefix that leads to the node, and the state there.
void FrontierSearch::go_to(Node* node) {
  chain_.clear();
  for (const Node* at = node; at->parent != nullptr; at = at->parent) chain_.push_back(at);
  std::reverse(chain_.begin(), chain_.end());
  prefix_.clear();
  elements_.clear();
  tracker_.clear();
  for (const Node* at : chain_) {
    prefix_.push_back(at->transition);
    elements_.push_back(tracker_.extend(at->action, at->transition.choice));
  }
  current_ = node;
}

Transition FrontierSearch::choose(const Configuration& configuration) {
  Expansion expansion{*current_, configuration, executor_, elements_, std::move(successors_)};
  find_successors(expansion);
  for (const auto& filter : filters_) filter->apply(expansion);
  if (!mistake().empty()) return kAbandon;
  put_into_frontier(expansion);
  successors_ = std::move(expansion.successors);

  Node* next = pick();
  if (next == nullptr || next->parent != current_) {
    next_ = next;
    return kAbandon;
  }
  pool_.release(std::exchange(current_, next));
  elements_.push_back(tracker_.extend(next->action, next->transition.choice));
  return next->transition;
}

void FrontierSearch::find_successors(Expansion& expansion) {
  expansion.successors.clear();
  const ThreadId running = incumbent(expansion.configuration);
  for_each_transition(expansion.configuration, [&](Transition transition) {
    Successor successor;
    successor.transition = transition;
    successor.action = expansion.configuration.find(transition.thread)->next;
    successor.element = tracker_.preview(successor.action, transition.choice);
    successor.state = tracker_.hash() + mix(successor.element);
    successor.preemptions =
        current_->preemptions + (running != kNoThread && transition.thread != running);
    expansion.successors.push_back(successor);
  });
}

// In reverse, so that what is tried first is on top when the last found is picked first.
void FrontierSearch::put_into_frontier(const Expansion& expansion) {
  const std::vector<Successor>& successors = expansion.successors;
  for (auto it = successors.rbegin(); it != successors.rend(); ++it) {
    if (it->dropped) continue;
    if (kind_ == FrontierKind::ByPreemptions && largest_bound_ >= 0 &&
        it->preemptions > static_cast<uint32_t>(largest_bound_)) {
      left_out_some_ = true;
      continue;
    }
    Node* node = pool_.make(current_);
    node->transition = it->transition;
    node->action = it->action;
    node->state = it->state;
    node->depth = current_->depth + 1;
    node->preemptions = it->preemptions;
    node->super_step = it->super_step;
    node->super_origin = current_->super_node != nullptr ? current_ : current_->super_origin;
    frontier_->push(node, it->preemptions);
  }
}

Node* FrontierSearch::pick() {
  while (Node* node = frontier_->pick()) {
    const bool admitted = std::all_of(filters_.begin(), filters_.end(),
                                      [&](const auto& filter) { return filter->admits(*node); });
    if (admitted) return node;
    pool_.release(node);
  }
  return nullptr;
}

void FrontierSearch::end_execution(const ExecutionSummary& summary) {
  gaps_.note_end(summary, prefix_.size());
  pool_.release(std::exchange(current_, nullptr));
}

std::string FrontierSearch::guarantee() const {
  std::string text;
  if (kind_ == FrontierKind::ByOrder) {
    if (!exhausted_) return "";
    text = "all final states, deadlocks and failures";
  } else {
    const int done = exhausted_ ? bound() : bound() - 1;
    if (done < 0) return "";
    text = "all states that executions reach";
    if (!exhausted_ || left_out_some_)
      text += " with at most " + std::to_string(exhausted_ ? largest_bound_ : done) +
              (done == 1 ? " preemption" : " preemptions") + "; undecided beyond";
  }
  for (const auto& filter : filters_)
    if (const std::string more = filter->left_out(); !more.empty()) text += "; " + more;
  return text + gaps_.exceptions();
}

std::string_view FrontierSearch::mistake() const {
  for (const auto& filter : filters_)
    if (const std::string_view wrong = filter->mistake(); !wrong.empty()) return wrong;
  return {};
}

std::unique_ptr<Frontier> make_frontier(const RunOptions& options, FrontierKind kind) {
  if (kind == FrontierKind::ByPreemptions) return std::make_unique<PreemptionFrontier>();
  switch (options.order) {
    case PickOrder::Breadth:
      return std::make_unique<BreadthFirstFrontier>();
    case PickOrder::Random:
      return std::make_unique<RandomFrontier>(options.seed);
    case PickOrder::Depth:
      break;
  }
  return std::make_unique<DepthFirstFrontier>();
}

// Where preemptions count, a thread that waits in a loop must be seen to wait: there its processor
// is free for others.
Spinning spinning_for(FrontierKind kind) {
  return kind == FrontierKind::ByPreemptions ? Spinning::Wait : Spinning::Prune;
}

}  // namespace

bool wants_frontier(const RunOptions& options) {
  return options.filters[0] != '\0' || options.order != PickOrder::Depth;
}

std::unique_ptr<Strategy> make_frontier_search(const RunOptions& options, FrontierKind kind) {
  std::vector<FilterSpec> specs;
  const std::string_view text(options.filters, strnlen(options.filters, sizeof options.filters));
  if (!parse_filters(text, specs).empty()) return nullptr;
  FilterContext context;
  context.by_thread = kind == FrontierKind::ByPreemptions;
  context.exact_states = options.exact_states;
  context.script = options.filter_script;
  context.seed = options.seed;
  return std::make_unique<FrontierSearch>(make_frontier(options, kind),
                                          make_filters(specs, context), kind, spinning_for(kind),
                                          options.bound);
}

}  // namespace heddle
