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

constexpr const char* kAllBroken = "every execution breaks an assumption";
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

circuit::ScheduleReduction reduction_of(explicit_states::ReductionKind kind) {
  switch (kind) {
    case explicit_states::ReductionKind::Stubborn:
      return circuit::ScheduleReduction::Stubborn;
    case explicit_states::ReductionKind::Transactions:
      return circuit::ScheduleReduction::Transactions;
    default:
      return circuit::ScheduleReduction::None;
  }
}

// One circuit of the program.
struct Variant {
  circuit::Encoded encoded;
  bool reduced = false;  // schedules are left out, so that its depths are those of no other circuit
};

class CircuitSearch {
 public:
  CircuitSearch(std::vector<Variant> variants, const ProveOptions& options,
                const Judgement& judgement, CircuitResult& result)
      : variants_(std::move(variants)), options_(options), result_(result) {
    const circuit::Aig& aig = first().system.aig;
    result_.size = {aig.inputs().size(), aig.latches().size(), aig.gate_count()};
    for (const Variant& each : variants_) HEDDLE_CHECK(each.encoded.asks == first().asks);
    for (uint32_t i = 0; i < first().asks.size(); ++i)
      if (!first().asks[i] || !contains(judgement.ignored, *first().asks[i])) open_.push_back(i);
  }

  void run() {
    while (!open_.empty()) {
      const auto [answer, variant] = ask([&](const circuit::Encoded& encoded) {
        std::vector<circuit::Literal> bad;
        for (uint32_t each : open_) bad.push_back(encoded.system.properties[each].bad);
        circuit::System question = encoded.system;
        question.properties = {{"bad", question.aig.lor(bad)}};
        return question;
      });
      result_.engine = answer.engine;
      if (answer.verdict == Verdict::Proved) return prove(answer.reason);
      if (answer.verdict != Verdict::Reached) {
        result_.reason = answer.reason;
        if (answer.verdict == Verdict::Bounded && !variants_[variant].reduced)
          result_.depth = answer.depth;
        return;
      }
      if (!take_down(variants_[variant].encoded, answer)) return;
      if (!result_.findings.empty() && !options_.check.keep_going) return;
    }
    prove("nothing else can go wrong");
  }

 private:
  struct VariantAnswer {
    Answer answer;
    size_t variant = 0;
  };

  const circuit::Encoded& first() const { return variants_.front().encoded; }

  // A proof about no execution at all is none: some must end and keep the assumptions, or none may
  // break one (then they go on for ever).
  void prove(const std::string& proof) {
    if (first().dismissed != circuit::kFalse && result_.findings.empty() &&
        result_.beyond.empty()) {
      const Answer ends = ask([](const circuit::Encoded& encoded) {
                            circuit::System question = encoded.system;
                            question.properties = {{"ends", encoded.ended}};
                            return question;
                          }).answer;
      if (ends.verdict == Verdict::Proved) {
        const Answer breaks = ask(&without_assumptions).answer;
        if (breaks.verdict == Verdict::Reached) result_.reason = kAllBroken;
        if (breaks.verdict == Verdict::Bounded || breaks.verdict == Verdict::Unknown)
          result_.reason = undecided(breaks.reason);
      } else if (ends.verdict != Verdict::Reached) {
        result_.reason = undecided(ends.reason);
      }
      if (!result_.reason.empty()) return;
    }
    result_.proof = proof;
  }

  static std::string undecided(const std::string& reason) {
    return fmt::format(
        "there is no bug, but it is open whether any execution keeps the "
        "assumptions: {}",
        reason);
  }

  // Whether an execution comes to an assumption that does not hold.
  static circuit::System without_assumptions(const circuit::Encoded& encoded) {
    circuit::System question = encoded.system;
    std::erase(question.constraints, !encoded.dismissed);
    question.properties = {{"dismissed", encoded.dismissed}};
    return question;
  }

  // The same question to all engines that were asked for, on the circuits that these look at.
  template <typename Question>
  VariantAnswer ask(const Question& question_of) {
    std::vector<circuit::System> questions;
    for (const Variant& each : variants_) questions.push_back(question_of(each.encoded));
    symbolic::Limits limits;
    limits.depth = options_.depth;
    limits.memory = options_.check.memory_limit;
    if (options_.time_limit > 0)
      limits.seconds = std::max(options_.time_limit - seconds_so_far(), 1e-3);
    if (options_.engine.mode == EngineChoice::Mode::One) {
      const symbolic::Engine& row = symbolic::engine(options_.engine.kind);
      Answer answer = row.check(questions.front(), 0, limits);
      answer.engine = row.name;
      return {std::move(answer), 0};
    }
    std::vector<symbolic::Entry> entries = symbolic::all_engines(questions.front(), 0);
    for (symbolic::Entry& each : entries) each.reduced = variants_.front().reduced;
    for (size_t i = 1; i < questions.size(); ++i)
      entries.push_back({symbolic::EngineKind::Bmc, &questions[i], 0, true});
    symbolic::PortfolioAnswer answer = symbolic::check_portfolio(entries, limits);
    size_t variant = 0;
    while (variant + 1 < questions.size() && entries[answer.entry].system != &questions[variant])
      ++variant;
    return {std::move(answer.answer), variant};
  }

  double seconds_so_far() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  // What the run shows is not asked for again. False: the run is not what it should be.
  bool take_down(const circuit::Encoded& encoded, const Answer& answer) {
    std::vector<uint32_t> shown;
    for (uint32_t each : open_)
      if (circuit::shows(encoded.system, answer.run, each)) shown.push_back(each);
    if (shown.empty()) {
      result_.reason = "a run of the engine shows nothing: a defect of heddle prove";
      return false;
    }
    const std::optional<FindingKind> kind = encoded.asks[shown.front()];
    auto traced = circuit::retrace(encoded, answer.run, kind);
    if (const auto* wrong = std::get_if<std::string>(&traced)) {
      result_.reason = fmt::format("{}: a defect of heddle prove", *wrong);
      return false;
    }
    const auto& execution = std::get<circuit::Execution>(traced);
    if (kind)
      result_.findings.push_back(tell(encoded, execution, *kind));
    else
      result_.beyond.push_back(execution.bound.empty() ? "a bound of the circuit"
                                                       : execution.bound);
    std::erase(open_, shown.front());
    return true;
  }

  const std::vector<Variant> variants_;  // the first is the one that all engines look at
  const ProveOptions& options_;
  CircuitResult& result_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<uint32_t> open_;  // properties that are still asked for
};

}  // namespace

CircuitResult search_circuit(const graph::Program& program, const ProveOptions& options,
                             const Judgement& judgement) {
  CircuitResult result;
  std::vector<circuit::ScheduleReduction> reductions{reduction_of(options.check.reduction)};
  // Bounded model checking gains by reductions; the engines that look for invariants often lose.
  if (options.engine.mode != EngineChoice::Mode::One &&
      reductions.front() == circuit::ScheduleReduction::None)
    reductions.push_back(circuit::ScheduleReduction::Transactions);
  std::vector<Variant> variants;
  for (const circuit::ScheduleReduction each : reductions) {
    circuit::EncodeOptions encode_options;
    encode_options.races = judgement.races;
    encode_options.reduction = each;
    auto encoded = circuit::encode(program, encode_options);
    if (const auto* refusal = std::get_if<circuit::Refusal>(&encoded)) {
      result.reason = refusal->sentence;
      return result;
    }
    variants.push_back(
        {std::move(std::get<circuit::Encoded>(encoded)), each != circuit::ScheduleReduction::None});
  }
  CircuitSearch(std::move(variants), options, judgement, result).run();
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
