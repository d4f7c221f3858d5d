#include "strategies/sourced_execution.h"

#include <algorithm>

#include "model/process_end.h"
#include "strategies/clock_rows.h"

namespace heddle {

void SourcedExecution::learn(ActionId id) {
  if (index(id) >= known_.size()) known_.resize(actions_.size());
  Known& known = known_[index(id)];
  known.looked_at = true;
  const KnownAction& details = actions_[id];
  const Action& action = details.action;
  const uint64_t begin = value(action.object), end = begin + (action.size == 0 ? 1 : action.size);
  const Operation& row = operation(action.op);
  if (!row.has(op_property::Sourced)) return;
  switch (row.accesses) {
    case Footprint::MemoryRead:
      known.role = {variable(begin, end), true, false};
      break;
    case Footprint::MemoryWrite:
      known.role = {variable(begin, end), false, true};
      break;
    case Footprint::MemoryUpdate:
      known.role = {variable(begin, end), true, true};
      break;
    case Footprint::Object:
      known.role = {lock(details.lock), false, false, details.role};
      break;
    default:  // concerns nothing that is read from
      known.known = action.second != kOrderCounts;
      return;
  }
  known.known = known.role.thing != kNoThing;
}

uint32_t SourcedExecution::new_thing() {
  held_at_first_.push_back(false);
  changes_.emplace_back();
  return things_++;
}

// kNoThing where it overlaps with another: a look at it may have several sources.
uint32_t SourcedExecution::variable(uint64_t begin, uint64_t end) {
  for (const Range& range : ranges_) {
    if (range.begin >= end || begin >= range.end) continue;
    return range.begin == begin && range.end == end ? range.thing : kNoThing;
  }
  ranges_.push_back({begin, end, new_thing()});
  return ranges_.back().thing;
}

uint32_t SourcedExecution::lock(ObjectNumber number) {
  if (number >= locks_.size()) locks_.resize(number + 1, kNoThing);
  if (locks_[number] == kNoThing) locks_[number] = new_thing();
  return locks_[number];
}

void SourcedExecution::clear() {
  steps_.clear();
  pasts_.clear();
  std::fill(taken_.begin(), taken_.end(), 0);
  for (std::vector<Place>& places : by_thread_) places.clear();
  for (std::vector<Place>& places : changes_) places.clear();
}

void SourcedExecution::widen(size_t threads) {
  taken_.resize(threads);
  by_thread_.resize(threads);
  widen_rows(pasts_, steps_.size(), stride_, threads);
}

void SourcedExecution::append(ActionId id, Transition transition) {
  const size_t thread = index(transition.thread);
  const Action& action = this->action(id);
  const bool about_other = action.op == Op::ThreadCreate || action.op == Op::ThreadJoin;
  const size_t other = about_other ? value(action.object) : thread;
  if (std::max(thread, other) >= by_thread_.size()) widen(std::max(thread, other) + 1);
  const auto place = static_cast<Place>(steps_.size());
  const SourcedRole role = this->role(id);

  SourcedStep step{id, transition, taken_[thread]};
  if (role.looks || role.lock != LockRole::None)
    step.source = changes_[role.thing].empty() ? kBeginning : changes_[role.thing].back();
  if (action.op == Op::ThreadJoin && !by_thread_[other].empty())
    step.cause = by_thread_[other].back();
  if (action.op == Op::ThreadStart)
    for (Place p = place; p-- > 0 && step.cause == kBeginning;) {
      const Action& earlier = this->action(steps_[p].action);
      if (earlier.op == Op::ThreadCreate && value(earlier.object) == thread) step.cause = p;
    }

  pasts_.resize((steps_.size() + 1) * stride_, 0);
  uint32_t* row = &pasts_[steps_.size() * stride_];
  const auto add = [&](Place from) {
    const CutView other_past = past(from);
    for (size_t i = 0; i < stride_; ++i) row[i] = std::max(row[i], other_past[i]);
  };
  if (step.number > 0) add(by_thread_[thread].back());
  if (step.source != kBeginning) add(step.source);
  if (step.cause != kBeginning) add(step.cause);
  row[thread] = step.number + 1;

  ++taken_[thread];
  by_thread_[thread].push_back(place);
  if (role.writes || role.lock != LockRole::None) changes_[role.thing].push_back(place);
  steps_.push_back(step);
}

bool SourcedExecution::held(uint32_t lock, CutView cut) const {
  int depth = held_at_first_[lock] ? 1 : 0;
  for (Place place : changes(lock)) {
    if (!in(cut, place)) continue;
    switch (actions_[steps_[place].action].role) {
      case LockRole::Acquire:
        ++depth;
        break;
      case LockRole::TryAcquire:
        if (depth == 0) ++depth;
        break;
      case LockRole::Release:
        if (depth > 0) --depth;
        break;
      case LockRole::Pass:
      case LockRole::Await:
      case LockRole::Share:
      case LockRole::None:
        break;
    }
  }
  return depth > 0;
}

}  // namespace heddle
