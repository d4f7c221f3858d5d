#include "strategies/reversal.h"

namespace heddle {

// The steps between `first` and `end` that did not happen after `first`, but for one.
void Reversal::collect(Position first, Position end, Position except) {
  items_.shrink(0);
  Item* item = items_.grow(end - first);
  const uint32_t thread = index(order_.thread(first));
  for (Position p = first + 1; p < end; ++p) {
    const uint32_t* clock = order_.clock(p);
    if (clock[thread] > first || p == except) continue;
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

void Reversal::of_race(const Race& race, Tail tail) {
  const Position end = tail == Tail::Full ? static_cast<Position>(order_.size()) : race.second;
  collect(race.first, end, race.second);
  const Step& second = order_.step(race.second);
  const ThreadId thread = second.transition.thread;
  const uint32_t* clock = order_.clock(race.second);
  if (race.acquires) {
    order_.clock_without_lock(race.second, thread, second_clock_);
    clock = second_clock_.data();
  }
  add_second(thread, second.action, second.transition.choice, race.second, clock);
}

void Reversal::of_blocked(Position first, ThreadId thread, ActionId action) {
  collect(first, static_cast<Position>(order_.size()), kNowhere);
  order_.clock_without_lock(static_cast<Position>(order_.size()), thread, second_clock_);
  add_second(thread, action, 0, kNowhere, second_clock_.data());
}

void Reversal::of_step(ThreadId thread, ActionId action, uint32_t choice) {
  items_.shrink(0);
  second_clock_.assign(order_.clock_size(), 0);
  add_second(thread, action, choice, kNowhere, second_clock_.data());
}

}  // namespace heddle
