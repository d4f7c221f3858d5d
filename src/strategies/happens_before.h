// The happens-before relation of the execution under way, and its races.
//
// Two steps are ordered if they belong to one thread, if their actions are dependent, or if one
// enabled the other (a creation the start, a signal the thread it wakes), and so on transitively.
// Each step carries a vector clock: for every thread, one past the position of that thread's last
// step that happened before it, itself included. "a before b" is then one comparison.
//
// A race is a pair of steps whose order could have been the other one: steps of two threads, one
// happening before the other with nothing in between, where the later one was possible before the
// earlier. Three things need care:
//  * What merely enables (create, exit for a join, the signal for the woken thread) is not a race.
//  * A lock that was released by another thread was not free before: the release and the acquire
//    are not a race, but the two acquires are, although the release lies between them. They race
//    unless the earlier one happened before something the later one needed besides the lock: its
//    thread's step before, or the signal that woke it. The same for a thread that is blocked on
//    the lock when the execution ends (pending_race).
//  * The same for what several threads can have at a time (awaited.cc): a wait for a semaphore
//  races
//    with the latest step before which the semaphore had something left, one for a reader-writer
//    lock with the beginning of each hold that kept it out. The state that each step found its
//    object in is told by the executor (Action::before).
//  * A wait that ended by its time, because nothing else was possible, is in a race with what kept
//    it waiting, as if it were still blocked.
//  * An exit of the program is dependent with every step: it races with the last ones of the other
//    threads. So is an atomic section of which nobody knows what it did.
//  * Of an atomic section it is known only afterwards what it touched (learn_last). What it found
//    taken counts, too: it can always be begun, and if it has to wait in the middle, the rest of it
//    is a step of its own.
//
// Steps are added at the end and taken away there, at constant cost, so that after backtracking
// only the new part of an execution is computed. A chain per object links the steps that touched
// it; an access walks it back to the last one that changed all its bytes.
//
// Whether a mutex is held is deduced from the steps, and from what they found; what the program did
// to it before it had a second thread is not seen, nor is its kind (a mutex locked again by its
// holder is taken to be recursive). Where the deduction is contradicted by a later step it is
// corrected.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "explore/configuration.h"
#include "model/schedule.h"
#include "strategies/action_table.h"

namespace heddle {

using Position = uint32_t;  // of a step in the execution, from 0
inline constexpr Position kNowhere = 0xffffffff;

struct Step {
  ActionId action{};
  Transition transition;
  Position previous = kNowhere;             // step of the same thread
  Position enabled_by = kNowhere;           // the signal that woke it, for a relock
  uint32_t before = Action::kUnknownState;  // the state it found its object in
  bool has_alternatives = false;            // it could be taken in other ways
  bool woke_itself = false;                 // it is a wait that was over at once, or timed out
};

struct Race {
  Position first = kNowhere;
  Position second = kNowhere;
  bool acquires = false;  // of one lock, with a release between them
  // What else must not have happened for the second to be possible: HappensBefore::also_first.
  uint32_t also = 0, also_count = 0;
  ActionId instead = kNoAction;  // what the second step would be: it timed out waiting for that
  // For the strategy: it has been dealt with as long as this step stays, or else as long as no step
  // that might come before it conflicts with this action.
  Position witness = kNowhere;
  ActionId outsider = kNoAction;
};

class HappensBefore {
 public:
  explicit HappensBefore(ActionTable& actions) : actions_(actions) {}

  size_t size() const { return steps_.size(); }
  void append(Transition transition, ActionId action, uint32_t choices,
              uint32_t before = Action::kUnknownState, std::span<const Action> inside = {});
  void truncate(size_t size);
  // What the last step did turned out to be this (ActionTable::number_of_section).
  void learn_last(ActionId action, std::span<const Action> inside);

  // To be told of every configuration after a step: notes whom a signal woke.
  void observe(const Configuration& configuration) {
    if (steps_.empty()) return;
    const Action& last = actions_[steps_.back().action].action;
    if (may_begin_wait(last.op) || is_section(last)) note_own_wake(configuration);
    if (may_wake(last.op) || is_section(last)) note_woken(configuration);
  }

  const Step& step(Position position) const { return steps_[position]; }
  const Step& last() const { return steps_.back(); }
  ThreadId thread(Position position) const { return steps_[position].transition.thread; }
  const uint32_t* clock(Position position) const { return &clocks_[position * stride_]; }
  // One entry per thread, at least as many as there are threads in the execution.
  size_t clock_size() const { return stride_; }
  // Whether a, different from b, happened before b.
  bool before(Position a, Position b) const { return clock(b)[index(thread(a))] > a; }

  std::span<Race> races() { return races_; }

  // Besides its first step.
  std::span<const Position> also_first(const Race& race) const {
    return std::span(also_first_).subspan(race.also, race.also_count);
  }

  // What the second step of a race of acquires needs where the first is missing, as a clock. For a
  // step of `thread` yet to be taken: race.second = size().
  void clock_without_first(const Race& race, ThreadId thread, ActionId second,
                           std::vector<uint32_t>& clock) const;

