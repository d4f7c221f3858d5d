// What has to be explored instead of a race: a sequence of steps in which the second step of the
// race comes without the first.
//
// For a race (e, e') in an execution the sequence is taken from the configuration before e: all
// later steps that did not happen after e, in their order, then e'. A step is an initial of the
// sequence if none of the steps before it happened before it: some equivalent sequence begins with
// it. A step outside the sequence that is independent of all of it is a weak initial.
//
// Steps can be removed one by one, as a search finds them already provided for.
#pragma once

#include <cstdint>
#include <vector>

#include "strategies/happens_before.h"
#include "strategies/plain_stack.h"
#include "strategies/sleep_set.h"
#include "strategies/wakeup_tree.h"

namespace heddle {

enum class Tail : uint8_t {
  None,   // no races are reversed: every step is tried anyway
  Short,  // steps up to e' only
  Full,   // of the whole execution
};

class Reversal {
 public:
  static constexpr size_t kAbsent = ~size_t{0};

  struct Item {
    WakeupStep step;
    ThreadId thread;
    Position position;      // in the execution; kNowhere for a step that was not taken
    const uint32_t* clock;  // of what happened before it
  };

  Reversal(const ActionTable& actions, const HappensBefore& order)
      : actions_(actions), order_(order) {}

  void of_race(const Race& race, Tail tail);
  // The race with a step of `thread` that was never taken, because it was blocked.
  void of_blocked(const Race& race, ThreadId thread, ActionId action);
  // Just that step.
  void of_step(ThreadId thread, ActionId action, uint32_t choice);

  // The last step as it is where the first is missing.
  void set_form_of_second(ActionId action) { items_.back().step.action = action; }
  // Another alternative for the last step.
  void take_second(uint32_t choice) { items_.back().step.choice = choice; }

  bool empty() const { return items_.empty(); }
  const Item& item(size_t i) const { return items_[i]; }
  size_t size() const { return items_.size(); }
  void remove(size_t i) { items_.remove(i); }

  // The first step of a thread in the sequence, or kAbsent.
  size_t find(ThreadId thread) const {
    for (size_t i = 0; i < items_.size(); ++i)
      if (items_[i].thread == thread) return i;
    return kAbsent;
  }
  bool initial(size_t i) const {
    const uint32_t* clock = items_[i].clock;
    for (size_t j = 0; j < i; ++j)
      if (clock[index(items_[j].thread)] > items_[j].position) return false;
    return true;
  }
  // Whether some equivalent sequence begins with this step of the i-th item's thread, of which the
  // item is the first. What an atomic section does without the first step of the race is not
  // known from the execution; but if it was taken before the sequence, with nothing in conflict
  // in front of the item, then it does the same there.
  bool begins_with(size_t i, ActionId action, uint32_t choice) const {
    if (items_[i].step.choice != choice) return false;
    if (!actions_.is_unknown(items_[i].step.action)) return initial(i);
    for (size_t j = 0; j < i; ++j)
      if (actions_.dependent(items_[j].step.action, action)) return false;
    return true;
  }
  // Whether what the last step does without the first of the race is known.
  bool second_is_known() const {
    return !actions_.is_unknown(items_[items_.size() - 1].step.action);
  }
  bool independent_of_all(ActionId action) const {
    for (const Item& item : items_)
      if (actions_.dependent(item.step.action, action)) return false;
    return true;
  }
  // How many of the steps arrive at the barrier.
  uint32_t arrivals(Address barrier) const {
    uint32_t count = 0;
    for (const Item& item : items_) {
      const Action& action = actions_[item.step.action].action;
      if (action.op == Op::BarrierWait && action.object == barrier) ++count;
    }
    return count;
  }

 private:
  void collect(const Race& race, Position end);
  bool comes_in_place_of(Position first, ActionId second) const;
  void add_second(ThreadId thread, ActionId action, uint32_t choice, Position position,
                  const uint32_t* clock);

  const ActionTable& actions_;
  const HappensBefore& order_;
  PlainStack<Item> items_;
  std::vector<uint32_t> second_clock_;
};

}  // namespace heddle
