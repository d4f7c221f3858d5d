// A state space in which data races are failures and kinds of findings that do not count are not.
//
// Under sequential consistency a program has a data race if and only if some state can be reached
// in which two threads are about to access the same memory, one of them writing and one of them not
// atomically. Stubborn sets keep such a state reachable: from a state on the way to it either none
// of the selected threads takes part in what leads there, and it can be done as well afterwards;
// or the first of their steps can be done first; or both accesses are about to be made already,
// since a selected access brings in every thread that may ever conflict with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/state_space.h"
#include "model/finding.h"

namespace heddle::prove {

struct Judgement {
  FindingKinds ignored = 0;
  bool races = true;
};

class JudgedSpace final : public StateSpace {
 public:
  JudgedSpace(std::unique_ptr<StateSpace> inner, Judgement judgement);

  const graph::Program& program() const override { return inner_->program(); }
  std::unique_ptr<StateSpace> clone() const override;
  size_t state_size() const override { return inner_->state_size(); }
  uint32_t thread_slots() const override { return inner_->thread_slots(); }
  const StateLayout& layout() const override { return inner_->layout(); }
  Outcome initial(uint8_t* state) override;
  void moves(const uint8_t* state, std::vector<Move>& into) override { inner_->moves(state, into); }
  Outcome take(const uint8_t* from, Move move, uint8_t* to) override;
  const Failure& failure() const override { return is_race_ ? race_ : inner_->failure(); }
  const std::string& bound() const override { return inner_->bound(); }
  bool is_deadlock(const uint8_t* state) override;
  Failure deadlock(const uint8_t* state) override { return inner_->deadlock(state); }
  bool is_live(const uint8_t* state, uint32_t thread) override {
    return inner_->is_live(state, thread);
  }
  NextAction next_action(const uint8_t* state, uint32_t thread) override {
    return inner_->next_action(state, thread);
  }
  void locks_held(const uint8_t* state, uint32_t thread, std::vector<uint32_t>& into) override {
    inner_->locks_held(state, thread, into);
  }
  void pointers(const uint8_t* state, std::vector<uint32_t>& into) override {
    inner_->pointers(state, into);
  }
  Birth birth(uint32_t thread) const override { return inner_->birth(thread); }
  std::string state_text(const uint8_t* state) override { return inner_->state_text(state); }

 private:
  Outcome judge(Outcome outcome, const uint8_t* state);
  bool find_race(const uint8_t* state);

  std::unique_ptr<StateSpace> inner_;
  Judgement judgement_;
  Failure race_;
  bool is_race_ = false;
  std::vector<NextAction> accesses_;  // about to be made
  std::vector<uint32_t> threads_;     // by whom
};

// "bank.c:17", or "" where it is not known.
std::string text_of(const graph::Program& program, const graph::Place& place);

}  // namespace heddle::prove
