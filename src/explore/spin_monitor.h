// Threads that wait by looking again and again.
//
// Problem. `while (!flag) ;` takes ever new steps: a search that lets it go on does not end, and
// one that lets it go on for long is lost in rounds that changed nothing.
//
// Idea. A thread that stands where it stood before, with the same stack and registers, and has
// changed nothing in between, spins. Its round could be left out: everything else would be as it
// is. What a search makes of that is its choice (Spinning):
//  * Wait. If nobody else changed anything during the round either, the next one would be the same.
//    The thread is not enabled until somebody does. Where all threads wait like this, or for one
//    that does, none will ever do anything else: a livelock.
//  * Prune. The thread goes no further in this execution. Executions in which it comes to its loop
//    later are others, and a search that reverses races finds them: what the round read is in a
//    race with what would have changed it. Since this depends on the thread's own steps alone, it
//    is no condition between threads, which a reduction would have to know about. Where no thread
//    is left but such ones, they may look once more, as under Wait: if nobody finds a change, it
//    is a livelock.
//
// What counts as a change: see changes_nothing() for operations, and changed() for what is known
// only when the operation is done (a successful compare-and-swap, a store of another value). Locks
// that were taken and given back, and memory that was allocated and freed, are no change. That
// another thread holds a lock for a while disturbs only rounds that try to lock. What a thread
// writes into memory that nobody else looks at belongs to its local state.
//
// Loops that count their rounds never come back to the same state. A thread that was so often in
// one place without having changed anything is suspected: it is let go on alone for long, once for
// each place (LoopJudge::classify_loop). If it still does nothing else, the loop is taken to wait
// from that number of rounds on, and what is said about coverage says so; if it leaves the loop, by
// having counted far enough, it is let count. With yields or without: this is what fair schedulers
// get from priorities (Musuvathi, Qadeer, "Fair stateless model checking", PLDI 2008), that nobody
// goes round for ever while another thread could end it.
//
// Locks that spin a thousand times before they block count far: if others could come in between in
// every round, there would be a thousand executions that differ in a counter only. Once a thread
// has looked in vain three times in a loop that was seen to count that far, it runs on until it
// leaves it: no other thread is let in between, and its steps there are shown as steps that have
// to do with nobody. So a change is seen in one of the first rounds, or not at all; coverage says
// so. The loop may end differently elsewhere: who counts for much longer is suspected again. Rounds
// in which the thread takes a lock are let go one by one: others may need the lock, and wait for
// it.
//
// A loop inside another one that waits is left in every round of that: it counts. And a loop may
// look at what it waits for in some of its rounds only. Then a thread that was taken to wait would
// go on if it was let, so it is let make more rounds from then on before it is taken to wait
// (reconsider).
//
// The local state is expensive to compute on a real thread. It is asked for only where a thread was
// several times already, and where one was seen to spin, always (LoopPlaces); of loops that count,
// in two rounds after each doubling of their number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "explore/configuration.h"
#include "model/action.h"
#include "model/op_set.h"

namespace heddle {

enum class Spinning : uint8_t { Unroll, Wait, Prune };

// How the next step of a thread is shown that runs on in its loop: it has to do with nobody.
inline Action running_on(const Action& next) {
  return {.op = Op::Yield, .thread = next.thread, .pc = next.pc};
}

// Places in the program at which some thread was seen to spin. Survives executions, so that the
// first round of a loop is as good as the second. Plain data: it may lie in shared memory.
class LoopPlaces {
 public:
  enum class Kind : uint8_t {
    Unknown,
    Repeats,  // comes back to the same state
    Waits,    // never does, but only looks
    Counts,   // leaves the loop when it has counted far enough
  };

  struct Place {
    Address pc = kNoAddress;
    Kind kind = Kind::Unknown;
    uint32_t rounds = 0;  // that it was seen to need, to count or until it looked again

