// The moves of one state, those that a reduction selected first.
#pragma once

#include <cstdint>
#include <vector>

#include "explicit/ledger.h"
#include "explicit/reduction.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// What both orders of search share: a state's moves, and what a step that ends an execution means.
class Expansion {
 public:
  Expansion(StateSpace& space, Reduction* reduction, Ledger& ledger)
      : space_(space), reduction_(reduction), ledger_(ledger) {}

  // How many of the moves suffice.
  size_t moves_of(const uint8_t* state, std::vector<Move>& moves) {
    space_.moves(state, moves);
    if (reduction_ == nullptr || moves.size() < 2) return moves.size();
    return reduction_->select(space_, state, moves);
  }

  // A state without moves. `path` gives the moves that led here.
  void dead_end(const uint8_t* state, auto&& path) {
    if (!space_.is_deadlock(state)) return;
    if (ledger_.options().on_end) ledger_.options().on_end(state, Outcome::Running);
    Failure failure = space_.deadlock(state);
    if (ledger_.is_new(failure)) ledger_.add(std::move(failure), path());
  }

  // A step that did not lead to a running state. `path` includes it.
  void ended(const uint8_t* state, Outcome outcome, auto&& path) {
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
          ledger_.add(failure, path());
        }
        break;
    }
  }

 private:
  StateSpace& space_;
  Reduction* reduction_;
  Ledger& ledger_;
};

}  // namespace heddle::explicit_states
