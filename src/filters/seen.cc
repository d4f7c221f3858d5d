// Not seen before (SCALE, section 4.2.1, algorithm 3).
//
// Problem. Executions that order independent steps differently pass through the same states, and
// whatever follows a state follows it each time.
//
// Idea. Keep the happens-before states that were explored, and drop a successor that is among them.
// Happens-before states form an acyclic graph (each step adds an element), so this is an ordinary
// traversal of that graph.
//
// Where we deviate.
//  * SCALE marks a state when it is reached. Here it is marked when it is picked from the frontier,
//    and asked about a second time then: a state that waits in the frontier twice is run to once.
//  * Under a bound on preemptions the future of a state depends on who ran last, so a state counts
//    together with that thread (the `table` of Musuvathi and Qadeer, PLDI 2007, section 3, which
//    holds work items). Since states are picked in the order of their preemptions, the first visit
//    is the cheapest one, and later ones can reach nothing new within the bound.
//  * Together with super-step only super nodes are marked, when it is known that they are. An
//    intermediate state is explored for one thread only, and must not stop a search that needs the
//    others. The other way round, a super step that runs into a marked super node may end there:
//    whatever it leads to can be reached from that node, and all that can is explored from there.
//    Marking every state, as SCALE does when it combines the two, has no proof that we know of.
//  * With a number, only so many states are kept. A state that was pushed out is explored again.
//
// Preserves. All states; as for the exactness of "seen", see state_set.h. With any order of picking
// and all other filters; with icb for each bound.
#include "filters/registry.h"
#include "states/state_set.h"

namespace heddle {
namespace {

class Seen final : public Filter {
 public:
  Seen(uint64_t capacity, const FilterContext& context) : context_(context), states_(capacity) {}

  bool admits(const Node& node) override {
    const uint64_t key = key_of(node.state, node.transition.thread);
    if (context_.super_steps) return !states_.contains(key);
    return context_.exact_states || states_.insert(key);
  }

  void apply(Expansion& expansion) override {
    if (context_.exact_states) return apply_exactly(expansion);
    const Node& node = expansion.node;
    if (context_.super_steps && node.super_node != nullptr &&
        !states_.insert(key_of(node.state, node.transition.thread)))
      return expansion.drop_all();
    for (Successor& successor : expansion.successors)
      if (states_.contains(key_of(successor.state, successor.transition.thread)))
        successor.dropped = true;
  }

  uint64_t states() const override {
    return context_.exact_states ? exact_.size() : states_.size();
  }

  std::string left_out() const override {
    if (exact_.collisions() == 0) return {};
    return std::to_string(exact_.collisions()) + " hash collisions found and resolved";
  }

 private:
  uint64_t key_of(uint64_t state, ThreadId last) const {
    return context_.by_thread ? mix(state, index(last)) : state;
  }

  // The full state is at hand only when the program has been brought there.
  void apply_exactly(Expansion& expansion) {
    const Node& node = expansion.node;
    const bool counts = !context_.super_steps || node.super_node != nullptr;
    CanonicalState state = canonical(expansion.elements);
    if (counts && !exact_.insert(key_of(node.state, node.transition.thread), std::move(state)))
      return expansion.drop_all();
    std::vector<ExtendedAction> longer(expansion.elements.begin(), expansion.elements.end());
    for (Successor& successor : expansion.successors) {
      longer.push_back(successor.element);
      if (exact_.contains(key_of(successor.state, successor.transition.thread), canonical(longer)))
        successor.dropped = true;
      longer.pop_back();
    }
  }

  const FilterContext context_;
  StateSet states_;
  ExactStateSet exact_;
};

}  // namespace

std::unique_ptr<Filter> make_seen_filter(uint64_t argument, const FilterContext& context) {
  return std::make_unique<Seen>(argument, context);
}

}  // namespace heddle