    // Whether threads run on in it, in place of being let go round by round, if they take no lock.
    bool counts_far() const { return rounds > kFew; }
    // From how many rounds in vain on the thread waits, or is to be looked at.
    uint32_t patience() const {
      if (kind == Kind::Repeats) return kForEver;
      if (kind == Kind::Waits) return std::max(2 * rounds, kTimesInVain);
      return rounds == 0 ? kTimesInVain : 2 * rounds + 2 * kFew;
    }
  };
  static constexpr uint32_t kTimesInVain = 3;
  static constexpr uint32_t kFew = 32;
  static constexpr uint32_t kEnough = 1 << 14;
  static constexpr uint32_t kForEver = 0xffffffff;

  Place place(Address pc) const {
    for (uint32_t i = 0; i < count_; ++i)
      if (places_[i].pc == pc) return places_[i];
    return {};
  }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == places_.size(); }
  // A loop that counts may be found to wait at times, and to count further.
  void add(Address pc, Kind kind, uint32_t rounds = 0) {
    uint32_t at = 0;
    while (at < count_ && places_[at].pc != pc) ++at;
    if (at == places_.size()) return;
    Place& place = places_[at];
    if (at == count_)
      ++count_;
    else if (place.kind != Kind::Counts)
      return;
    place = {pc, kind, std::clamp<uint32_t>(rounds, place.rounds, 1u << 24)};
    news_ = news_ || kind != Kind::Counts || place.counts_far();
  }
  // A thread taken to wait there did not: it is to make more rounds. False if it has made enough.
  bool doubt(Address pc);
  // What was found out about short loops is found out again: some were left because the thread was
  // taken to wait in a loop inside them.
  void forget_short_ones();
  // Whether some loop is taken to wait that may only count for long.
  bool assumes() const {
    return any([](const Place& p) { return p.kind == Kind::Waits; });
  }
  // Whether some thread ran on in its loop.
  bool abbreviates() const { return abbreviates_; }
  void note_abbreviated() { abbreviates_ = true; }
  bool has_news() const { return news_; }
  // Whether there is a new one since the last time.
  bool take_news() {
    const bool news = news_;
    news_ = false;
    return news;
  }

 private:
  template <typename Property>
  bool any(Property property) const {
    return std::any_of(places_.begin(), places_.begin() + count_, property);
  }
  std::array<Place, 128> places_{};
  uint32_t count_ = 0;
  bool news_ = false;
  bool abbreviates_ = false;
};

class SpinMonitor {
 public:
  void reserve(size_t threads) { tracks_.reserve(threads); }
  enum class LocalStates : uint8_t { AreExpensive, AreCheap };
  // Where local states are cheap they are asked for everywhere.
  void use_places(LoopPlaces* places, LocalStates states) {
    places_ = places;
    states_ = states;
  }

  void begin_execution(Spinning mode);
  void set_mode(Spinning mode) { mode_ = mode; }
  uint64_t changes() const { return changes_; }
  bool active() const { return mode_ != Spinning::Unroll; }

  // The thread stands before `action`; local_state() says with what stack and registers.
  template <typename LocalState>
  void arrives(ThreadId thread, const Action& action, LocalState local_state) {
    Track& track = track_of(thread);
    if (track.changes_seen != changes_) track.clear();
    track.spins = track.runs_on = false;
    if (!may_change_nothing(action.op)) return track.clear();
    if (track.skipped < kFirstLooks && knows_no_loops()) {
      ++track.skipped;
      return;
    }
    const uint32_t seen = find(track, action);
    const uint32_t times = seen == kNever ? 1 : track.visits[seen].times + 1;
    const LoopPlaces::Place place = place_of(action.pc);
    const bool looks = states_ == LocalStates::AreCheap ||
                       place.kind == LoopPlaces::Kind::Repeats || worth_a_look(times);
    visit(track, action, seen, looks ? local_state() : 0, place);
    if (track.spins) look_into(track, thread, place, action.pc);
    if (suspect_.thread == thread && !stays(track, suspect_.place)) suspect_.left = true;
    track.runs_on = !track.spins && place.counts_far() &&
                    track.visits[track.count - 1].looks >= LoopPlaces::kTimesInVain;
    if (track.runs_on) places_->note_abbreviated();
  }
  // Whether the thread, which arrives, has changed something since it went on.
  bool has_changed(ThreadId thread) { return track_of(thread).changes_seen != changes_; }
  // It takes the action now.
  void goes_on(ThreadId thread, Op op) {
    Track& track = track_of(thread);
    if (!may_change_nothing(op)) ++changes_;
    track.changes_seen = changes_;
    ++track.steps;
    if (track.count > 0) note_surroundings(track);
  }

