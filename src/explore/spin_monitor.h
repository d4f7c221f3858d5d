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
// another thread holds a lock for a while disturbs only rounds that try to lock.
//
// Loops that count their rounds never come back to the same state. A thread that was so often in
// one place without having changed anything is in doubt: it is let go on alone for long, once for
// each place (LoopJudge::classify_loop). If it still does nothing else, the loop is taken to wait
// from that number of rounds on, and what is said about coverage says so; if it leaves the loop, by
// having counted far enough, it is let count. With yields or without: this is what fair schedulers
// get from priorities (Musuvathi, Qadeer, "Fair stateless model checking", PLDI 2008), that nobody
// goes round for ever while another thread could end it.
//
// The local state is expensive to compute on a real thread. It is asked for only where a thread was
// several times already, and where one was seen to spin, always (LoopPlaces).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "explore/configuration.h"
#include "model/action.h"
#include "model/op_set.h"

namespace heddle {

enum class Spinning : uint8_t { Unroll, Wait, Prune };

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

  Kind kind(Address pc) const {
    for (uint32_t i = 0; i < count_; ++i)
      if (places_[i].pc == pc) return places_[i].kind;
    return Kind::Unknown;
  }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == places_.size(); }
  void add(Address pc, Kind kind) {
    if (full() || this->kind(pc) != Kind::Unknown) return;
    places_[count_++] = {pc, kind};
    news_ = true;
  }
  // Whether some loop is taken to wait that may only count for long.
  bool assumes() const {
    for (uint32_t i = 0; i < count_; ++i)
      if (places_[i].kind == Kind::Waits) return true;
    return false;
  }
  bool has_news() const { return news_; }
  // Whether there is a new one since the last time.
  bool take_news() {
    const bool news = news_;
    news_ = false;
    return news;
  }

 private:
  struct Place {
    Address pc = kNoAddress;
    Kind kind = Kind::Unknown;
  };
  std::array<Place, 128> places_{};
  uint32_t count_ = 0;
  bool news_ = false;
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
    track.spins = false;
    if (!may_change_nothing(action.op)) return track.clear();
    if (track.skipped < kFirstLooks && knows_no_loops()) {
      ++track.skipped;
      return;
    }
    const uint32_t seen = find(track, action);
    const uint32_t times = seen == kNever ? 1 : track.visits[seen].times + 1;
    const LoopPlaces::Kind kind = kind_of(action.pc);
    const bool looks = states_ == LocalStates::AreCheap || kind == LoopPlaces::Kind::Repeats ||
                       times > kTimesBeforeLooking;
    const bool in_vain = times >= kTimesInVain &&
                         (kind == LoopPlaces::Kind::Waits || kind == LoopPlaces::Kind::Unknown);
    visit(track, action, seen, looks ? local_state() : 0, in_vain);
    if (track.spins && kind == LoopPlaces::Kind::Unknown) look_into(track, thread, action.pc);
  }
  // It takes the action now.
  void goes_on(ThreadId thread, Op op) {
    Track& track = track_of(thread);
    if (!may_change_nothing(op)) ++changes_;
    track.changes_seen = changes_;
    ++track.steps;
    if (track.count > 0) note_surroundings(track);
  }

  // A thread of which it is not known whether it waits or counts; kNoThread if there is none.
  ThreadId suspected_spinner() const { return active() ? suspect_.thread : kNoThread; }
  void classify(LoopPlaces::Kind kind) {
    places_->add(suspect_.place, kind);
    suspect_ = {};
  }

  // The running thread has changed something that others may notice.
  void changed() { ++changes_; }
  // It has taken or given back something.
  void toggled(ThreadId thread, Address thing) {
    const uint64_t bits = (value(thing) + index(thread)) * 0x9e3779b97f4a7c15;
    held_ ^= bits;
    track_of(thread).held ^= bits;
  }

  Spin spin(ThreadId thread) const {
    if (!some_spin_ || !active() || index(thread) >= tracks_.size()) return Spin::None;
    const Track& track = tracks_[index(thread)];
    if (!track.spins || track.execution != execution_) return Spin::None;
    if (still_the_same(track)) return Spin::Waits;
    return mode_ == Spinning::Prune ? Spin::Pruned : Spin::None;
  }
  // Of a thread that spins: how many steps its last round took.
  uint32_t round(ThreadId thread) const { return tracks_[index(thread)].round; }

 private:
  static constexpr uint32_t kMostVisits = 24, kNever = kMostVisits;
  static constexpr uint32_t kTimesBeforeLooking = 4;
  static constexpr uint32_t kTimesInVain = 3;
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
    uint32_t steps = 0;  // that the thread had taken
    uint64_t held = 0;   // by the thread itself
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
    uint64_t execution = 0;  // to which all this belongs
    bool spins = false;
    bool repeats = false;       // the state, too
    bool undisturbed = false;   // the round it has just made
    bool tries_locks = false;   // in that round
    Surroundings surroundings;  // of that round

    void begin(uint64_t number) {
      execution = number;
      changes_seen = held = 0;
      steps = 0;
      clear();
    }
    void clear() {
      count = skipped = unchanged_since = untouched_since = 0;
      spins = false;
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
           (!track.tries_locks || track.surroundings.held == (held_ ^ track.held));
  }
  void look_into(Track& track, ThreadId thread, Address place);
  static bool tries_locks(const Track& track, uint32_t since);
  static uint32_t find(const Track& track, const Action& action);
  // Most threads look once or twice and go on. As long as no loop is known, that is not worth the
  // trouble of keeping notes; a loop that is there is found two rounds later, once.
  bool knows_no_loops() const {
    return states_ == LocalStates::AreExpensive && places_ != nullptr && places_->empty();
  }
  LoopPlaces::Kind kind_of(Address pc) const {
    return places_ == nullptr ? LoopPlaces::Kind::Unknown : places_->kind(pc);
  }
  void visit(Track& track, const Action& action, uint32_t seen, uint64_t state, bool in_vain);
  void note_surroundings(Track& track);

  Spinning mode_ = Spinning::Unroll;
  LoopPlaces* places_ = nullptr;
  LocalStates states_ = LocalStates::AreCheap;
  struct {
    ThreadId thread = kNoThread;
    Address place = kNoAddress;
  } suspect_;
  std::vector<Track> tracks_;
  uint64_t execution_ = 0;
  uint64_t changes_ = 0;
  uint64_t held_ = 0;
  bool some_spin_ = false;  // or did, in this execution
};

}  // namespace heddle
