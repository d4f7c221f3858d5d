// A program graph as the explorer steps it: every strategy and filter works on it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explore/executor.h"
#include "graph/footprint.h"
#include "interpreter/machine.h"

namespace heddle {

class GraphExecutor final : public Executor, private StepObserver {
 public:
  // The program must be well formed (graph/check.h).
  explicit GraphExecutor(graph::Program program, MachineOptions options = {});
  GraphExecutor(const GraphExecutor&) = delete;
  GraphExecutor& operator=(const GraphExecutor&) = delete;

  Status reset() override;
  const Configuration& configuration() const override { return configuration_; }
  Status status() const override { return status_; }
  const Failure& failure() const override { return failure_; }
  Status step(Transition transition) override;
  std::span<const Action> last_section() const override;
  bool continue_without_failed_thread() override;
  ThreadId waits_for(const Action& next) const override;
  std::optional<uint32_t> semaphore_value(Address semaphore) const override {
    return machine_.semaphore_value(state_.data(), semaphore);
  }
  uint64_t global_state() const override;
  void set_spinning(Spinning mode) override;
  uint64_t changes() const override { return spins_.changes(); }
  ThreadId suspected_spinner() const override { return spins_.suspected_spinner(); }
  bool reconsider_loops() override { return spins_.reconsider(); }
  LoopPlaces::Place classify_loop(LoopPlaces::Kind kind, uint32_t rounds) override {
    return spins_.classify(kind, rounds);
  }

  // The bounds of the graph that executions went beyond, so far. Such executions are dismissed, and
  // nothing is known of how they go on.
  const std::set<std::string>& bounds_met() const { return bounds_met_; }

  Machine& machine() { return machine_; }
  const uint8_t* state() const { return state_.data(); }
  uint64_t local_state(ThreadId thread) const;

 private:
  void changed() override { spins_.changed(); }
  void locked(uint32_t thread, Address lock) override {
    spins_.toggled(ThreadId{thread}, lock, SpinMonitor::Hold::Taken);
  }
  void unlocked(uint32_t thread, Address lock) override {
    spins_.toggled(ThreadId{thread}, lock, SpinMonitor::Hold::GivenBack);
  }
  void created(uint32_t thread) override { configuration_.created = ThreadId{thread}; }
  void in_section(const Action& action) override;
  void overwritten(uint32_t first_cell, uint32_t cells) override;

  Status settle(Outcome outcome);
  Action next_action(uint32_t thread);
  void find_wide_steps();
  void refresh_configuration();

  Machine machine_;
  std::vector<bool> wide_;  // by location: the step may do more to others than its action says
  std::vector<uint8_t> state_;
  Configuration configuration_;
  Status status_ = Status::Finished;
  Failure failure_;
  Op last_op_ = Op::ThreadStart;
  Spinning spinning_ = Spinning::Unroll;
  std::vector<Action> section_;
  bool section_is_full_ = false;
  SpinMonitor spins_;
  LoopPlaces loops_;
  std::set<std::string> bounds_met_;
};

}  // namespace heddle