  // A thread of which it is not known whether it waits or counts, and which has not left the loop
  // since; kNoThread if there is none.
  ThreadId suspected_spinner() const {
    return active() && !suspect_.left ? suspect_.thread : kNoThread;
  }
  LoopPlaces::Place classify(LoopPlaces::Kind kind, uint32_t rounds) {
    const Address pc = suspect_.place;
    places_->add(pc, kind, kind == LoopPlaces::Kind::Counts ? suspect_.times + rounds : 0);
    suspect_ = {};
    return places_->place(pc);
  }

  // All threads waited, some of them in loops, and yet one went on: whether there are loops of
  // which too much was taken for granted. They are given more time.
  bool reconsider();

  // The running thread has changed something that others may notice.
  void changed() { ++changes_; }
  // It has taken or given back something.
  enum class Hold : uint8_t { Taken, GivenBack, Allocated, Freed };
  void toggled(ThreadId thread, Address thing, Hold hold) {
    const bool more = hold == Hold::Taken || hold == Hold::Allocated;
    // Sums, so that it counts how often a recursive lock is held.
    const uint64_t one = (value(thing) + index(thread)) * 0x9e3779b97f4a7c15;
    const uint64_t change = more ? one : -one;
    Track& track = track_of(thread);
    held_ += change;
    track.held += change;
    track.holds += hold == Hold::Taken ? 1 : hold == Hold::GivenBack ? -1 : 0;
    track.taken += hold == Hold::Taken;
  }

  Spin spin(ThreadId thread) const {
    if (!some_spin_ || !active() || index(thread) >= tracks_.size()) return Spin::None;
    const Track& track = tracks_[index(thread)];
    if (!track.spins || track.execution != execution_) return Spin::None;
    if (still_the_same(track)) return Spin::Waits;
    return mode_ == Spinning::Prune ? Spin::Pruned : Spin::None;
  }
  // Whether nobody else is to be let in before the thread has left its loop.
  bool runs_on(ThreadId thread) const {
    if (!active() || index(thread) >= tracks_.size()) return false;
    const Track& track = tracks_[index(thread)];
    return track.runs_on && track.execution == execution_;
  }
  // Of a thread that spins: how many steps its last round took.
  uint32_t round(ThreadId thread) const { return tracks_[index(thread)].round; }

 private:
  static constexpr uint32_t kMostVisits = 24, kNever = kMostVisits;
  static constexpr uint32_t kTimesBeforeLooking = 4;
  static constexpr uint32_t kFirstLooks = 2;

