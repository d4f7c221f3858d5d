#include "strategies/happens_before.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "strategies/clock_rows.h"

namespace heddle {

void HappensBefore::append(Transition transition, ActionId action, uint32_t choices) {
  const uint32_t thread = index(transition.thread);
  if (thread >= last_.size()) widen(thread + 1);
  if (objects_.size() < actions_.objects()) objects_.resize(actions_.objects());
  const KnownAction& known = actions_[action];
  const auto position = static_cast<Position>(steps_.size());

  undo_.push_back({static_cast<uint32_t>(links_.size()), static_cast<uint32_t>(races_.size()),
                   static_cast<uint32_t>(woken_.size()),
                   known.lock == kNoObject ? LockState{} : objects_[known.lock].lock});
  Step& step = steps_.emplace_back();
  step.action = action;
  step.transition = transition;
  step.previous = last_[thread];
  if (is_woken(known.action.op)) step.enabled_by = std::exchange(woke_by_[thread], kNowhere);
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
  } else if (waits_for_release(known, transition.thread)) {
    order_after_lock(known, transition.thread, row);
  } else {
    collect_conflicts(action, transition.thread);
    for (const Conflict& conflict : conflicts_) {
      if (row[index(this->thread(conflict.step))] > conflict.step) continue;
      if (conflict.reversible) races_.push_back({conflict.step, position});
      join(row, conflict.step);
    }
  }
  row[thread] = position + 1;
  last_[thread] = position;
  link(action, position);
  if (known.role != LockRole::None) change_lock(known, position);
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
    if (known.lock != kNoObject) objects_[known.lock].lock = undo.lock;
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

// Whether the step ended a wait by its timeout, or for no reason: nobody else woke the thread.
bool HappensBefore::timed_out(const Step& step) const {
  const Op op = actions_[step.action].action.op;
  const bool waits = op == Op::CondTimedWait || op == Op::CondWait;
  return op == Op::TimeOut || (waits && step.transition.choice > 0);
}

void HappensBefore::note_woken(const Configuration& configuration) {
  const auto position = static_cast<Position>(steps_.size() - 1);
  if (undo_.back().woken != woken_.size()) return;  // observed before
  for (const ThreadView& view : configuration.live) {
    if (!is_woken(view.next.op)) continue;
    const uint32_t thread = index(view.id);
    if (thread >= last_.size() || last_[thread] == kNowhere || woke_by_[thread] != kNowhere)
      continue;
    if (timed_out(steps_[last_[thread]])) continue;
    woke_by_[thread] = position;
    woken_.push_back(last_[thread]);
  }
}

// Whether the action takes a lock which it can only have because another thread released it.
bool HappensBefore::waits_for_release(const KnownAction& known, ThreadId thread) const {
  if (known.role != LockRole::Acquire) return false;
  const Object& object = objects_[known.lock];
  if (object.newest == kNowhere || object.lock.owner == thread) return false;
  const Position newest = links_[object.newest].step;
  const KnownAction& last = actions_[steps_[newest].action];
  return last.role == LockRole::Release && last.lock == known.lock &&
         this->thread(newest) != thread;
}

void HappensBefore::order_after_lock(const KnownAction& known, ThreadId thread, uint32_t* row) {
  const Object& object = objects_[known.lock];
  const Position start = object.lock.start;
  if (start != kNowhere && this->thread(start) != thread &&
      row[index(this->thread(start))] <= start)
    races_.push_back({start, static_cast<Position>(steps_.size() - 1), true});
  join(row, links_[object.newest].step);
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
  const bool exits = actions_[action].action.op == Op::ProcessExit;
  if (exits) {
    for (uint32_t t = 0; t < last_.size(); ++t)
      if (t != index(thread) && last_[t] != kNowhere) conflicts_.push_back({last_[t], true});
  }
  if (exits || actions_.footsteps(action).size() > 1)
    std::sort(conflicts_.begin(), conflicts_.end(),
              [](const Conflict& a, const Conflict& b) { return a.step > b.step; });
}

void HappensBefore::link(ActionId action, Position position) {
  for (const Footstep& footstep : actions_.footsteps(action)) {
    const Access& access = footstep.access;
    uint32_t& newest = objects_[footstep.object].newest;
    links_.push_back(
        {position, newest, footstep.object, access.kind, access.mode, access.begin, access.end});
    newest = static_cast<uint32_t>(links_.size() - 1);
  }
}

void HappensBefore::change_lock(const KnownAction& known, Position position) {
  LockState& lock = objects_[known.lock].lock;
  const ThreadId thread = this->thread(position);
  switch (known.role) {
    case LockRole::Acquire:
      if (lock.owner == thread) {
        ++lock.depth;
        break;
      }
      lock = {thread, 1, position};
      if (known.action.op == Op::CondRelock && steps_[position].previous != kNowhere)
        lock.depth = std::max(1u, undo_[steps_[position].previous].lock.depth);
      break;
    case LockRole::TryAcquire:
      if (lock.owner == kNoThread) lock = {thread, 1, position};
      break;
    case LockRole::Release:
      if (lock.owner != thread) {
        lock = {};  // it was locked unseen
      } else if (known.action.op == Op::CondWait || known.action.op == Op::CondTimedWait ||
                 --lock.depth == 0) {
        lock.owner = kNoThread;
        lock.depth = 0;
      }
      break;
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

Position HappensBefore::pending_race(ThreadId thread, ActionId action,
                                     std::vector<uint32_t>& scratch) const {
  const KnownAction& known = actions_[action];
  if (known.role != LockRole::Acquire || known.lock >= objects_.size()) return kNowhere;
  const LockState& lock = objects_[known.lock].lock;
  if (lock.owner == kNoThread || lock.owner == thread || lock.start == kNowhere) return kNowhere;
  clock_without_lock(static_cast<Position>(steps_.size()), thread, scratch);
  return scratch[index(lock.owner)] > lock.start ? kNowhere : lock.start;
}

}  // namespace heddle
