// Conditional stubborn sets with transactions on the fly: Kahlon, Gupta and Sinha, "Symbolic Model
// Checking of Concurrent Programs using Partial Orders and On-the-fly Transactions", figure 3.
//
// A set of transitions is grown until no transition outside of it can be the first to interfere
// with one inside. A thread has one next action, so the set is kept as a set of threads:
//
//   start with a thread that is enabled;                                              (step 1)
//   for an enabled thread in the set, add every thread that may, from where it stands, come to an
//   operation that is dependent with the thread's next step;                          (step 2(b)i)
//   for a thread in the set that is blocked, add those that may make its action possible.
//                                                                                     (step 2(a)ii)
//
// Step 2(a)i, transitions of the same thread that come before, is the thread itself. Of the sets
// that grow from each enabled thread the one with the fewest moves is taken.
//
// With lock patterns the choice is made twice: among the sets of the static relation, then among
// the sets that grow by the refined one from threads of the first choice. These are subsets of it,
// so never more states are visited than with the static relation alone (unless the rule about
// cycles of a depth-first search steps in at different places). Smallest sets of the refined
// relation taken from all threads at once do visit more on some programs.
//
// "May come to" is decided by footprints.h. Algo₂ (Relation::Static) asks whether the other thread
// may ever touch the same thing. Algo₃ (Relation::LockPatterns) asks whether it can do so without
// acquiring a lock that the thread in question holds now: if it must acquire one, the thread moves
// before that, and nothing can come in between. A thread with its locks thus gets to the end of its
// critical section in one go, as a transaction, unless somebody can interfere without the locks.
// The refined relation is for enabled threads only, as in the paper. (For a blocked thread it would
// do no harm: as long as it is blocked it keeps its locks.)
//
// Where this says more than the paper:
// - The recipe of its section 4.2 takes the smallest set over *all* threads. A set that grows from
//   a thread that is blocked may have no move at all, or not enough of them: terminal states are
//   lost. Step 1 of figure 3 asks for an enabled transition; so does this.
// - Locks and all other objects of synchronisation are objects that operations can be dependent on.
// - A blocked thread that waits for a mutex waits for whoever holds it, nobody else.
// - A step that fails, ends the program or is of no interest keeps all others from theirs, but no
//   analysis knows of it beforehand: the searches see to that (depth_first.cc). The end of the
//   process needs no more than that, as long as nobody asks for the memory it leaves behind. So all
//   failures and deadlocks are preserved, and the final states of executions in which the process
//   ends with its last thread.
// - The paper assumes that there are no cycles, or marks places on them as "sticky": there a thread
//   conflicts with everybody. That is CycleRule::Sticky, which any order of search may use; a
//   depth-first search can do with less (CycleRule::Search).
#include <algorithm>
#include <bit>
#include <vector>

#include "base/check.h"
#include "explicit/footprints.h"
#include "explicit/reduction.h"

namespace heddle::explicit_states {
namespace {

constexpr uint32_t kMostThreads = 64;

class Stubborn final : public Reduction {
 public:
  Stubborn(const StateSpace& space, Relation relation, CycleRule cycles)
      : footprints_(space),
        relation_(relation),
        cycles_(cycles),
        cells_(space.layout().cells),
        threads_(space.thread_slots()),
        first_thread_(space.resource_of_thread(0)) {
    HEDDLE_CHECK(space.thread_slots() <= kMostThreads);
  }

  size_t select(StateSpace& space, const uint8_t* state, std::vector<Move>& moves) override {
    look_at(space, state, moves);
    Choice choice{all_live(), static_cast<uint32_t>(moves.size())};
    improve(choice, Relation::Static, state);
    if (relation_ == Relation::LockPatterns) improve(choice, relation_, state);
    if (choice.moves == moves.size()) return moves.size();
    std::stable_partition(moves.begin(), moves.end(),
                          [&](Move move) { return (choice.set >> move.thread & 1) != 0; });
    return choice.moves;
  }

  std::vector<uint32_t> set_from(StateSpace& space, const uint8_t* state, uint32_t thread) {
    std::vector<Move> moves;
    space.moves(state, moves);
    look_at(space, state, moves);
    const uint64_t set = closure(thread, relation_, state, ~uint32_t{0});
    std::vector<uint32_t> threads;
    for (uint32_t slot = 0; slot < threads_.size(); ++slot) {
      if ((set >> slot & 1) != 0) threads.push_back(slot);
    }
    return threads;
  }

