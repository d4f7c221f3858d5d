// Sleep sets: the steps that need not be tried from a configuration, because every execution that
// begins with one of them is covered by a branch explored before.
//
// The idea (Godefroid, "Partial-order methods for the verification of concurrent systems", 1996,
// chapter 5). When the branches of a configuration are explored one after the other, a branch that
// is done goes to sleep. It stays asleep along the later branches as long as these take only steps
// that are independent of it: an execution that took the sleeping step now would be equivalent to
// one that took it first. The first dependent step wakes it.
//
// The alternatives of one action sleep one by one. An atomic section sleeps as what it did when it
// was explored: as long as nothing dependent is taken it would do the same again. An arrival at a
// barrier is another action once it is the last that is missing, which independent steps can make
// it: then it sleeps no longer.
//
// The sets of all configurations along the path lie one after the other in one vector; only the
// last can grow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "strategies/action_table.h"

namespace heddle {

struct Sleeper {
  ActionId action{};   // as it was when it was explored
  ActionId untaken{};  // as it is seen before it is taken (action_table.h)
  uint32_t choice = 0;
  bool elsewhere = false;  // somebody else explores it, perhaps not yet (dpor_division.cc)
};

class SleepSets {
 public:
  size_t size() const { return begins_.size(); }

  // The set of the next configuration, reached by `step` from the last one.
  void push_after(const ActionTable& actions, ActionId step) {
    const uint32_t begin = begins_.back();
    const auto end = static_cast<uint32_t>(sleepers_.size());
    begins_.push_back(end);
    for (uint32_t i = begin; i < end; ++i) {
      const Sleeper sleeper = sleepers_[i];
      if (!actions.dependent(sleeper.action, step)) sleepers_.push_back(sleeper);
    }
  }
  // Takes away from the last set those of which that is true.
  template <typename Predicate>
  void drop(Predicate predicate) {
    const auto begin = sleepers_.begin() + begins_.back();
    sleepers_.erase(std::remove_if(begin, sleepers_.end(), predicate), sleepers_.end());
  }
  void push_empty() { begins_.push_back(static_cast<uint32_t>(sleepers_.size())); }
  void pop() {
    sleepers_.resize(begins_.back());
    begins_.pop_back();
  }

  void add(const Sleeper& sleeper) { sleepers_.push_back(sleeper); }

  std::span<const Sleeper> of(size_t position) const {
    const uint32_t end = position + 1 < begins_.size() ? begins_[position + 1]
                                                       : static_cast<uint32_t>(sleepers_.size());
    return std::span(sleepers_).subspan(begins_[position], end - begins_[position]);
  }

  bool contains(size_t position, ActionId action, uint32_t choice) const {
    for (const Sleeper& sleeper : of(position))
      if (sleeper.untaken == action && sleeper.choice == choice) return true;
    return false;
  }

 private:
  std::vector<Sleeper> sleepers_;
  std::vector<uint32_t> begins_;
};

}  // namespace heddle
