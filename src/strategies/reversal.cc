#include "strategies/reversal.h"

#include <algorithm>

namespace heddle {

// The steps between the first and `end` that did not happen after what must not have happened, but
// for the second.
void Reversal::collect(const Race& race, Position end) {
  const Position first = race.first;
  const std::span<const Position> also = order_.also_first(race);
  items_.shrink(0);
  Item* item = items_.grow(end - first);
  const uint32_t thread = index(order_.thread(first));
  for (Position p = first + 1; p < end; ++p) {
    const uint32_t* clock = order_.clock(p);
    if (clock[thread] > first || p == race.second) continue;
    const auto comes_after = [&](Position other) {
      return clock[index(order_.thread(other))] > other;
    };
    if (!also.empty() && std::any_of(also.begin(), also.end(), comes_after)) continue;
    const Step& step = order_.step(p);
    item->step = {step.action, step.transition.choice};
    item->thread = step.transition.thread;
    item->position = p;
    item->clock = clock;
    ++item;
  }
  items_.shrink(static_cast<size_t>(item - items_.data()));
}

void Reversal::add_second(ThreadId thread, ActionId action, uint32_t choice, Position position,
                          const uint32_t* clock) {
  items_.push({{actions_.untaken(action), choice}, thread, position, clock});
}

// Whether the second step is an arrival at a barrier that was the last, and is not without the
// first: then it waits for others, and is independent of those that do so, too.
bool Reversal::comes_in_place_of(Position first, ActionId second) const {
  const Action& earlier = actions_[order_.step(first).action].action;
  const Action& later = actions_[second].action;
  return earlier.op == Op::BarrierWait && earlier.second == kEarly && later.op == Op::BarrierWait &&
         !is_section(earlier) && !is_section(later);
}

void Reversal::of_race(const Race& race, Tail tail) {
  const Position end = tail == Tail::Full ? static_cast<Position>(order_.size()) : race.second;
  collect(race, end);
  const Step& second = order_.step(race.second);
  const ThreadId thread = second.transition.thread;
  const bool timed_out = race.instead != kNoAction;
  const ActionId action = timed_out ? race.instead : second.action;
  const uint32_t* clock = order_.clock(race.second);
  if (race.acquires || comes_in_place_of(race.first, action)) {
    order_.clock_without_first(race, thread, action, second_clock_);
    clock = second_clock_.data();
  }
  add_second(thread, action, second.transition.choice, race.second, clock);
}

void Reversal::of_blocked(const Race& race, ThreadId thread, ActionId action) {
  collect(race, static_cast<Position>(order_.size()));
  order_.clock_without_first(race, thread, action, second_clock_);
  add_second(thread, action, 0, kNowhere, second_clock_.data());
}

void Reversal::of_step(ThreadId thread, ActionId action, uint32_t choice) {
  items_.shrink(0);
  second_clock_.assign(order_.clock_size(), 0);
  add_second(thread, action, choice, kNowhere, second_clock_.data());
}

}  // namespace heddle
