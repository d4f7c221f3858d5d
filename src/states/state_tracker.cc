#include "states/state_tracker.h"

#include <algorithm>

namespace heddle {

void StateTracker::clear() {
  versions_.clear();
  steps_.assign(steps_.size(), 0);
  hash_ = 0;
  size_ = 0;
}

ExtendedAction StateTracker::preview(const Action& action, uint32_t choice) const {
  const uint32_t thread = index(action.thread);
  ExtendedAction result;
  result.thread = action.thread;
  result.step = thread < steps_.size() ? steps_[thread] : 0;
  result.choice = choice;
  result.op = action.op;
  for (const Access& access : accesses_of(regardless_of_outcome(action))) {
    uint64_t version = versions_.version(access);
    if (access.mode == AccessMode::Changes) ++version;
    result.accesses[result.access_count++] = {access.kind, access.mode, access.begin, access.end,
                                              version};
  }
  return result;
}

ExtendedAction StateTracker::extend(const Action& action, uint32_t choice) {
  const ExtendedAction added = preview(action, choice);
  const uint32_t thread = index(action.thread);
  if (thread >= steps_.size()) steps_.resize(thread + 1);
  ++steps_[thread];
  for (const Access& access : accesses_of(regardless_of_outcome(action)))
    if (access.mode == AccessMode::Changes) versions_.change(access);
  hash_ += mix(added);
  ++size_;
  return added;
}

CanonicalState canonical(std::span<const ExtendedAction> elements) {
  CanonicalState state(elements.begin(), elements.end());
  std::sort(state.begin(), state.end());
  return state;
}

}  // namespace heddle
