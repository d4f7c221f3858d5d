// Depth-first search with stored states.
//
// A frame is a state on the current path. Its moves lie on a common stack: first those that the
// reduction selected, then the others, which are taken only if none of the selected ones leads
// elsewhere, that is to a running state that is not on the current path itself:
// - a step that ends the execution (a failure, the end of the program, an assumption that does not
//   hold, a bound) keeps all other threads from their next steps, whatever it touched, and nobody
//   knows beforehand that it will;
// - if all selected steps lead back to the current path, the threads that were not selected might
// be
//   put off for ever: the ignoring problem.
// One step that leads elsewhere is enough. What a thread that was put off would have done can still
// be done after that step; and by induction over the order in which states are left for good, such
// steps come to a state in which all moves were taken.
//
// States are restored from the store where it can do that; otherwise the path holds them itself.
#include <cstring>
#include <vector>

#include "explicit/expansion.h"
#include "explicit/search.h"

namespace heddle::explicit_states {
namespace {

struct Frame {
  StateKey key{0};
  size_t moves_begin = 0;
  size_t next = 0;      // the next move to take
  size_t selected = 0;  // end of those to take
  bool leads_elsewhere = false;
};

class DepthFirst {
 public:
  DepthFirst(StateSpace& space, StateStore& store, Reduction* reduction, Ledger& ledger)
      : space_(space),
        store_(store),
        ledger_(ledger),
        expansion_(space, reduction, ledger),
        size_(space.state_size()),
        current_(size_),
        next_(size_) {}

  void run() {
    const Outcome outcome = space_.initial(next_.data());
    if (outcome != Outcome::Running) {
      expansion_.ended(next_.data(), outcome, [] { return std::vector<Move>{}; });
      return;
    }
    enter(store_.insert(next_.data()).key);
    while (!frames_.empty() && !ledger_.ended()) {
      if (!take_next()) leave();
    }
  }

 private:
  // One more move of the last frame; false if it has none left.
  bool take_next() {
    Frame& frame = frames_.back();
    if (frame.next == frame.selected) {
      if (frame.selected == moves_.size() || frame.leads_elsewhere) return false;
      ++ledger_.result().full_expansions;
      frame.selected = moves_.size();
    }
    make_current(frame);
    const Move move = moves_[frame.next++];
    const Outcome outcome = space_.take(current_.data(), move, next_.data());
    ++ledger_.result().transitions;
    if (outcome != Outcome::Running) {
      expansion_.ended(next_.data(), outcome, [&] { return path(); });
      return true;
    }
    const Arrival arrival = store_.insert(next_.data());
    if (arrival.is_new) {
      frame.leads_elsewhere = true;
      enter(arrival.key);
      ledger_.check_limits(store_.size(), [&] { return bytes(); });
    } else if (store_.knows_open() && !arrival.open) {
      frame.leads_elsewhere = true;
    }
    return true;
  }

  void enter(StateKey key) {
    if (!store_.restores()) held_.insert(held_.end(), next_.begin(), next_.end());
    current_.swap(next_);
    current_frame_ = frames_.size();
    const size_t selected = expansion_.moves_of(current_.data(), scratch_);
    frames_.push_back({.key = key,
                       .moves_begin = moves_.size(),
                       .next = moves_.size(),
                       .selected = moves_.size() + selected});
    moves_.insert(moves_.end(), scratch_.begin(), scratch_.end());
    uint64_t& deepest = ledger_.result().deepest;
    deepest = std::max<uint64_t>(deepest, frames_.size() - 1);
    if (scratch_.empty()) {
      expansion_.dead_end(current_.data(), [&] { return path(); });
    }
  }

  void leave() {
    store_.close(frames_.back().key);
    moves_.resize(frames_.back().moves_begin);
    frames_.pop_back();
    if (!store_.restores()) held_.resize(frames_.size() * size_);
  }

  void make_current(const Frame& frame) {
    if (current_frame_ == frames_.size() - 1) return;
    current_frame_ = frames_.size() - 1;
    if (store_.restores()) {
      store_.restore(frame.key, current_.data());
    } else {
      std::memcpy(current_.data(), held_.data() + current_frame_ * size_, size_);
    }
  }

  // What each frame took last; of a frame that has taken nothing, nothing.
  std::vector<Move> path() const {
    std::vector<Move> moves;
    for (const Frame& frame : frames_) {
      if (frame.next > frame.moves_begin) moves.push_back(moves_[frame.next - 1]);
    }
    return moves;
  }

  size_t bytes() const {
    return store_.bytes_with(Ledger::kBetweenChecks) + held_.capacity() +
           moves_.capacity() * sizeof(Move) + frames_.capacity() * sizeof(Frame);
  }

  StateSpace& space_;
  StateStore& store_;
  Ledger& ledger_;
  Expansion expansion_;
  size_t size_;
  std::vector<uint8_t> current_;  // the state of frame current_frame_
  size_t current_frame_ = 0;
  std::vector<uint8_t> next_;
  std::vector<Frame> frames_;
  std::vector<Move> moves_;    // of all frames
  std::vector<uint8_t> held_;  // the states of all frames, if the store cannot restore them
  std::vector<Move> scratch_;
};

}  // namespace

void search_depth_first(StateSpace& space, StateStore& store, Reduction* reduction,
                        Ledger& ledger) {
  DepthFirst(space, store, reduction, ledger).run();
  CheckResult& result = ledger.result();
  result.states = store.size();
  result.bytes = store.bytes();
  result.coverage.expected_omissions = store.expected_omissions();
}

}  // namespace heddle::explicit_states
