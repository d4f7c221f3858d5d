// Super step partial order reduction (SCALE, section 4.2.4, algorithm 6).
//
// Problem. While threads do things that do not concern each other, all interleavings of those lead
// to the same place.
//
// Idea. At a super node every enabled thread starts a super step: as many of its actions as
// possible, without looking at other threads in between. All but the last action of a super step
// are intermediate. A super step goes on as long as
//  * its last action, about to become intermediate, is independent of the last actions of the super
//    steps of other threads from the same super node;
//  * its next action is independent of their intermediate actions;
//  * its last action enables no thread.
// Where it cannot go on it ends in a new super node. Then no two super steps from one super node
// can disturb each other in their intermediate actions, and it is enough to interleave whole ones.
//
// Where we deviate.
//  * Two actions may enable a third only together: a signal while the mutex is held, and the
//    unlock. SCALE's third condition sees neither of them enable the waiter, and both become
//    intermediate. We ask for more: the last action must be independent of what each disabled
//    thread waits to do.
//  * The alternatives of one action (which waiter a signal wakes) each start a super step of their
//    own at a super node; elsewhere, a super step ends before an action that has alternatives.
//
// Preserves. Deadlocks, final states and failures (SCALE, theorems 9 to 11), not every state on the
// way. With depth first, breadth first and random picking; with depth, and with seen as described
// there. Not with local-cycles, whose executions may be infinite; nor with icb, since a super step
// may be reached only with more preemptions than the states it stands for.
#include <algorithm>

#include "filters/registry.h"

namespace heddle {
namespace {

class SuperSteps final : public Filter {
 public:
  void apply(Expansion& expansion) override {
    note_enabled(expansion);
    Successor* next = only_way_on(expansion);
    if (next != nullptr && may_go_on(expansion, *next))
      go_on(expansion, *next);
    else
      end_here(expansion);
  }

 private:
  static void note_enabled(Expansion& expansion) {
    expansion.node.enabled.clear();
    for (const ThreadView& view : expansion.configuration.live)
      if (view.enabled()) expansion.node.enabled.push_back(view.id);
  }

  // The next step of the thread that ran last, if there is exactly one.
  static Successor* only_way_on(Expansion& expansion) {
    if (expansion.node.parent == nullptr) return nullptr;
    Successor* found = nullptr;
    for (Successor& successor : expansion.successors) {
      if (successor.transition.thread != expansion.node.transition.thread) continue;
      if (found != nullptr) return nullptr;
      found = &successor;
    }
    return found;
  }

  static bool may_go_on(const Expansion& expansion, const Successor& next) {
    const Node& node = expansion.node;
    for (const SuperStep& other : node.super_origin->super_node->steps) {
      if (other.thread == node.transition.thread) continue;
      if (may_depend(node.action, other.actions.back())) return false;
      for (size_t i = 0; i + 1 < other.actions.size(); ++i)
        if (may_depend(next.action, other.actions[i])) return false;
    }
    return leaves_the_disabled_alone(expansion);
  }

  static bool leaves_the_disabled_alone(const Expansion& expansion) {
    const Node& node = expansion.node;
    const std::vector<ThreadId>& before = node.parent->enabled;
    for (const ThreadView& view : expansion.configuration.live) {
      if (view.id == node.transition.thread) continue;
      if (std::find(before.begin(), before.end(), view.id) != before.end()) continue;
      if (view.enabled() || may_depend(node.action, view.next)) return false;
    }
    return true;
  }

  static void go_on(Expansion& expansion, Successor& next) {
    const Node& node = expansion.node;
    for (Successor& successor : expansion.successors) successor.dropped = &successor != &next;
    next.super_step = node.super_step;
    node.super_origin->super_node->steps[node.super_step].actions.push_back(next.action);
  }

  static void end_here(Expansion& expansion) {
    expansion.node.super_node = std::make_unique<SuperNode>();
    std::vector<SuperStep>& steps = expansion.node.super_node->steps;
    for (Successor& successor : expansion.successors) {
      successor.super_step = static_cast<uint32_t>(steps.size());
      steps.push_back({successor.transition.thread, {successor.action}});
    }
  }
};

}  // namespace

std::unique_ptr<Filter> make_super_step_filter(uint64_t, const FilterContext&) {
  return std::make_unique<SuperSteps>();
}

}  // namespace heddle
