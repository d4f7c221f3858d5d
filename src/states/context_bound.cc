#include "states/context_bound.h"

#include <algorithm>
#include <limits>

namespace heddle {

uint32_t ContextBounds::of(const PartialOrder& order, Cut& cut, uint64_t hash, ThreadId thread) {
  const uint64_t key = mix(hash, index(thread));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  calls_.push_back({thread, hash});
  while (true) {
    if (!go_on(order, cut)) continue;
    const Call done = calls_.back();
    calls_.pop_back();
    const bool initial = done.best == std::numeric_limits<uint32_t>::max();
    known_.emplace(mix(done.hash, index(done.thread)), initial ? 0 : done.best);
    if (calls_.empty()) return initial ? 0 : done.best;
    ++cut[index(done.thread)];
  }
}

// Carries the last call on; false if it needs another one first, which then is the last.
bool ContextBounds::go_on(const PartialOrder& order, Cut& cut) {
  Call& call = calls_.back();
  for (; call.next < cut.size(); ++call.next) {
    const ThreadId last{call.next};
    if (!order.is_maximal(cut, last)) continue;
    const OrderedStep& step = order.last_step(cut, last);
    const auto found = known_.find(mix(call.hash - step.mix, call.next));
    if (found == known_.end()) {
      --cut[call.next];
      calls_.push_back({last, call.hash - step.mix});
      return false;
    }
    uint32_t bound = found->second;
    if (last != call.thread && !gives_up_processor(step.action.op) && bound < call.best)
      bound += order.enabled_in(cut, last) == Answer::Yes;
    call.best = std::min(call.best, bound);
  }
  return true;
}

}  // namespace heddle
