#include "explore/spin_monitor.h"

#include <algorithm>

namespace heddle {

void SpinMonitor::begin_execution(Spinning mode) {
  mode_ = mode;
  ++execution_;
  changes_ = 1;
  held_ = 0;
  suspect_ = {};
  some_spin_ = false;
}

uint32_t SpinMonitor::find(const Track& track, const Action& action) {
  for (uint32_t i = track.count; i-- > 0;) {
    const Visit& visit = track.visits[i];
    if (visit.pc == action.pc && visit.object == action.object && visit.op == action.op &&
        visit.held == track.held)
      return i;
  }
  return kNever;
}

// Only the newest visit of a place is kept: a round is never longer than it has to be.
void SpinMonitor::visit(Track& track, const Action& action, uint32_t seen, uint64_t state,
                        bool in_vain) {
  uint32_t times = 1;
  if (seen != kNever && held_less(track, seen)) {
    // Rounds are to be counted from where the thread holds least, which must not be forgotten.
    uint32_t least = seen;
    while (track.visits[least].holds >= track.holds) ++least;
    std::copy(track.visits.begin() + least, track.visits.begin() + track.count,
              track.visits.begin());
    track.count -= least;
    track.unchanged_since -= std::min(track.unchanged_since, least);
    track.untouched_since -= std::min(track.untouched_since, least);
  } else if (seen != kNever) {
    const Visit& before = track.visits[seen];
    times = before.times + 1;
    const bool repeats = state != 0 && before.state == state;
    if (in_vain || repeats) {
      track.spins = some_spin_ = true;
      track.repeats = repeats;
      track.round = track.steps - before.steps;
      track.tries_locks = tries_locks(track, seen);
      track.undisturbed =
          seen >= track.unchanged_since && (!track.tries_locks || seen >= track.untouched_since);
      track.surroundings = before.surroundings;
    }
    track.count = seen;
    track.unchanged_since = std::min(track.unchanged_since, seen);
    track.untouched_since = std::min(track.untouched_since, seen);
  } else if (track.count == kMostVisits) {
    track.clear();
  }
  track.visits[track.count++] = {action.pc,  action.object, action.op, times, track.steps,
                                 track.held, track.holds,   state,     {}};
}

// Who leaves a loop because of a change proves nothing about it.
void SpinMonitor::look_into(Track& track, ThreadId thread, const LoopPlaces::Place& place,
                            Address pc) {
  if (place.kind == LoopPlaces::Kind::Waits) return;
  if (track.repeats) {
    if (places_ != nullptr && states_ == LocalStates::AreExpensive &&
        place.kind == LoopPlaces::Kind::Unknown)
      places_->add(pc, LoopPlaces::Kind::Repeats);
    return;
  }
  const bool known = place.kind != LoopPlaces::Kind::Unknown;
  if (places_ != nullptr && (known || !places_->full()) && still_the_same(track))
    suspect_ = {thread, pc, track.visits[track.count - 1].times};
  track.spins = false;
}

void SpinMonitor::note_surroundings(Track& track) {
  Visit& now = track.visits[track.count - 1];
  now.surroundings = {changes_, held_ ^ track.held};
  track.spins = false;
  if (track.count == 1) return;
  const Surroundings& before = track.visits[track.count - 2].surroundings;
  if (before.changes != now.surroundings.changes) track.unchanged_since = track.count - 1;
  if (before.held != now.surroundings.held) track.untouched_since = track.count - 1;
}

// A thread that takes a lock in each round is not to wait where it holds it: others may need it.
bool SpinMonitor::held_less(const Track& track, uint32_t since) {
  for (uint32_t i = since; i < track.count; ++i)
    if (track.visits[i].holds < track.holds) return true;
  return false;
}

bool SpinMonitor::tries_locks(const Track& track, uint32_t since) {
  for (uint32_t i = since; i < track.count; ++i)
    if (track.visits[i].op == Op::MutexTryLock) return true;
  return false;
}

}  // namespace heddle
