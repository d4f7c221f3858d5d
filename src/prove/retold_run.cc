#include "prove/retold_run.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "interpreter/graph_space.h"
#include "prove/judged_space.h"

namespace heddle::prove {
namespace {

// Inputs in the order in which the program takes them.
class GivenInputs final : public InputSource {
 public:
  explicit GivenInputs(const circuit::Execution& execution)
      : left_(execution.first_inputs.begin(), execution.first_inputs.end()) {
    for (const circuit::TracedMove& each : execution.moves)
      left_.insert(left_.end(), each.inputs.begin(), each.inputs.end());
  }
  const std::deque<uint64_t>& left() const { return left_; }
  const std::deque<Address>& places() const { return places_; }  // where they were taken
  uint64_t next(uint32_t /*bits*/, Address pc) override {
    if (left_.empty()) return 0;
    const uint64_t value = left_.front();
    left_.pop_front();
    places_.push_back(pc);
    return value;
  }

 private:
  std::deque<uint64_t> left_;
  std::deque<Address> places_;
};

std::vector<TakenInput> taken_in(const circuit::Execution& execution,
                                 const std::deque<Address>& places) {
  std::vector<TakenInput> taken;
  const auto add = [&](size_t after, uint32_t thread, const std::vector<uint64_t>& values) {
    for (const uint64_t value : values)
      if (taken.size() < places.size())
        taken.push_back({after, ThreadId{thread}, places[taken.size()], value});
  };
  add(0, index(kMainThread), execution.first_inputs);
  for (size_t i = 0; i < execution.moves.size(); ++i)
    add(i + 1, execution.moves[i].move.thread, execution.moves[i].inputs);
  return taken;
}

// The race in the state in which the execution leaves the threads.
Failure race_of(const circuit::ThreadPlan& plan, const circuit::Execution& execution) {
  auto plain = std::make_unique<GraphSpace>(plan.program, plan.slots);
  GivenInputs inputs(execution);
  plain->machine().set_inputs(&inputs);
  JudgedSpace space(std::move(plain), {0, true});
  std::vector<uint8_t> state(space.state_size());
  Outcome outcome = space.initial(state.data());
  for (const circuit::TracedMove& each : execution.moves)
    outcome = space.take(state.data(), each.move, state.data());
  HEDDLE_CHECK(outcome == Outcome::Failed);
  return space.failure();
}

}  // namespace

Counterexample retell_run(const circuit::ThreadPlan& plan, const circuit::Execution& execution,
                          FindingKind kind) {
  GraphSpace space(plan.program, plan.slots);
  GivenInputs inputs(execution);
  const std::vector<uint64_t> values(inputs.left().begin(), inputs.left().end());
  space.machine().set_inputs(&inputs);
  explicit_states::CheckFinding finding;
  finding.failure = kind == FindingKind::DataRace ? race_of(plan, execution) : execution.failure;
  for (const circuit::TracedMove& each : execution.moves) finding.path.push_back(each.move);
  Counterexample told = retell(space, finding);
  told.inputs = values;
  told.taken = taken_in(execution, inputs.places());
  return told;
}

}  // namespace heddle::prove
