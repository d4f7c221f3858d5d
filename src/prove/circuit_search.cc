// The circuit has one property for each kind of finding, and one that says that the program goes
// beyond what the graph can say. They are asked for together, as one: most programs have none of
// them, and one proof is cheaper than many. If a run shows one, it is told (all that hold in its
// last step); then, if the search is to go on or if it was a bound only, the rest is asked for.
#include "prove/circuit_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "base/check.h"
#include "circuit/encode.h"
#include "circuit/trace.h"
#include "symbolic/portfolio.h"

namespace heddle::prove {
namespace {

using Clock = std::chrono::steady_clock;
using symbolic::Answer;
using symbolic::Verdict;

constexpr uint32_t kWidestTried = 8;  // bits of inputs whose values the interpreter tries

// Inputs in the order in which the program takes them.
class GivenInputs final : public InputSource {
 public:
  explicit GivenInputs(const circuit::Execution& execution)
      : left_(execution.first_inputs.begin(), execution.first_inputs.end()) {
    for (const circuit::TracedMove& each : execution.moves)
      left_.insert(left_.end(), each.inputs.begin(), each.inputs.end());
  }
  const std::deque<uint64_t>& left() const { return left_; }
  uint64_t next(uint32_t /*bits*/) override {
    if (left_.empty()) return 0;
    const uint64_t value = left_.front();
    left_.pop_front();
    return value;
  }

 private:
  std::deque<uint64_t> left_;
};

// The race in the state in which the execution leaves the threads.
Failure race_of(const circuit::Encoded& encoded, const circuit::Execution& execution) {
  auto plain = std::make_unique<GraphSpace>(encoded.plan->program, encoded.plan->slots);
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

Counterexample tell(const circuit::Encoded& encoded, const circuit::Execution& execution,
                    FindingKind kind) {
  GraphSpace space = circuit::space_of(encoded);
  GivenInputs inputs(execution);
  const std::vector<uint64_t> values(inputs.left().begin(), inputs.left().end());
  space.machine().set_inputs(&inputs);
  explicit_states::CheckFinding finding;
  finding.failure = kind == FindingKind::DataRace ? race_of(encoded, execution) : execution.failure;
  for (const circuit::TracedMove& each : execution.moves) finding.path.push_back(each.move);
  Counterexample told = retell(space, finding);
  told.inputs = values;
  return told;
}

class CircuitSearch {
 public:
  CircuitSearch(circuit::Encoded encoded, const ProveOptions& options, const Judgement& judgement,
                CircuitResult& result)
      : encoded_(std::move(encoded)), options_(options), result_(result) {
    const circuit::Aig& aig = encoded_.system.aig;
    result_.size = {aig.inputs().size(), aig.latches().size(), aig.gate_count()};
    for (uint32_t i = 0; i < encoded_.asks.size(); ++i)
      if (!encoded_.asks[i] || !contains(judgement.ignored, *encoded_.asks[i])) open_.push_back(i);
  }

  void run() {
    while (!open_.empty()) {
      const Answer answer = ask();
      result_.engine = answer.engine;
      if (answer.verdict == Verdict::Proved) {
        result_.proof = answer.reason;
        return;
      }
      if (answer.verdict != Verdict::Reached) {
        result_.reason = answer.reason;
        if (answer.verdict == Verdict::Bounded) result_.depth = answer.depth;
        return;
      }
      if (!take_down(answer)) return;
      if (!result_.findings.empty() && !options_.check.keep_going) return;
    }
    result_.proof = "nothing else can go wrong";
  }

 private:
  Answer ask() {
    circuit::System question = encoded_.system;
    std::vector<circuit::Literal> bad;
    for (uint32_t each : open_) bad.push_back(encoded_.system.properties[each].bad);
    question.properties = {{"bad", question.aig.lor(bad)}};
    symbolic::Limits limits;
    limits.depth = options_.depth;
    limits.memory = options_.check.memory_limit;
    if (options_.time_limit > 0)
      limits.seconds = std::max(options_.time_limit - seconds_so_far(), 1e-3);
    if (options_.engine.mode == EngineChoice::Mode::One) {
      const symbolic::Engine& row = symbolic::engine(options_.engine.kind);
      Answer answer = row.check(question, 0, limits);
      answer.engine = row.name;
      return answer;
    }
    return symbolic::check_portfolio(symbolic::all_engines(question, 0), limits).answer;
  }

  double seconds_so_far() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  // What the run shows is not asked for again. False: the run is not what it should be.
  bool take_down(const Answer& answer) {
    std::vector<uint32_t> shown;
    for (uint32_t each : open_)
      if (circuit::shows(encoded_.system, answer.run, each)) shown.push_back(each);
    if (shown.empty()) {
      result_.reason = "a run of the engine shows nothing: a defect of heddle prove";
      return false;
    }
    const std::optional<FindingKind> kind = encoded_.asks[shown.front()];
    auto traced = circuit::retrace(encoded_, answer.run, kind);
    if (const auto* wrong = std::get_if<std::string>(&traced)) {
      result_.reason = fmt::format("{}: a defect of heddle prove", *wrong);
      return false;
    }
    const auto& execution = std::get<circuit::Execution>(traced);
    if (kind)
      result_.findings.push_back(tell(encoded_, execution, *kind));
    else
      result_.beyond.push_back(execution.bound.empty() ? "a bound of the circuit"
                                                       : execution.bound);
    std::erase(open_, shown.front());
    return true;
  }

  const circuit::Encoded encoded_;
  const ProveOptions& options_;
  CircuitResult& result_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<uint32_t> open_;  // properties that are still asked for
};

}  // namespace

CircuitResult search_circuit(const graph::Program& program, const ProveOptions& options,
                             const Judgement& judgement) {
  CircuitResult result;
  circuit::EncodeOptions encode_options;
  encode_options.races = judgement.races;
  auto encoded = circuit::encode(program, encode_options);
  if (const auto* refusal = std::get_if<circuit::Refusal>(&encoded))
    result.reason = refusal->sentence;
  else
    CircuitSearch(std::move(std::get<circuit::Encoded>(encoded)), options, judgement, result).run();
  return result;
}

bool has_wide_inputs(const graph::Program& program) {
  for (const graph::Routine& routine : program.routines)
    for (const graph::Block& block : routine.blocks)
      for (const graph::Statement& statement : block.statements)
        if (statement.kind == graph::StatementKind::Input &&
            routine.registers[graph::index(statement.into)].bits > kWidestTried)
          return true;
  return false;
}

}  // namespace heddle::prove