  // What the others have made of the world, as far as we know.
  struct Surroundings {
    uint64_t changes = 0;
    uint64_t held = 0;
  };
  struct Visit {
    Address pc = kNoAddress;
    Address object = kNoAddress;
    Op op = Op::Yield;
    uint32_t times = 1;  // that it was here since its last change
    uint32_t looks = 1;  // of these, the last without having taken a lock in between
    uint32_t quiet = 0;  // the last rounds in which nobody else changed anything
    uint32_t taken = 0;  // locks that the thread had taken in all
    uint32_t steps = 0;  // that the thread had taken
    uint64_t held = 0;   // by the thread itself
    int32_t holds = 0;   // how many things
    uint64_t state = 0;  // 0: not known
    Surroundings surroundings;
  };
  struct Track {
    std::array<Visit, kMostVisits> visits;  // since the thread's last change
    uint32_t count = 0;
    uint32_t skipped = 0;  // visits before these
    uint32_t steps = 0;    // of the thread in this execution
    uint32_t round = 0;    // steps of the round it has just made, if it spins
    // The first visits from which on nobody changed anything, and took or gave back any lock.
    uint32_t unchanged_since = 0, untouched_since = 0;
    uint64_t changes_seen = 0;
    uint64_t held = 0;
    int32_t holds = 0;
    uint32_t taken = 0;      // locks, in this execution
    uint64_t execution = 0;  // to which all this belongs
    bool spins = false;
    bool runs_on = false;       // in a loop that counts far
    bool repeats = false;       // the state, too
    bool undisturbed = false;   // the round it has just made
    bool tries_locks = false;   // in that round
    Surroundings surroundings;  // of that round

    void begin(uint64_t number) {
      execution = number;
      changes_seen = held = 0;
      holds = 0;
      steps = taken = 0;
      clear();
    }
    void clear() {
      count = skipped = unchanged_since = untouched_since = 0;
      spins = runs_on = false;
    }
  };

  // Operations that change nothing, or tell by changed() or toggled() when they do.
  static bool may_change_nothing(Op op) {
    constexpr OpSet kSuch = OpSet::with(op_property::MaySpin);
    return kSuch.contains(op);
  }
  Track& track_of(ThreadId thread) {
    if (index(thread) >= tracks_.size()) tracks_.resize(index(thread) + 1);
    Track& track = tracks_[index(thread)];
    if (track.execution != execution_) track.begin(execution_);
    return track;
  }
  // Whether nobody has changed anything since the round began.
  bool still_the_same(const Track& track) const {
    return track.undisturbed && track.surroundings.changes == changes_ &&
           (!track.tries_locks || track.surroundings.held == held_ - track.held);
  }
  void look_into(Track& track, ThreadId thread, const LoopPlaces::Place& place, Address pc);
  static bool tries_locks(const Track& track, uint32_t since);
  static bool held_less(const Track& track, uint32_t since);
  static uint32_t find(const Track& track, const Action& action);
  // Most threads look once or twice and go on. As long as no loop is known, that is not worth the
  // trouble of keeping notes; a loop that is there is found two rounds later, once.
  bool knows_no_loops() const {
    return states_ == LocalStates::AreExpensive && places_ != nullptr && places_->empty();
  }
  static bool worth_a_look(uint32_t times) {
    constexpr uint32_t kOften = 16;
    return times > kTimesBeforeLooking && (times < kOften || (times & (times - 1)) <= 1);
  }
  LoopPlaces::Place place_of(Address pc) const {
    return places_ == nullptr ? LoopPlaces::Place{} : places_->place(pc);
  }
  void visit(Track& track, const Action& action, uint32_t seen, uint64_t state,
             const LoopPlaces::Place& place);
  bool in_vain(const Visit& visit, const LoopPlaces::Place& place) const;
  // Whether the thread is still in the loop in which it was at the place.
  static bool stays(const Track& track, Address place) {
    return std::any_of(track.visits.begin(), track.visits.begin() + track.count,
                       [&](const Visit& visit) { return visit.pc == place; });
  }
  void note_surroundings(Track& track);

  Spinning mode_ = Spinning::Unroll;
  LoopPlaces* places_ = nullptr;
  LocalStates states_ = LocalStates::AreCheap;
  struct {
    ThreadId thread = kNoThread;
    Address place = kNoAddress;
    uint32_t times = 0;  // that it was there
    bool left = false;   // the loop
  } suspect_;
  std::vector<Track> tracks_;
  uint64_t execution_ = 0;
  uint64_t changes_ = 0;
  uint64_t held_ = 0;
  bool some_spin_ = false;  // or did, in this execution
};

}  // namespace heddle
