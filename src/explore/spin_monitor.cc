#include "explore/spin_monitor.h"

#include <algorithm>

namespace heddle {

bool LoopPlaces::doubt(Address pc) {
  for (uint32_t i = 0; i < count_; ++i) {
    Place& place = places_[i];
    if (place.pc != pc || place.rounds >= kEnough) continue;
    place.rounds = std::max(2 * place.rounds, 2 * kTimesInVain);
    return news_ = true;
  }
  return false;
}

void LoopPlaces::forget_short_ones() {
  const auto is_short = [](const Place& place) {
    return place.kind == Kind::Counts && place.rounds < kFew;
  };
  const auto last = places_.begin() + count_;
  const auto end = std::remove_if(places_.begin(), last, is_short);
  std::fill(end, last, Place{});
  count_ = static_cast<uint32_t>(end - places_.begin());
}

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

// Of a loop that was seen to need many rounds they must be undisturbed. But which rounds a
// reduction lets a thread make depends on the thread alone.
bool SpinMonitor::in_vain(const Visit& visit, const LoopPlaces::Place& place) const {
  if (visit.times < place.patience()) return false;
  return mode_ == Spinning::Prune || place.rounds == 0 || visit.quiet + 1 >= place.patience();
}

// Only the newest visit of a place is kept: a round is never longer than it has to be.
void SpinMonitor::visit(Track& track, const Action& action, uint32_t seen, uint64_t state,
                        const LoopPlaces::Place& place) {
  Visit now;
  now.pc = action.pc;
  now.object = action.object;
  now.op = action.op;
  now.taken = track.taken;
  now.steps = track.steps;
  now.held = track.held;
  now.holds = track.holds;
  now.state = state;
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
    const bool locks = tries_locks(track, seen);
    const bool undisturbed =
        seen >= track.unchanged_since && (!locks || seen >= track.untouched_since);
    now.times = before.times + 1;
    now.looks = before.taken == track.taken ? before.looks + 1 : 1;
    now.quiet = undisturbed ? before.quiet + 1 : 0;
    now.surroundings = before.surroundings;  // until it goes on
    const bool repeats = state != 0 && before.state == state;
    if (repeats || in_vain(now, place)) {
      track.spins = some_spin_ = true;
      track.repeats = repeats;
      track.round = track.steps - before.steps;
      track.tries_locks = locks;
      track.undisturbed = undisturbed;
      track.surroundings = before.surroundings;
    }
    track.count = seen;
    track.unchanged_since = std::min(track.unchanged_since, seen);
    track.untouched_since = std::min(track.untouched_since, seen);
  } else if (track.count == kMostVisits) {
    track.clear();
  }
  track.visits[track.count++] = now;
}

// Who leaves a loop because of a change proves nothing about it. Of a loop that is being looked
// into the state may come back after many rounds only: whether it is said to repeat is decided
// there.
void SpinMonitor::look_into(Track& track, ThreadId thread, const LoopPlaces::Place& place,
                            Address pc) {
  if (place.kind == LoopPlaces::Kind::Waits) return;
  if (track.repeats) {
    if (places_ != nullptr && states_ == LocalStates::AreExpensive &&
        place.kind == LoopPlaces::Kind::Unknown && suspect_.thread != thread)
      places_->add(pc, LoopPlaces::Kind::Repeats);
    return;
  }
  const bool known = place.kind != LoopPlaces::Kind::Unknown;
  const bool busy = suspect_.thread != kNoThread;  // the loop around this one is being looked into
  if (places_ != nullptr && !busy && (known || !places_->full()) && still_the_same(track))
    suspect_ = {thread, pc, track.visits[track.count - 1].times};
  track.spins = false;
}

bool SpinMonitor::reconsider() {
  bool some = false;
  for (const Track& track : tracks_)
    if (track.execution == execution_ && track.spins && !track.repeats)
      some = places_->doubt(track.visits[track.count - 1].pc) || some;
  if (some) places_->forget_short_ones();
  return some;
}

void SpinMonitor::note_surroundings(Track& track) {
  Visit& now = track.visits[track.count - 1];
  if (now.surroundings.changes != changes_) now.quiet = 0;  // somebody has changed something since
  now.surroundings = {changes_, held_ - track.held};
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

namespace {

bool tries_to_acquire(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& row) {
    return row.waits == Waits::Never &&
           (row.lock == LockEffect::TryAcquire || row.lock == LockEffect::AcquireRead ||
            row.lock == LockEffect::AcquireWrite);
  });
  return kSuch.contains(op);
}

}  // namespace

bool SpinMonitor::tries_locks(const Track& track, uint32_t since) {
  for (uint32_t i = since; i < track.count; ++i)
    if (tries_to_acquire(track.visits[i].op)) return true;
  return false;
}

}  // namespace heddle
