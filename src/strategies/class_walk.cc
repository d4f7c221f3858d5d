#include "strategies/class_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace heddle {
namespace {

// How often a thread without rivals sleeps nevertheless.
constexpr double kDoubt = 0.001;
// What a rival counts for that sleeps or is blocked.
constexpr double kHeldUp = 0.5;

constexpr uint64_t lock_bit(ObjectNumber lock) {
  return uint64_t{1} << (lock % 64);
}

}  // namespace

void ClassWalk::begin(Purpose purpose) {
  ++walks_;
  purpose_ = purpose;
  abandoned_ = false;
  log_weight_ = 0;
  steps_ = visits_seen_ = 0;
}

Transition ClassWalk::choose(const Configuration& configuration, Dice& dice) {
  look_at(configuration);
  if (awake_ == 0) {
    abandoned_ = true;
    return kAbandon;
  }
  const uint32_t chosen = purpose_ == Purpose::Learning ? anybody(dice) : ask_all(dice);
  const uint32_t choices = threads_[chosen].choices;
  if (choices > 1) log_weight_ += std::log(choices);
  const Transition transition{ThreadId{chosen}, choices > 1 ? dice.below(choices) : 0};
  learn(chosen);
  take(chosen);
  return transition;
}

double ClassWalk::end(Ending ending) const {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  if (purpose_ == Purpose::Learning || abandoned_ || ending == Ending::Diverged) return kNothing;
  // The process has died. Whoever sleeps could have gone first, without a difference.
  const auto sleeps = [&](uint32_t number) { return threads_[number].asleep; };
  if (ending == Ending::Failed && std::any_of(enabled_.begin(), enabled_.end(), sleeps))
    return kNothing;
  return log_weight_;
}

ClassWalk::Thread& ClassWalk::thread(uint32_t number) {
  if (number >= threads_.size()) threads_.resize(number + 1);
  Thread& thread = threads_[number];
  if (thread.walk != walks_) {
    thread = {};
    thread.walk = walks_;
  }
  return thread;
}

void ClassWalk::look_at(const Configuration& configuration) {
  ++configurations_;
  enabled_.clear();
  live_ = configuration.live.size();
  awake_ = 0;
  for (const ThreadView& view : configuration.live) {
    Thread& shown = thread(index(view.id));
    const ActionId action = actions_.number_of(view.next);
    if (action != shown.action) shown.asleep = false;
    shown.action = action;
    met_sections_ |= is_section(view.next);
    shown.live = configurations_;
    shown.choices = view.choices;
    shown.spins = view.spin != Spin::None;
    if (!view.enabled()) continue;
    enabled_.push_back(index(view.id));
    if (!shown.asleep) ++awake_;
  }
  if (sleeps_.size() < 2 * actions_.size()) sleeps_.resize(2 * actions_.size());
  if (visits_.size() < actions_.objects()) visits_.resize(actions_.objects());
}

uint32_t ClassWalk::anybody(Dice& dice) {
  return enabled_[dice.below(static_cast<uint32_t>(enabled_.size()))];
}

// Those without rivals first: as long as there are any, nobody need sleep.
uint32_t ClassWalk::ask_all(Dice& dice) {
  asked_.clear();
  for (uint32_t number : enabled_)
    if (!threads_[number].asleep) asked_.push_back(number);
  if (awake_ > 1)
    std::stable_partition(asked_.begin(), asked_.end(), [&](uint32_t number) {
      return rivals(number, Question::WhetherAny).number == 0;
    });
  for (uint32_t number : asked_)
    if (says_yes(number, dice)) return number;
  HEDDLE_CHECK(false);  // the last one awake says yes
  return 0;
}

bool ClassWalk::says_yes(uint32_t number, Dice& dice) {
  if (awake_ == 1) return true;
  const Rivals found = rivals(number, Question::HowMany);
  Thread& asked = threads_[number];
  asked.rivalry = found.kind;
  double chance = 1 - kDoubt;
  if (found.kind != Rivalry::None)
    chance = 1 / (1 + std::max(kDoubt, found.number * sleeps(asked).rate()));
  if (dice.heads(chance)) {
    log_weight_ -= std::log(chance);
    return true;
  }
  log_weight_ -= std::log1p(-chance);
  asked.asleep = true;
  --awake_;
  if (found.kind != Rivalry::None) ++sleeps(asked).all;
  return false;
}

