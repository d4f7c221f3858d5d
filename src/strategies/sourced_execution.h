// One execution as the equivalence of reads from sees it: each thread's steps, and for each step
// that looks at something, which step it saw there.
//
// Steps that read memory see the last write to it: their source. Steps on a lock see the lock's
// step before. What a step's past consists of follows from these and from what enabled it (the
// creation of its thread, the end of the one it joins); the order of two writes that nobody
// compared does not count. A past holds all earlier steps of the threads it has steps of, so a
// number of steps for each thread describes it (a Cut).
//
// Only operations whose effect one such source describes are known: see `unknown`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/schedule.h"
#include "strategies/action_table.h"

namespace heddle {

using Cut = std::vector<uint32_t>;  // how many steps of each thread
using CutView = std::span<const uint32_t>;

inline uint32_t steps_of(CutView cut, ThreadId thread) {
  return index(thread) < cut.size() ? cut[index(thread)] : 0;
}
inline void join(Cut& cut, CutView other) {
  if (cut.size() < other.size()) cut.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) cut[i] = cut[i] > other[i] ? cut[i] : other[i];
}

using Place = uint32_t;                          // of a step in the execution, from 0
inline constexpr Place kBeginning = 0xffffffff;  // as a source: what was there at first
inline constexpr uint32_t kNoThing = 0xffffffff;

struct SourcedStep {
  ActionId action{};
  Transition transition;
  uint32_t number = 0;        // in its thread
  Place source = kBeginning;  // of what it saw, if it looks at something
  Place cause = kBeginning;   // what enabled it, if anything
  bool failed = false;
};

// What an action does, of the little that matters here.
struct SourcedRole {
  uint32_t thing = kNoThing;  // a variable or a lock
  bool looks = false;         // at memory
  bool writes = false;        // to memory
  LockRole lock = LockRole::None;
};

class SourcedExecution {
 public:
  // The number of an action, for one that is known.
  ActionId number_of(const Action& action) {
    return actions_.number_of(regardless_of_outcome(action));
  }
  const Action& action(ActionId id) const { return actions_[id].action; }
  // Whether the action is beyond this description.
  bool unknown(ActionId id) { return !roles(id).known; }
  const SourcedRole& role(ActionId id) { return roles(id).role; }

  void clear();
  void append(ActionId action, Transition transition);
  void fail_last() {
    if (!steps_.empty()) steps_.back().failed = true;
  }

  size_t size() const { return steps_.size(); }
  const SourcedStep& step(Place place) const { return steps_[place]; }
  ThreadId thread(Place place) const { return steps_[place].transition.thread; }
  const SourcedRole& role_at(Place place) { return role(steps_[place].action); }
  CutView taken() const { return taken_; }  // all steps
  Place place(ThreadId thread, uint32_t number) const { return by_thread_[index(thread)][number]; }
  // Writes to a variable, or steps on a lock, in the order in which they were taken.
  std::span<const Place> changes(uint32_t thing) const {
    return thing < changes_.size() ? changes_[thing] : std::span<const Place>();
  }
  uint32_t things() const { return things_; }

  bool in(CutView cut, Place place) const {
    return steps_of(cut, thread(place)) > steps_[place].number;
  }
  // A step with all that had to come before it.
  CutView past(Place place) const { return CutView(pasts_).subspan(place * stride_, stride_); }
  // What comes before the n-th step of a thread by what its thread did before.
  CutView past_in_thread(ThreadId thread, uint32_t number) const {
    return number == 0 ? CutView() : past(place(thread, number - 1));
  }

  // Whether the lock is held after the steps of the cut, as far as those tell.
  bool held(uint32_t lock, CutView cut) const;
  void held_from_the_start(uint32_t lock) { held_at_first_[lock] = true; }

 private:
  struct Known {
    bool looked_at = false;
    bool known = false;
    SourcedRole role;
  };
  struct Range {
    uint64_t begin, end;
    uint32_t thing;
  };

  const Known& roles(ActionId id) {
    if (index(id) >= known_.size() || !known_[index(id)].looked_at) learn(id);
    return known_[index(id)];
  }
  void learn(ActionId id);
  uint32_t variable(uint64_t begin, uint64_t end);
  uint32_t lock(ObjectNumber number);
  uint32_t new_thing();
  void widen(size_t threads);

  ActionTable actions_;
  std::vector<Known> known_;     // by action
  std::vector<Range> ranges_;    // the variables
  std::vector<uint32_t> locks_;  // by object: its thing
  std::vector<bool> held_at_first_;
  uint32_t things_ = 0;

  std::vector<SourcedStep> steps_;
  std::vector<uint32_t> pasts_;
  size_t stride_ = 4;
  Cut taken_;
  std::vector<std::vector<Place>> by_thread_;
  std::vector<std::vector<Place>> changes_;
};

}  // namespace heddle
