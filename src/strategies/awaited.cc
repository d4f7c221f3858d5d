// Races of waits for what several threads can have at a time: semaphores and reader-writer locks.
//
// Such a wait is not enabled while its object is not available, and some earlier steps are why it
// had to wait. They could have come later. So the wait races with them, as the acquire of a mutex
// does with the acquire before it: what has to be explored is the execution without these steps and
// without what happened after them, and in it the wait. Which steps must go?
//
//  * Of a semaphore all operations are ordered. The latest before which it had something left, and
//    all that came after it.
//  * A reader of a reader-writer lock: the lock of the last writer, likewise.
//  * A writer waits for each reader. Readers are independent of each other, so a writer that has
//  got
//    the lock races with the beginning of the last hold of each of them, one by one. Without that
//    hold another one may not have been given back (its thread waited for the first reader): then
//    that must go as well, and so on, until nobody holds the lock. A writer that is still blocked
//    races with all holders together.
//
// Where a step must go that the waiting thread itself depends on, there is no race.
//
// Why that is enough. Let p be the first of these steps, taken where the wait could have been taken
// soon after other steps w, independent of p. Below p every class of executions is explored, also
// the one in which the wait is taken after w with as few other steps as possible. There, p is
// found: if the steps that must go did not include p, the wait would be possible with fewer.
#include <algorithm>

#include "model/waiting.h"
#include "strategies/happens_before.h"

