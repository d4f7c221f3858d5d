#include "strategies/happens_before.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "strategies/clock_rows.h"

namespace heddle {

void HappensBefore::append(Transition transition, ActionId action, uint32_t choices,
                           uint32_t before, std::span<const Action> inside) {
  const uint32_t thread = index(transition.thread);
  if (thread >= last_.size()) widen(thread + 1);
  if (objects_.size() < actions_.objects()) objects_.resize(actions_.objects());
  const auto position = static_cast<Position>(steps_.size());

  const Undo undo{static_cast<uint32_t>(links_.size()),        static_cast<uint32_t>(races_.size()),
                  static_cast<uint32_t>(also_first_.size()),   static_cast<uint32_t>(woken_.size()),
                  static_cast<uint32_t>(locks_before_.size()), meets_all_};
  if (is_last_resort(actions_[action].action.op)) {
    const Race race = race_of_timeout(actions_[action].action, transition.thread);
    if (race.first != kNowhere) races_.push_back(race);
  }
  undo_.push_back(undo);
  const KnownAction& known = actions_[action];
  Step& step = steps_.emplace_back();
  step.action = action;
  step.transition = transition;
  step.previous = last_[thread];
  if (is_woken(known.action.op)) step.enabled_by = std::exchange(woke_by_[thread], kNowhere);
  step.before = before;
  step.has_alternatives = choices > 1;
  if (clocks_.size() < steps_.size() * stride_) clocks_.resize(2 * steps_.size() * stride_);
  uint32_t* row = &clocks_[position * stride_];
  if (step.previous != kNowhere)
    copy(row, step.previous);
  else
    std::fill_n(row, stride_, 0);
  if (step.enabled_by != kNowhere) join(row, step.enabled_by);

  if (is_last_resort(known.action.op)) {
    for (Position other : last_)
      if (other != kNowhere) join(row, other);
  } else {
    const bool waited = waits_for_release(known, transition.thread);
    if (waited) order_after_lock(known, transition.thread, row);
    if (known.role == LockRole::Await) order_after_holders(known, transition.thread, row);
    collect_conflicts(action, transition.thread);
    for (const Conflict& conflict : conflicts_) {
      if (row[index(this->thread(conflict.step))] > conflict.step) continue;
      if (conflict.reversible) races_.push_back({conflict.step, position});
      join(row, conflict.step);
    }
  }
  row[thread] = position + 1;
  last_[thread] = position;
  link(action, position, inside);
  change_locks(action, position);
  if (known.everything && known.taken()) meets_all_ = position;
}

void HappensBefore::learn_last(ActionId action, std::span<const Action> inside) {
  const Step last = steps_.back();
  truncate(steps_.size() - 1);
  append(last.transition, action, last.has_alternatives ? 2 : 1, last.before, inside);
}

// What the wait that ends now has waited for is in a race with what kept it waiting.
Race HappensBefore::race_of_timeout(const Action& action, ThreadId thread) {
  Action awaited = action;
  awaited.op = static_cast<Op>(action.size);
  awaited.size = 0;
  if (action.size >= kOperations.size() || operation(awaited.op).waits != Waits::Until) return {};
  const ActionId wait = actions_.number_of(awaited);
  if (objects_.size() < actions_.objects()) objects_.resize(actions_.objects());
  Race race = pending_race(thread, wait);
  race.instead = wait;
  return race;
}

void HappensBefore::truncate(size_t size) {
  while (steps_.size() > size) {
    const Step& step = steps_.back();
    const Undo& undo = undo_.back();
    const KnownAction& known = actions_[step.action];
    for (; links_.size() > undo.links; links_.pop_back())
      objects_[links_.back().object].newest = links_.back().older;
    for (; woken_.size() > undo.woken; woken_.pop_back())
      woke_by_[index(thread(woken_.back()))] = kNowhere;
    races_.resize(undo.races);
    also_first_.resize(undo.also);
    for (; locks_before_.size() > undo.locks; locks_before_.pop_back())
      objects_[locks_before_.back().lock].lock = locks_before_.back().state;
    meets_all_ = undo.meets_all;
    const uint32_t thread = index(step.transition.thread);
    last_[thread] = step.previous;
    // It had been enabled by a signal or the like; it is again about to be taken.
    if (is_woken(known.action.op)) woke_by_[thread] = step.enabled_by;
    steps_.pop_back();
    undo_.pop_back();
  }
}

void HappensBefore::widen(size_t threads) {
  last_.resize(threads, kNowhere);
  woke_by_.resize(threads, kNowhere);
  widen_rows(clocks_, steps_.size(), stride_, threads);
}

// Whether the step began a wait that is over already: nobody else woke the thread.
void HappensBefore::note_own_wake(const Configuration& configuration) {
  Step& step = steps_.back();
  const ThreadView* view = configuration.find(step.transition.thread);
  if (view != nullptr && is_woken(view->next.op)) step.woke_itself = true;
}

void HappensBefore::note_woken(const Configuration& configuration) {
  const auto position = static_cast<Position>(steps_.size() - 1);
  if (undo_.back().woken != woken_.size()) return;  // observed before
  for (const ThreadView& view : configuration.live) {
    if (!is_woken(view.next.op)) continue;
    const uint32_t thread = index(view.id);
    if (thread >= last_.size() || last_[thread] == kNowhere || woke_by_[thread] != kNowhere)
      continue;
    if (steps_[last_[thread]].woke_itself) continue;
    woke_by_[thread] = position;
    woken_.push_back(last_[thread]);
  }
}

// The last step on the lock that is dependent with the action; kNowhere if there is none.
Position HappensBefore::newest_conflict(const KnownAction& known) const {
  uint32_t l = objects_[known.lock].newest;
  if (known.role == LockRole::Pass)
    while (l != kNowhere && links_[l].mode == AccessMode::Observes) l = links_[l].older;
  return l == kNowhere ? kNowhere : links_[l].step;
}

// Whether the action takes a lock which it can only have because another thread released it.
bool HappensBefore::waits_for_release(const KnownAction& known, ThreadId thread) const {
  if (known.role != LockRole::Acquire && known.role != LockRole::Pass) return false;
  const Position newest = newest_conflict(known);
  if (newest == kNowhere || objects_[known.lock].lock.owner == thread) return false;
  return this->thread(newest) != thread && releases_first(newest, known.lock);
}

// Whether the step found the lock held by its own thread, and released it.
bool HappensBefore::releases_first(Position position, ObjectNumber lock) const {
  const ActionId action = steps_[position].action;
  const KnownAction& known = actions_[action];
  if (!known.taken()) {
    if (known.role != LockRole::Release || known.lock != lock) return false;
    const uint32_t found = steps_[position].before;
    return found == Action::kUnknownState || found == index(thread(position)) + 1;
  }
  if (state_before(lock, position).owner == thread(position)) return true;
  for (const LockStep& step : actions_.lock_steps(action))
    if (step.lock == lock) return step.role == LockRole::Release;
  return false;
}

// The acquire by which the lock came to be held that the step released, where the lock was free
// before: an atomic section may release it and take it again.
Position HappensBefore::acquired_for(Position release, ObjectNumber lock) const {
  while (release != kNowhere && releases_first(release, lock)) {
    const Position start = state_before(lock, release).start;
    if (start != kNowhere && start >= release) return kNowhere;
    release = start;
  }
  return release;
}

void HappensBefore::order_after_lock(const KnownAction& known, ThreadId thread, uint32_t* row) {
  const Position newest = newest_conflict(known);
  const Position start = acquired_for(newest, known.lock);
  if (start != kNowhere && this->thread(start) != thread &&
      row[index(this->thread(start))] <= start)
    races_.push_back({start, static_cast<Position>(steps_.size() - 1), true});
  join(row, newest);
}

// The steps of other threads that conflict with the action, the latest first; those that happened
// before one of the others may be left out.
void HappensBefore::collect_conflicts(ActionId action, ThreadId thread) {
  conflicts_.clear();
  for (const Footstep& footstep : actions_.footsteps(action)) {
    const Access& access = footstep.access;
    for (uint32_t l = objects_[footstep.object].newest; l != kNowhere; l = links_[l].older) {
      const Link& link = links_[l];
      if (link.mode == AccessMode::Observes && access.mode == AccessMode::Observes) continue;
      if (link.begin >= access.end || access.begin >= link.end) continue;
      if (this->thread(link.step) != thread)
        conflicts_.push_back({link.step, access.kind != ResourceKind::Thread});
      if (link.mode == AccessMode::Changes && link.begin <= access.begin && link.end >= access.end)
        break;
    }
  }
  const bool everything = actions_[action].everything;
  if (everything) {
    for (uint32_t t = 0; t < last_.size(); ++t)
      if (t != index(thread) && last_[t] != kNowhere) conflicts_.push_back({last_[t], true});
  }
  if (meets_all_ != kNowhere && this->thread(meets_all_) != thread)
    conflicts_.push_back({meets_all_, true});
  if (everything || meets_all_ != kNowhere || actions_.footsteps(action).size() > 1)
    std::sort(conflicts_.begin(), conflicts_.end(),
              [](const Conflict& a, const Conflict& b) { return a.step > b.step; });
}

// Of an atomic section, what it did first to an object tells in which state it was.
void HappensBefore::link(ActionId action, Position position, std::span<const Action> inside) {
  for (const Footstep& footstep : actions_.footsteps(action)) {
    const Access& access = footstep.access;
    uint32_t& newest = objects_[footstep.object].newest;
    uint32_t before = steps_[position].before;
    if (access.kind == ResourceKind::Sync && !inside.empty()) {
      const auto first = std::find_if(inside.begin(), inside.end(), [&](const Action& done) {
        return value(done.object) == access.begin && done.before != Action::kUnknownState;
      });
      if (first != inside.end()) before = first->before;
    }
    links_.push_back({position, newest, footstep.object, access.kind, access.mode, access.begin,
                      access.end, before});
    newest = static_cast<uint32_t>(links_.size() - 1);
  }
}

void HappensBefore::change_locks(ActionId action, Position position) {
  const KnownAction& known = actions_[action];
  if (known.taken()) {
    for (const LockStep& step : actions_.lock_steps(action)) change_lock(step, position);
  } else if (known.role != LockRole::None) {
    change_lock({known.role, known.lock, known.action.op}, position);
  }
}

// What is known of the lock before a step that does something to it.
HappensBefore::LockState HappensBefore::state_before(ObjectNumber lock, Position position) const {
  const size_t end = position + 1 < undo_.size() ? undo_[position + 1].locks : locks_before_.size();
  for (size_t i = undo_[position].locks; i < end; ++i)
    if (locks_before_[i].lock == lock) return locks_before_[i].state;
  return {};
}

void HappensBefore::change_lock(const LockStep& step, Position position) {
  LockState& lock = objects_[step.lock].lock;
  locks_before_.push_back({step.lock, lock});
  const ThreadId thread = this->thread(position);
  const bool alone = !actions_[steps_[position].action].taken();
  const uint32_t found = alone ? steps_[position].before : Action::kUnknownState;
  switch (step.role) {
    case LockRole::Acquire:
      if (lock.owner == thread) {
        ++lock.depth;
        break;
      }
      lock = {thread, 1, position};
      if (step.op == Op::CondRelock && steps_[position].previous != kNowhere)
        lock.depth = std::max(1u, state_before(step.lock, steps_[position].previous).depth);
      break;
    case LockRole::TryAcquire:
      if (found == Action::kUnknownState ? lock.owner == kNoThread : found == 0)
        lock = {thread, 1, position};
      break;
    case LockRole::Release:
      if (found != Action::kUnknownState && found != 0 && found != index(thread) + 1)
        break;  // it is another thread's, and stays so
      if (lock.owner != thread) {
        lock = {};  // it was locked unseen
      } else if (step.op == Op::CondWait || step.op == Op::CondTimedWait || --lock.depth == 0) {
        lock.owner = kNoThread;
        lock.depth = 0;
      }
      break;
    case LockRole::Pass:
    case LockRole::Await:
    case LockRole::Share:
    case LockRole::None:
      break;
  }
}

void HappensBefore::clock_without_lock(Position position, ThreadId thread,
                                       std::vector<uint32_t>& clock) const {
  const bool pending = position >= steps_.size();
  const bool known = index(thread) < last_.size();
  const Position previous = !pending ? steps_[position].previous : last_step_of(thread);
  const Position signal = !pending ? steps_[position].enabled_by
                          : known  ? woke_by_[index(thread)]
                                   : kNowhere;
  clock.assign(stride_, 0);
  if (previous != kNowhere) join(clock.data(), previous);
  if (signal != kNowhere) join(clock.data(), signal);
}

void HappensBefore::clock_without_first(const Race& race, ThreadId thread, ActionId second,
                                        std::vector<uint32_t>& clock) const {
  clock_without_lock(race.second, thread, clock);
  const KnownAction& known = actions_[second];
  if (known.role != LockRole::Await) return;
  // Holds that began and ended without the first: the lock has to be given back before.
  const bool reads = known.action.op == Op::RwRead;
  for (uint32_t l = objects_[known.lock].newest; l != kNowhere; l = links_[l].older) {
    const Link& link = links_[l];
    if (link.step <= race.first) break;
    if (link.step >= race.second || (reads && link.mode == AccessMode::Observes)) continue;
    const uint32_t* other = this->clock(link.step);
    bool after = other[index(this->thread(race.first))] > race.first;
    for (Position root : also_first(race)) after |= other[index(this->thread(root))] > root;
    if (!after) join(clock.data(), link.step);
  }
}

Race HappensBefore::pending_race(ThreadId thread, ActionId action) {
  const KnownAction& known = actions_[action];
  Race race;
  race.second = static_cast<Position>(steps_.size());
  race.acquires = true;
  if (known.lock >= objects_.size()) return race;
  if (known.role == LockRole::Await) return pending_race_for_share(known, thread);
  if (known.role != LockRole::Acquire) return race;
  const LockState& lock = objects_[known.lock].lock;
  if (lock.owner == kNoThread || lock.owner == thread || lock.start == kNowhere) return race;
  const Position start = acquired_for(lock.start, known.lock);
  if (start == kNowhere) return race;
  clock_without_lock(race.second, thread, own_);
  if (own_[index(this->thread(start))] <= start) race.first = start;
  return race;
}

}  // namespace heddle