ClassWalk::Rivals ClassWalk::rivals(uint32_t number, Question question) {
  ++questions_;
  Rivals result;
  const Thread& mine = thread(number);
  const KnownAction& known = actions_[mine.action];
  const auto done = [&] { return question == Question::WhetherAny && result.number > 0; };
  if (known.action.op == Op::ProcessExit) {
    for (uint32_t other = 0; other < threads_.size() && !done(); ++other)
      if (other != number && threads_[other].live == configurations_) count_rival(other, result);
  }
  for (const Exit& exit : exits_)
    if (exit.thread != number && exit.steps > thread(exit.thread).steps)
      count_rival(exit.thread, result);
  for (const Footstep& footstep : actions_.footsteps(mine.action)) {
    if (footstep.access.kind == ResourceKind::Thread) continue;
    const LockRole role = footstep.object == known.lock ? known.role : LockRole::None;
    const bool changes = footstep.access.mode == AccessMode::Changes;
    for (const Visits& other : visits_[footstep.object]) {
      if (done()) return result;
      ++visits_seen_;
      if (other.thread == number) continue;
      if ((other.locks & mine.locks) != 0) continue;
      uint32_t last = changes ? other.touches : other.changes;
      if (role == LockRole::Release) last = other.tries;
      if (role == LockRole::TryAcquire || role == LockRole::None)
        last = std::max(last, other.releases);
      if (last > thread(other.thread).steps) count_rival(other.thread, result);
    }
  }
  return result;
}

void ClassWalk::count_rival(uint32_t number, Rivals& rivals) {
  Thread& rival = thread(number);
  if (rival.asked == questions_) return;
  rival.asked = questions_;
  const bool live = rival.live == configurations_;
  if (live && rival.spins) return;  // it takes no more steps
  const bool ready = live && rival.choices > 0 && !rival.asleep;
  rivals.number += ready ? 1 : kHeldUp;
  rivals.kind = ready ? Rivalry::Awake : std::max(rivals.kind, Rivalry::Asleep);
}

ClassWalk::Visits& ClassWalk::visits(ObjectNumber object, uint32_t number) {
  std::vector<Visits>& all = visits_[object];
  for (Visits& known : all)
    if (known.thread == number) return known;
  all.push_back({number});
  return all.back();
}

void ClassWalk::learn(uint32_t number) {
  const Thread& mine = threads_[number];
  const KnownAction& known = actions_[mine.action];
  const uint32_t step = mine.steps + 1;
  if (known.action.op == Op::ProcessExit && live_ > 1) {
    const auto same = std::find_if(exits_.begin(), exits_.end(),
                                   [&](const Exit& exit) { return exit.thread == number; });
    if (same == exits_.end())
      exits_.push_back({number, step});
    else
      same->steps = std::max(same->steps, step);
  }
  for (const Footstep& footstep : actions_.footsteps(mine.action)) {
    if (footstep.access.kind == ResourceKind::Thread) continue;
    const LockRole role = footstep.object == known.lock ? known.role : LockRole::None;
    Visits& here = visits(footstep.object, number);
    if (role == LockRole::Release) {
      here.releases = std::max(here.releases, step);
      continue;
    }
    here.locks &= mine.locks;
    here.touches = std::max(here.touches, step);
    if (footstep.access.mode == AccessMode::Changes) here.changes = std::max(here.changes, step);
    if (role != LockRole::Acquire) here.tries = std::max(here.tries, step);
  }
}

void ClassWalk::take(uint32_t number) {
  Thread& mine = threads_[number];
  const KnownAction& known = actions_[mine.action];
  if (known.role == LockRole::Acquire) mine.locks |= lock_bit(known.lock);
  if (known.role == LockRole::Release) mine.locks &= ~lock_bit(known.lock);
  for (uint32_t other : enabled_) {
    Thread& sleeper = threads_[other];
    if (!sleeper.asleep || !actions_.dependent(sleeper.action, mine.action)) continue;
    sleeper.asleep = false;
    if (sleeper.rivalry != Rivalry::None) ++sleeps(sleeper).woken;
  }
  ++mine.steps;
  ++steps_;
}

}  // namespace heddle
