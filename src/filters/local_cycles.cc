// Local cycle detection (SCALE, section 4.2.3, algorithm 5).
//
// Problem. A thread that waits in a loop until another one sets a flag takes ever new steps: each
// adds an element to the happens-before state, which therefore never repeats. A search that lets it
// go on does not end.
//
// Idea. If the thread stands where it stood before, with the same stack and registers, and has
// changed nothing in between that others can see, it has gone in a circle: whatever comes next
// could have come a round earlier, since everything else would be as it is. Nothing below is new.
//
// That is what the spin monitor of the executors sees (explore/spin_monitor.h), in searches without
// this filter only where a thread was several times already, because local states are expensive.
// With it they are compared at every step; and since the thread is then shown as one that is not
// enabled, nothing is left to drop here, and where all threads have gone in circles the explorer
// looks whether it is a livelock. (Walking up the path for the last equal state, as in the
// algorithm, cut the circle but told nobody that the thread hangs.) What a loop keeps in memory
// that nobody else looks at belongs to its local state.
//
// Preserves. All states, provided that local cycles are the only infinite executions (SCALE,
// theorem 8); the search then ends. With depth first, breadth first and random picking, with seen
// and depth. Not with super-step (its proof needs executions to be finite), nor with icb (moving
// steps out of the circle may add preemptions).
#include "filters/registry.h"

namespace heddle {
namespace {

class LocalCycles final : public Filter {
 public:
  void apply(Expansion&) override {}
};

}  // namespace

std::unique_ptr<Filter> make_local_cycles_filter(uint64_t, const FilterContext&) {
  return std::make_unique<LocalCycles>();
}

}  // namespace heddle