 private:
  struct Choice {
    uint64_t set = 0;
    uint32_t moves = 0;
  };
  struct Thread {
    bool live = false;
    uint32_t moves = 0;
    NextAction next;
    Footprints::Position position;
    LockSet locks;
  };

  void look_at(StateSpace& space, const uint8_t* state, const std::vector<Move>& moves) {
    for (uint32_t slot = 0; slot < threads_.size(); ++slot) {
      Thread& thread = threads_[slot];
      thread.moves = 0;
      thread.live = space.is_live(state, slot);
      if (!thread.live) continue;
      thread.next = space.next_action(state, slot);
      const bool inside = thread.next.op == Op::CondBlocked || thread.next.op == Op::CondRelock;
      thread.position = {slot, graph::index(thread.next.routine), graph::index(thread.next.block),
                         inside};
      if (relation_ == Relation::LockPatterns) {
        space.locks_held(state, slot, thread.locks);
        std::sort(thread.locks.begin(), thread.locks.end());
      }
    }
    for (const Move move : moves) ++threads_[move.thread].moves;
    for (uint32_t slot = 0; slot < threads_.size(); ++slot) drop_unsafe_locks(slot);
  }

  // A lock that others may make anew keeps nobody out.
  void drop_unsafe_locks(uint32_t slot) {
    Thread& thread = threads_[slot];
    if (!thread.live || relation_ != Relation::LockPatterns) return;
    std::erase_if(thread.locks, [&](uint32_t lock) { return may_be_reset(lock, slot); });
  }

  bool may_be_reset(uint32_t lock, uint32_t holder) {
    for (uint32_t other = 0; other < threads_.size(); ++other) {
      if (other == holder || !threads_[other].live) continue;
      if (later_of(threads_[other], no_locks_).resets.contains(lock)) return true;
    }
    return false;
  }

  uint32_t moves_in(uint64_t set) const {
    uint32_t count = 0;
    for (; set != 0; set &= set - 1) {
      count += threads_[static_cast<size_t>(std::countr_zero(set))].moves;
    }
    return count;
  }

  // The smallest set that grows from an enabled thread of this one, if it has fewer moves.
  void improve(Choice& choice, Relation relation, const uint8_t* state) {
    const uint64_t from = choice.set;
    for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const uint32_t own = threads_[thread].moves;
      if ((from >> thread & 1) == 0 || own == 0 || own >= choice.moves) continue;
      const uint64_t set = closure(thread, relation, state, choice.moves);
      const uint32_t count = moves_in(set);
      if (count < choice.moves) choice = {set, count};
    }
  }

  // Gives up where there are too many moves in it to be of interest.
  uint64_t closure(uint32_t first, Relation relation, const uint8_t* state, uint32_t too_many) {
    uint64_t set = uint64_t{1} << first;
    uint64_t done = 0;
    while (set != done) {
      const auto slot = static_cast<uint32_t>(std::countr_zero(set & ~done));
      done |= uint64_t{1} << slot;
      set |= threads_[slot].moves != 0 ? who_interferes(slot, relation) : who_enables(slot, state);
      if (moves_in(set) >= too_many) return set;
    }
    return set;
  }

  uint64_t all_live() const {
    uint64_t set = 0;
    for (uint32_t slot = 0; slot < threads_.size(); ++slot) {
      if (threads_[slot].live) set |= uint64_t{1} << slot;
    }
    return set;
  }

  // Step 2(b)i.
  uint64_t who_interferes(uint32_t slot, Relation relation) {
    const Thread& thread = threads_[slot];
    const NextAction& next = thread.next;
    const bool in_section = next.in_section || next.opens_section;
    if (next.meets_everything && next.op != Op::ProcessExit) return all_live();
    if (cycles_ == CycleRule::Sticky && closes_cycle(thread, in_section)) return all_live();
    const Footprint& rest = in_section                  ? footprints_.section(thread.position)
                            : next.op == Op::ThreadExit ? nothing_
                                                        : footprints_.rest_of_step(thread.position);
    uint64_t set = 0;
    for (uint32_t other = 0; other < threads_.size(); ++other) {
      if (other == slot || !threads_[other].live) continue;
      if (may_interfere(thread, relation, rest, threads_[other])) set |= uint64_t{1} << other;
    }
    return set;
  }

  bool closes_cycle(const Thread& thread, bool in_section) {
    if (thread.next.op == Op::ThreadExit || thread.next.op == Op::ProcessExit) return false;
    return footprints_.may_close_cycle(thread.position.routine, thread.position.block, in_section);
  }

