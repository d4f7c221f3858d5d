#include "events/packed.h"

#include <deque>
#include <sstream>
#include <vector>

#include "interpreter/graph_space.h"

namespace heddle::events {
namespace {

constexpr uint64_t kMostNumbers = uint64_t{1} << 24;

void put(std::ostringstream& out, const std::vector<uint64_t>& numbers) {
  out << numbers.size() << ' ';
  for (const uint64_t each : numbers) out << each << ' ';
}

bool get(std::istringstream& in, std::vector<uint64_t>& numbers) {
  uint64_t count = 0;
  if (!(in >> count) || count > kMostNumbers) return false;
  for (uint64_t each = 0; count > 0 && in >> each; --count) numbers.push_back(each);
  return !in.fail();
}

class GivenInputs final : public InputSource {
 public:
  void give(const std::vector<uint64_t>& values) {
    left_.insert(left_.end(), values.begin(), values.end());
  }
  uint64_t next(uint32_t /*bits*/, Address /*pc*/) override {
    if (left_.empty()) return 0;
    const uint64_t value = left_.front();
    left_.pop_front();
    return value;
  }

 private:
  std::deque<uint64_t> left_;
};

}  // namespace

std::string pack(FindingKind kind, const circuit::Execution& execution) {
  std::ostringstream out;
  out << static_cast<uint32_t>(kind) << ' ';
  put(out, execution.first_inputs);
  out << execution.moves.size() << ' ';
  for (const circuit::TracedMove& each : execution.moves) {
    out << each.move.thread << ' ' << each.move.choice << ' ';
    put(out, each.inputs);
  }
  return out.str();
}

std::optional<Steps> unpack(const std::string& text) {
  std::istringstream in(text);
  Steps steps;
  uint32_t kind = 0;
  uint64_t count = 0;
  if (!(in >> kind) || !get(in, steps.first_inputs) || !(in >> count) || count > kMostNumbers)
    return std::nullopt;
  steps.kind = static_cast<FindingKind>(kind);
  for (; count > 0; --count) {
    circuit::TracedMove move;
    if (!(in >> move.move.thread >> move.move.choice) || !get(in, move.inputs)) return std::nullopt;
    steps.moves.push_back(std::move(move));
  }
  return steps;
}

circuit::Execution take_again(const circuit::ThreadPlan& plan, const Steps& steps) {
  GraphSpace space(plan.program, plan.slots);
  GivenInputs inputs;
  space.machine().set_inputs(&inputs);
  inputs.give(steps.first_inputs);
  circuit::Execution result;
  result.first_inputs = steps.first_inputs;
  result.moves = steps.moves;
  std::vector<uint8_t> state(space.state_size());
  result.outcome = space.initial(state.data());
  for (const circuit::TracedMove& each : steps.moves) {
    inputs.give(each.inputs);
    result.outcome = space.take(state.data(), each.move, state.data());
  }
  if (result.outcome == Outcome::Failed) {
    result.failure = space.failure();
  } else if (steps.kind == FindingKind::Deadlock && space.is_deadlock(state.data())) {
    result.failure = space.deadlock(state.data());
    result.outcome = Outcome::Failed;
  }
  return result;
}

}  // namespace heddle::events
