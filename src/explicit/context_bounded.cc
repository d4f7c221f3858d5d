// Iterative context bounding with state caching: algorithm 1 of Musuvathi and Qadeer, "Iterative
// Context Bounding for Systematic Testing of Multithreaded Programs", as ZING runs it.
//
// A work item is a state and the thread that steps next. From a state in which the thread that
// stepped last is enabled, that thread goes on for free; any other costs a preemption and is left
// for the next round. If it is blocked or has ended, or if its step was a yield, all others are
// free. Round c thus takes all items that need c preemptions and no fewer; an item is taken once,
// in the first round that reaches it, since with more preemptions nothing further can be reached
// from it than with fewer. When the round is over, all executions with at most c preemptions are
// covered. The table of items that were taken is a word of bits per state, one for each thread.
//
// The recursion of the paper is a stack of items here. Where an item came from is kept (4 bytes a
// state and thread), so a finding's path has as few preemptions as there can be.
#include "explicit/context_bounded.h"

#include <algorithm>
#include <vector>

#include "base/check.h"

namespace heddle::explicit_states {
namespace {

constexpr uint32_t kNone = 0xffffffff;

struct Item {
  uint32_t state = 0;
  uint32_t thread = 0;
  uint32_t from = kNone;  // into done_: the item after whose step this one became possible
  uint32_t choice = 0;    // and the alternative that step took
};

class ContextBounded {
 public:
  ContextBounded(StateSpace& space, StateStore& store, Ledger& ledger)
      : space_(space),
        store_(store),
        ledger_(ledger),
        current_(space.state_size()),
        next_(space.state_size()) {
    HEDDLE_CHECK(store.restores() && space.thread_slots() <= 64);
  }

  void run() {
    const Outcome outcome = space_.initial(next_.data());
    CheckResult& result = ledger_.result();
    result.coverage.all_preemptions = false;
    if (outcome != Outcome::Running) {
      ended(next_.data(), outcome, {});
      result.coverage.all_preemptions = true;
      return;
    }
    arrive(kNone, 0, kNone);
    for (preemptions_ = 0; !ledger_.ended(); ++preemptions_) {
      while (!stack_.empty() && !ledger_.ended()) {
        const Item item = stack_.back();
        stack_.pop_back();
        take(item);
      }
      if (ledger_.ended()) return;
      result.states_by_preemptions.push_back(store_.size());
      result.coverage.preemptions = preemptions_;
      if (later_.empty()) {
        result.coverage.all_preemptions = true;
        return;
      }
      if (preemptions_ == ledger_.options().max_preemptions) return;
      stack_.swap(later_);
    }
  }

  size_t bytes() const {
    return store_.bytes() + taken_.capacity() * sizeof(uint64_t) +
           (stack_.capacity() + later_.capacity() + done_.capacity()) * sizeof(Item);
  }

 private:
  void take(const Item& item) {
    uint64_t& taken = taken_[item.state];
    if ((taken >> item.thread & 1) != 0) return;
    taken |= uint64_t{1} << item.thread;
    const auto number = static_cast<uint32_t>(done_.size());
    done_.push_back(item);
    store_.restore(StateKey{item.state}, current_.data());
    const bool yields =
        space_.next_action(current_.data(), item.thread).kind == graph::ActionKind::Yield;
    space_.moves(current_.data(), moves_);
    std::vector<Move> own;
    std::copy_if(moves_.begin(), moves_.end(), std::back_inserter(own),
                 [&](Move move) { return move.thread == item.thread; });
    for (const Move move : own) {
      const Outcome outcome = space_.take(current_.data(), move, next_.data());
      ++ledger_.result().transitions;
      if (outcome == Outcome::Running) {
        arrive(number, move.choice, yields ? kNone : item.thread);
      } else {
        ended(next_.data(), outcome, path(number, move.choice));
      }
      if (ledger_.ended()) return;
    }
  }

  // In next_, after a step of `runner`; kNone: whoever goes on does so for free.
  void arrive(uint32_t from, uint32_t choice, uint32_t runner) {
    const Arrival arrival = store_.insert(next_.data());
    const auto state = static_cast<uint32_t>(arrival.key);
    if (arrival.is_new) {
      taken_.push_back(0);
      ledger_.check_limits(store_.size(), [&] {
        return bytes() + store_.bytes_with(Ledger::kBetweenChecks) - store_.bytes();
      });
    }
    space_.moves(next_.data(), moves_);
    if (moves_.empty()) {
      if (arrival.is_new && space_.is_deadlock(next_.data())) {
        if (ledger_.options().on_end) ledger_.options().on_end(next_.data(), Outcome::Running);
        Failure failure = space_.deadlock(next_.data());
        if (ledger_.is_new(failure)) {
          ledger_.add(std::move(failure), path(from, choice), preemptions_);
        }
      }
      return;
    }
    const bool goes_on =
        std::any_of(moves_.begin(), moves_.end(), [&](Move move) { return move.thread == runner; });
    uint32_t last = kNone;
    for (const Move move : moves_) {
      if (move.thread == last) continue;
      last = move.thread;
      if ((taken_[state] >> move.thread & 1) != 0) continue;
      const bool is_free = !goes_on || move.thread == runner;
      (is_free ? stack_ : later_).push_back({state, move.thread, from, choice});
    }
  }

  void ended(const uint8_t* state, Outcome outcome, std::vector<Move> path) {
    CheckResult& result = ledger_.result();
    if (ledger_.options().on_end) ledger_.options().on_end(state, outcome);
    switch (outcome) {
      case Outcome::Running:
        break;
      case Outcome::Ended:
        ++result.ended;
        break;
      case Outcome::Dismissed:
        ++result.dismissed;
        break;
      case Outcome::Cut:
        ledger_.add_bound(space_.bound());
        break;
      case Outcome::Failed:
        if (ledger_.is_new(space_.failure())) {
          const Failure failure = space_.failure();
          ledger_.add(failure, std::move(path), preemptions_);
        }
        break;
    }
  }

  // Up to the step that the item takes, with this choice.
  std::vector<Move> path(uint32_t item, uint32_t choice) const {
    std::vector<Move> moves;
    while (item != kNone) {
      moves.push_back({done_[item].thread, choice});
      choice = done_[item].choice;
      item = done_[item].from;
    }
    std::reverse(moves.begin(), moves.end());
    return moves;
  }

  StateSpace& space_;
  StateStore& store_;
  Ledger& ledger_;
  std::vector<uint8_t> current_;
  std::vector<uint8_t> next_;
  std::vector<Move> moves_;
  std::vector<Item> stack_;  // of this round
  std::vector<Item> later_;  // of the next one
  std::vector<Item> done_;
  std::vector<uint64_t> taken_;  // by state: a bit for each thread
  uint32_t preemptions_ = 0;
};

}  // namespace

void search_context_bounded(StateSpace& space, StateStore& store, Ledger& ledger) {
  ContextBounded search(space, store, ledger);
  search.run();
  CheckResult& result = ledger.result();
  result.states = store.size();
  result.bytes = search.bytes();
}

}  // namespace heddle::explicit_states