  // The race of what `thread`, blocked, waits for at the end of the execution with the acquire that
  // keeps it waiting; `first` is kNowhere if there is none.
  Race pending_race(ThreadId thread, ActionId action);

  Position last_step_of(ThreadId thread) const {
    return index(thread) < last_.size() ? last_[index(thread)] : kNowhere;
  }

 private:
  struct LockState {
    ThreadId owner = kNoThread;
    uint32_t depth = 0;
    Position start = kNowhere;  // the acquire by which the last holder got it
  };
  struct Object {
    uint32_t newest = kNowhere;  // link
    LockState lock;
  };
  struct Link {
    Position step;
    uint32_t older;  // link
    ObjectNumber object;
    ResourceKind kind;
    AccessMode mode;
    uint64_t begin, end;
    uint32_t before;  // the state that the step found the object in
  };
  // Of a reader-writer lock.
  struct Hold {
    ThreadId thread;
    uint32_t depth;
    Position start;
  };
  struct Conflict {
    Position step;
    bool reversible;
  };
  struct LockBefore {
    ObjectNumber lock;
    LockState state;
  };
  struct Undo {
    uint32_t links = 0, races = 0, also = 0, woken = 0, locks = 0;  // sizes before the step
    Position meets_all = kNowhere;                                  // what meets_all_ was
  };

  void widen(size_t threads);
  static constexpr bool may_begin_wait(Op op) {
    return op == Op::CondWait || op == Op::CondTimedWait || op == Op::FutexWait ||
           op == Op::FutexTimedWait || op == Op::TimeOut;
  }
  void note_own_wake(const Configuration& configuration);
  void note_woken(const Configuration& configuration);
  void clock_without_lock(Position position, ThreadId thread, std::vector<uint32_t>& clock) const;
  // Rows are a multiple of four long; an execution has less than 2^31 steps.
  using Four [[gnu::vector_size(16)]] = int32_t;
  static Four four(const uint32_t* at) {
    Four values;
    std::memcpy(&values, at, sizeof values);
    return values;
  }
  void copy(uint32_t* into, Position from) const {
    const uint32_t* other = clock(from);
    for (size_t i = 0; i < stride_; i += 4) std::memcpy(into + i, other + i, sizeof(Four));
  }
  void join(uint32_t* into, Position from) const {
    const uint32_t* other = clock(from);
    for (size_t i = 0; i < stride_; i += 4) {
      const Four mine = four(into + i), theirs = four(other + i);
      const Four later = mine > theirs ? mine : theirs;
      std::memcpy(into + i, &later, sizeof later);
    }
  }
  void collect_conflicts(ActionId action, ThreadId thread);
  void order_after_lock(const KnownAction& known, ThreadId thread, uint32_t* row);
  void link(ActionId action, Position position, std::span<const Action> inside);
  Race race_of_timeout(const Action& action, ThreadId thread);

  // What several can have at a time: awaited.cc.
  void order_after_holders(const KnownAction& known, ThreadId thread, uint32_t* row);
  Race pending_race_for_share(const KnownAction& known, ThreadId thread);
  Position first_available(uint32_t link, Op op) const;
  Position begin_of_hold(uint32_t link);
  uint32_t free_before(ObjectNumber lock, Position position) const;
  bool find_holders(uint32_t oldest, Position end);
  void apply(Op op, Position position, uint32_t& state);
  bool make_available(const KnownAction& known, ThreadId thread);
  Race race_without_roots(Position second);
  bool happens_after_root(Position position) const {
    for (Position root : roots_)
      if (clock(position)[index(thread(root))] > root) return true;
    return false;
  }
  void change_locks(ActionId action, Position position);
  void change_lock(const LockStep& step, Position position);
  LockState state_before(ObjectNumber lock, Position position) const;
  bool releases_first(Position position, ObjectNumber lock) const;
  Position acquired_for(Position release, ObjectNumber lock) const;
  Position newest_conflict(const KnownAction& known) const;
  bool waits_for_release(const KnownAction& known, ThreadId thread) const;

  ActionTable& actions_;
  std::vector<Step> steps_;
  std::vector<Undo> undo_;
  std::vector<uint32_t> clocks_;  // stride_ for each step, and room for more
  size_t stride_ = 4;
  std::vector<Position> last_;  // step of each thread
  std::vector<Object> objects_;
  std::vector<Link> links_;
  std::vector<LockBefore> locks_before_;
  Position meets_all_ = kNowhere;  // the last step that is dependent with all others
  std::vector<Race> races_;
  std::vector<Position> also_first_;
  std::vector<Position> woken_;    // waits that were ended, in the order of that
  std::vector<Position> woke_by_;  // by thread: the signal that ended its last wait
  std::vector<Conflict> conflicts_;
  // Of the wait that is looked at: what it needed besides the lock, the steps without which it is
  // possible, and who holds the lock without these.
  std::vector<uint32_t> own_;
  std::vector<Position> roots_;
  std::vector<Hold> holds_;
  uint32_t unseen_holds_ = 0;      // from before the program had a second thread
  std::vector<uint32_t> of_lock_;  // links
};

}  // namespace heddle
