// Depth bounding (SCALE, section 4.2.2, algorithm 4).
//
// Problem. A program with a loop that depends on other threads has executions without end.
//
// Idea. Drop every successor that is more than N steps away from the initial state. All ways to one
// happens-before state have the same length, so it does not matter by which it was reached.
//
// Where we deviate. SCALE calls an execution that reaches the bound a livelock; we leave it there
// and say in the guarantee that something lies beyond. (--max-steps reports livelocks.)
//
// Preserves. The states that N steps can reach (SCALE, theorem 7); nothing is lost if no execution
// is longer. With any strategy that takes filters, and all other filters.
#include "filters/registry.h"

namespace heddle {
namespace {

class Depth final : public Filter {
 public:
  explicit Depth(uint64_t bound) : bound_(bound) {}

  void apply(Expansion& expansion) override {
    if (expansion.node.depth < bound_) return;
    for (const Successor& successor : expansion.successors) reached_ |= !successor.dropped;
    expansion.drop_all();
  }

  std::string left_out() const override {
    if (!reached_) return {};
    return "within the first " + std::to_string(bound_) + " steps; undecided beyond";
  }

 private:
  const uint64_t bound_;
  bool reached_ = false;
};

}  // namespace

std::unique_ptr<Filter> make_depth_filter(uint64_t argument, const FilterContext&) {
  return std::make_unique<Depth>(argument);
}

}  // namespace heddle
