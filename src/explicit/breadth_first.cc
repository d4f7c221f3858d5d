// Breadth-first search with stored states: the findings' paths are as short as they can be.
//
// The store numbers states as they arrive, so the queue is a number: the next state to look at.
// Which state each one was first reached from is kept, 4 bytes each; which move it was is found
// out again for a finding. The reduction must see to cycles by itself (CycleRule::Sticky); moves
// that it did not select are taken where none of those it selected leads to a running state.
#include <algorithm>
#include <vector>

#include "base/check.h"
#include "explicit/chunks.h"
#include "explicit/expansion.h"
#include "explicit/search.h"

namespace heddle::explicit_states {
namespace {

class BreadthFirst {
 public:
  BreadthFirst(StateSpace& space, StateStore& store, Reduction* reduction, Ledger& ledger)
      : space_(space),
        store_(store),
        ledger_(ledger),
        expansion_(space, reduction, ledger),
        current_(space.state_size()),
        next_(space.state_size()) {
    HEDDLE_CHECK(store.restores());
  }

  void run() {
    const Outcome outcome = space_.initial(next_.data());
    if (outcome != Outcome::Running) {
      expansion_.ended(next_.data(), outcome, [] { return std::vector<Move>{}; });
      return;
    }
    store_.insert(next_.data());
    from_.push_back(0);
    for (uint32_t number = 0; number < store_.size() && !ledger_.ended(); ++number) {
      expand(number);
    }
  }

 private:
  void expand(uint32_t number) {
    store_.restore(StateKey{number}, current_.data());
    const size_t selected = expansion_.moves_of(current_.data(), moves_);
    if (moves_.empty()) {
      expansion_.dead_end(current_.data(), [&] { return path_to(number); });
      return;
    }
    bool goes_on = false;  // a selected move leads to a running state
    for (size_t i = 0; i < moves_.size() && !ledger_.ended(); ++i) {
      if (i == selected) {
        if (goes_on) break;
        ++ledger_.result().full_expansions;
      }
      const Move move = moves_[i];
      const Outcome outcome = space_.take(current_.data(), move, next_.data());
      ++ledger_.result().transitions;
      if (outcome != Outcome::Running) {
        expansion_.ended(next_.data(), outcome, [&] {
          std::vector<Move> path = path_to(number);
          path.push_back(move);
          return path;
        });
        continue;
      }
      goes_on = true;
      if (store_.insert(next_.data()).is_new) {
        from_.push_back(number);
        ledger_.check_limits(store_.size(), [&] {
          return store_.bytes_with(Ledger::kBetweenChecks) + from_.bytes();
        });
      }
    }
  }

  // Runs from the initial state along the first predecessors.
  std::vector<Move> path_to(uint32_t number) {
    std::vector<uint32_t> states;
    for (uint32_t at = number; at != 0; at = from_[at]) states.push_back(at);
    std::reverse(states.begin(), states.end());
    std::vector<Move> path;
    std::vector<uint8_t> here(current_.size());
    std::vector<uint8_t> wanted(current_.size());
    std::vector<uint8_t> there(current_.size());
    std::vector<Move> moves;
    store_.restore(StateKey{0}, here.data());
    for (const uint32_t state : states) {
      store_.restore(StateKey{state}, wanted.data());
      space_.moves(here.data(), moves);
      const auto found = std::find_if(moves.begin(), moves.end(), [&](Move move) {
        return space_.take(here.data(), move, there.data()) == Outcome::Running && there == wanted;
      });
      HEDDLE_CHECK(found != moves.end());
      path.push_back(*found);
      here = wanted;
    }
    return path;
  }

  StateSpace& space_;
  StateStore& store_;
  Ledger& ledger_;
  Expansion expansion_;
  std::vector<uint8_t> current_;
  std::vector<uint8_t> next_;
  std::vector<Move> moves_;
  Chunks<uint32_t> from_;  // by state
};

}  // namespace

void search_breadth_first(StateSpace& space, StateStore& store, Reduction* reduction,
                          Ledger& ledger) {
  BreadthFirst(space, store, reduction, ledger).run();
  CheckResult& result = ledger.result();
  result.states = store.size();
  result.bytes = store.bytes() + store.size() * sizeof(uint32_t);
}

}  // namespace heddle::explicit_states
