// The states of a program graph.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/machine.h"
#include "interpreter/state_space.h"

namespace heddle {

class GraphSpace final : public StateSpace {
 public:
  // The program must be well formed (graph/check.h).
  explicit GraphSpace(graph::Program program);
  GraphSpace(const std::shared_ptr<const CompiledProgram>& program,
             std::shared_ptr<ThreadSlots> slots);

  const graph::Program& program() const override { return machine_.program().source; }
  std::unique_ptr<StateSpace> clone() const override;
  size_t state_size() const override { return machine_.program().state_size; }
  uint32_t thread_slots() const override { return machine_.program().slots; }
  const StateLayout& layout() const override { return machine_.program().layout; }
  Outcome initial(uint8_t* state) override { return machine_.start(state); }
  void moves(const uint8_t* state, std::vector<Move>& into) override;
  Outcome take(const uint8_t* from, Move move, uint8_t* to) override;
  const Failure& failure() const override { return machine_.failure(); }
  const std::string& bound() const override { return machine_.bound(); }
  bool is_deadlock(const uint8_t* state) override;
  Failure deadlock(const uint8_t* state) override;
  bool is_live(const uint8_t* state, uint32_t thread) override {
    return machine_.is_live(state, thread);
  }
  NextAction next_action(const uint8_t* state, uint32_t thread) override;
  void locks_held(const uint8_t* state, uint32_t thread, std::vector<uint32_t>& into) override;
  void pointers(const uint8_t* state, std::vector<uint32_t>& into) override;
  Birth birth(uint32_t thread) const override;
  std::string state_text(const uint8_t* state) override;

  Machine& machine() { return machine_; }

 private:
  void add_touches(const Action& action, NextAction& into) const;
  void touch_cell(Address address, bool writes, NextAction& into) const;

  Machine machine_;
};

}  // namespace heddle
