// Local cycle detection (SCALE, section 4.2.3, algorithm 5).
//
// Problem. A thread that waits in a loop until another one sets a flag takes ever new steps: each
// adds an element to the happens-before state, which therefore never repeats. A search that lets it
// go on does not end.
//
// Idea. If the thread stands where it stood before, with the same stack and registers, and has
// changed nothing in between that others can see, it has gone in a circle: whatever comes next
// could have come a round earlier. The steps of other threads in between must be movable out of the
// circle: none of them may conflict with a step of the circle. Walk up the nodes from the last
// step, collecting steps, until the same local state is found (a circle: nothing below is new), or
// a change by the thread itself, or a conflict (progress: go on).
//
// The local state comes from the executor (Executor::local_state). Where it does not know one, no
// circle is ever seen. Of a native thread it is the stack and the registers. What a loop keeps
// elsewhere is not in it: with --visible=all a change of it is a step that changes something, so
// that nothing is lost; with --visible=sync a waiting loop that also counts in a global variable is
// taken for a circle.
//
// Preserves. All states, provided that local cycles are the only infinite executions (SCALE,
// theorem 8); the search then ends. A loop that takes a lock in each round changes what others see,
// and is no local cycle. With depth first, breadth first and random picking, with seen and depth.
// Not with super-step (its proof needs executions to be finite), nor with icb (moving steps out of
// the circle may add preemptions).
#include "filters/registry.h"

namespace heddle {
namespace {

bool changes_something(const Action& action) {
  for (const Access& access : accesses_of(action))
    if (access.mode == AccessMode::Changes) return true;
  return false;
}

class LocalCycles final : public Filter {
 public:
  void apply(Expansion& expansion) override {
    Node& node = expansion.node;
    if (node.parent == nullptr || expansion.executor == nullptr) return;
    node.local_state = expansion.executor->local_state(node.transition.thread);
    if (node.local_state != 0 && ends_a_cycle(node)) expansion.drop_all();
  }

 private:
  bool ends_a_cycle(const Node& node) {
    const ThreadId thread = node.transition.thread;
    collected_.clear();
    for (const Node* at = &node; at->parent != nullptr; at = at->parent) {
      if (made_progress(at->action, thread)) return false;
      const Node& before = *at->parent;
      if (before.parent != nullptr && before.transition.thread == thread &&
          before.local_state == node.local_state)
        return true;
      collected_.push_back(&at->action);
    }
    return false;
  }

  bool made_progress(const Action& action, ThreadId thread) const {
    const bool own = action.thread == thread;
    if (own && changes_something(action)) return true;
    for (const Action* later : collected_)
      if (own != (later->thread == thread) && may_depend(action, *later)) return true;
    return false;
  }

  std::vector<const Action*> collected_;
};

}  // namespace

std::unique_ptr<Filter> make_local_cycles_filter(uint64_t, const FilterContext&) {
  return std::make_unique<LocalCycles>();
}

}  // namespace heddle