namespace heddle {

// Where `row` is what the step needed besides the lock.
void HappensBefore::order_after_holders(const KnownAction& known, ThreadId thread, uint32_t* row) {
  const Op op = known.action.op;
  const auto position = static_cast<Position>(steps_.size() - 1);
  own_.assign(row, row + stride_);
  for (uint32_t l = objects_[known.lock].newest; l != kNowhere; l = links_[l].older) {
    const Link link = links_[l];
    if (op == Op::RwRead && link.mode == AccessMode::Observes) continue;
    const bool ordered =
        this->thread(link.step) == thread || row[index(this->thread(link.step))] > link.step;
    if (!ordered && !available(op, link.before)) {
      const Position start = op == Op::RwWrite ? begin_of_hold(l) : first_available(l, op);
      roots_.clear();
      if (start != kNowhere) roots_.push_back(start);
      if (!roots_.empty() && make_available(known, thread))
        races_.push_back(race_without_roots(position));
      join(row, link.step);
    }
    if (link.mode == AccessMode::Changes) break;
  }
}

Race HappensBefore::pending_race_for_share(const KnownAction& known, ThreadId thread) {
  const auto position = static_cast<Position>(steps_.size());
  const Op op = known.action.op;
  clock_without_lock(position, thread, own_);
  roots_.clear();
  if (op != Op::RwWrite) {
    const Position start = first_available(objects_[known.lock].newest, op);
    if (start != kNowhere) roots_.push_back(start);
  }
  const bool possible = (op == Op::RwWrite || !roots_.empty()) && make_available(known, thread);
  if (possible && !roots_.empty()) return race_without_roots(position);
  Race none;
  none.second = position;
  return none;
}

// The latest step, from the link on back, before which the operation could have been taken.
Position HappensBefore::first_available(uint32_t link, Op op) const {
  for (; link != kNowhere; link = links_[link].older) {
    if (op == Op::RwRead && links_[link].mode == AccessMode::Observes) continue;
    if (available(op, links_[link].before)) return links_[link].step;
  }
  return kNowhere;
}

// Where the hold began that the step of the link ended.
Position HappensBefore::begin_of_hold(uint32_t link) {
  const Position release = links_[link].step;
  roots_.clear();
  find_holders(free_before(links_[link].object, release), release);
  for (const Hold& hold : holds_)
    if (hold.thread == thread(release)) return hold.start;
  return kNowhere;
}

// The latest link, not later than the position, before which nobody held the lock; or the first.
uint32_t HappensBefore::free_before(ObjectNumber lock, Position position) const {
  uint32_t l = objects_[lock].newest;
  while (l != kNowhere && (links_[l].step > position || links_[l].before != 0) &&
         links_[l].older != kNowhere)
    l = links_[l].older;
  return l;
}

// Who holds the lock after the steps from the link on up to `end`, but for roots and what happened
// after these.
bool HappensBefore::find_holders(uint32_t oldest, Position end) {
  holds_.clear();
  unseen_holds_ = 0;
  if (oldest == kNowhere) return false;
  const ObjectNumber lock = links_[oldest].object;
  if (links_[oldest].before != 0)
    unseen_holds_ = links_[oldest].before == kHeldForWriting ? 1 : links_[oldest].before;
  of_lock_.clear();
  for (uint32_t l = objects_[lock].newest; l != kNowhere; l = links_[l].older) {
    const bool again = !of_lock_.empty() && links_[of_lock_.back()].step == links_[l].step;
    if (!again) of_lock_.push_back(l);
    if (l == oldest) break;
  }
  for (size_t i = of_lock_.size(); i-- > 0;) {
    const Position position = links_[of_lock_[i]].step;
    if (position >= end) break;
    if (happens_after_root(position)) continue;
    uint32_t state = links_[of_lock_[i]].before;
    const ActionId action = steps_[position].action;
    if (!actions_[action].taken()) {
      apply(actions_[action].action.op, position, state);
      continue;
    }
    for (const LockStep& step : actions_.lock_steps(action))
      if (step.lock == lock) apply(step.op, position, state);
  }
  return !holds_.empty() || unseen_holds_ > 0;
}

// What the operation, which found the lock in this state, did to it.
void HappensBefore::apply(Op op, Position position, uint32_t& state) {
  const ThreadId thread = this->thread(position);
  const auto hold = std::find_if(holds_.begin(), holds_.end(),
                                 [&](const Hold& other) { return other.thread == thread; });
  switch (operation(op).lock) {
    case LockEffect::AcquireRead:
      if (state == kHeldForWriting) break;
      ++state;
      if (hold != holds_.end())
        ++hold->depth;
      else
        holds_.push_back({thread, 1, position});
      break;
    case LockEffect::AcquireWrite:
      if (state != 0) break;
      state = kHeldForWriting;
      holds_.push_back({thread, 1, position});
      break;
    case LockEffect::ReleaseRw:
      state = state == kHeldForWriting || state == 0 ? 0 : state - 1;
      if (hold == holds_.end()) {
        if (unseen_holds_ > 0) --unseen_holds_;
      } else if (--hold->depth == 0) {
        holds_.erase(hold);
      }
      break;
    default:
      break;
  }
}

// Adds to roots_ what else must not have happened for the wait to be possible; false if it needs
// one of these itself.
bool HappensBefore::make_available(const KnownAction& known, ThreadId thread) {
  const auto needed = [&](Position root) {
    return this->thread(root) == thread || own_[index(this->thread(root))] > root;
  };
  if (std::any_of(roots_.begin(), roots_.end(), needed)) return false;
  if (known.action.op != Op::RwWrite) return true;
  const auto end = static_cast<Position>(steps_.size());
  const Position last = roots_.empty() ? end : *std::min_element(roots_.begin(), roots_.end());
  const uint32_t oldest = free_before(known.lock, last);
  while (find_holders(oldest, end)) {
    if (holds_.empty()) return false;
    for (const Hold& hold : holds_) {
      if (needed(hold.start)) return false;
      roots_.push_back(hold.start);
    }
  }
  return true;
}

Race HappensBefore::race_without_roots(Position second) {
  Race race;
  race.first = *std::min_element(roots_.begin(), roots_.end());
  race.second = second;
  race.acquires = true;
  race.also = static_cast<uint32_t>(also_first_.size());
  for (Position root : roots_)
    if (root != race.first && !before(race.first, root)) also_first_.push_back(root);
  race.also_count = static_cast<uint32_t>(also_first_.size()) - race.also;
  return race;
}

}  // namespace heddle