  bool may_interfere(const Thread& thread, Relation relation, const Footprint& rest,
                     const Thread& other) {
    if (other.next.meets_everything && other.next.op != Op::ProcessExit) return true;
    const Footprint& later =
        later_of(other, relation == Relation::LockPatterns ? thread.locks : no_locks_);
    return rest.conflicts(later) || touches_conflict(thread.next, later);
  }

  // What a thread may touch as long as it gets none of these locks.
  const Footprint& later_of(const Thread& thread, const LockSet& locks) {
    if (thread.next.op == Op::ProcessExit) return nothing_;
    if (thread.next.op == Op::ThreadExit) return end_of(thread.position.slot);
    if (!locks.empty() && waits_for_one_of(thread.next, locks)) return nothing_;
    return footprints_.later_without(thread.position, locks);
  }

  // Its very next action is to acquire one of them.
  static bool waits_for_one_of(const NextAction& next, const LockSet& locks) {
    switch (next.op) {
      case Op::MutexLock:
      case Op::SpinLock:
      case Op::RwRead:
      case Op::RwWrite:
      case Op::CondRelock:
        break;
      default:
        return false;
    }
    const auto touched = next.touched();
    return std::any_of(touched.begin(), touched.end(), [&](Touch touch) {
      return std::binary_search(locks.begin(), locks.end(), touch.resource);
    });
  }

  static bool touches_conflict(const NextAction& next, const Footprint& other) {
    // Who starts or creates a thread meets nobody: it cannot be joined before.
    if (next.op == Op::ThreadStart || next.op == Op::ThreadCreate) return false;
    const auto touched = next.touched();
    return std::any_of(touched.begin(), touched.end(), [&](Touch touch) {
      return other.writes.contains(touch.resource) ||
             (touch.writes && other.reads.contains(touch.resource));
    });
  }

  // Step 2(a)ii: whoever may change what the blocked action waits for. The static relation,
  // whatever locks are held.
  uint64_t who_enables(uint32_t slot, const uint8_t* state) {
    const NextAction& next = threads_[slot].next;
    if (next.meets_everything) return all_live();
    if (const uint32_t holder = holder_of(next, state); holder != 0) {
      return uint64_t{1} << (holder - 1);
    }
    uint64_t set = 0;
    for (uint32_t other = 0; other < threads_.size(); ++other) {
      const Thread& thread = threads_[other];
      if (other == slot || !thread.live) continue;
      const Footprint& later = later_of(thread, no_locks_);
      const auto touched = next.touched();
      const bool may = thread.next.meets_everything || touched.empty() ||
                       std::any_of(touched.begin(), touched.end(), [&](Touch touch) {
                         return later.writes.contains(touch.resource);
                       });
      if (may) set |= uint64_t{1} << other;
    }
    return set;
  }

  // Who holds the lock that the action waits for, from 1 on.
  uint32_t holder_of(const NextAction& next, const uint8_t* state) {
    switch (next.op) {
      case Op::MutexLock:
      case Op::SpinLock:
      case Op::CondRelock:
        break;
      default:
        return 0;
    }
    for (const Touch touch : next.touched()) {
      if (touch.resource >= cells_.size() || !cells_[touch.resource].holds_thread) continue;
      const uint32_t holder = state[cells_[touch.resource].bytes.offset];
      if (holder == 0 || holder > threads_.size() || !threads_[holder - 1].live) return 0;
      return may_be_reset(touch.resource, holder - 1) ? 0 : holder;
    }
    return 0;
  }

  const Footprint& end_of(uint32_t slot) {
    if (ends_.empty()) ends_.resize(threads_.size(), footprints_.nothing());
    ends_[slot].writes.insert(resource_of_thread(slot));
    return ends_[slot];
  }
  uint32_t resource_of_thread(uint32_t slot) const { return first_thread_ + slot; }

  Footprints footprints_;
  Relation relation_;
  CycleRule cycles_;
  const std::vector<StateLayout::CellLayout>& cells_;
  std::vector<Thread> threads_;
  uint32_t first_thread_;
  Footprint nothing_ = footprints_.nothing();
  LockSet no_locks_;
  std::vector<Footprint> ends_;
};

}  // namespace

std::vector<uint32_t> stubborn_set_from(StateSpace& space, const uint8_t* state, uint32_t thread,
                                        Relation relation) {
  return Stubborn(space, relation, CycleRule::Search).set_from(space, state, thread);
}

std::unique_ptr<Reduction> make_stubborn(const StateSpace& space, Relation relation,
                                         CycleRule cycles) {
  return std::make_unique<Stubborn>(space, relation, cycles);
}

}  // namespace heddle::explicit_states
