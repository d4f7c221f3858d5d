// The circuit has one property for each kind of finding, and one that says that the program goes
// beyond what the graph can say. They are asked for together, as one: most programs have none of
// them, and one proof is cheaper than many. If a run shows one, it is told (all that hold in its
// last step); then, if the search is to go on or if it was a bound only, the rest is asked for.
#include "prove/circuit_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "circuit/encode.h"
#include "circuit/trace.h"
#include "prove/event_search.h"
#include "prove/retold_run.h"
#include "symbolic/portfolio.h"

namespace heddle::prove {
namespace {

using Clock = std::chrono::steady_clock;
using symbolic::Answer;
using symbolic::Verdict;

constexpr const char* kAllBroken = "every execution breaks an assumption";
constexpr double kEventsAlone = 0.5;  // seconds, before other engines join
constexpr uint32_t kWidestTried = 8;  // bits of inputs whose values the interpreter tries

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
  CircuitSearch(const graph::Program& program, std::vector<Variant> variants,
                const ProveOptions& options, const Judgement& judgement, CircuitResult& result)
      : program_(program), variants_(std::move(variants)), options_(options), result_(result) {
    const circuit::Aig& aig = first().system.aig;
    result_.size = {aig.inputs().size(), aig.latches().size(), aig.gate_count()};
    for (const Variant& each : variants_) HEDDLE_CHECK(each.encoded.asks == first().asks);
    for (uint32_t i = 0; i < first().asks.size(); ++i)
      if (!first().asks[i] || !contains(judgement.ignored, *first().asks[i])) open_.push_back(i);
  }

  void run() {
    while (!open_.empty()) {
      const auto [answer, variant] = ask(
          [&](const circuit::Encoded& encoded) {
            std::vector<circuit::Literal> bad;
            for (uint32_t each : open_) bad.push_back(encoded.system.properties[each].bad);
            circuit::System question = encoded.system;
            question.properties = {{"bad", question.aig.lor(bad)}};
            return question;
          },
          events_entry());
      result_.engine = answer.engine;
      result_.effort = answer.effort;
      if (answer.verdict == Verdict::Proved) return prove(answer);
      if (answer.verdict != Verdict::Reached) {
        result_.reason = answer.reason;
        if (answer.verdict == Verdict::Bounded && !variants_[variant].reduced)
          result_.depth = answer.depth;
        return;
      }
      if (!answer.steps.empty()) {
        take_down_events(answer);
      } else if (!take_down(variants_[variant].encoded, answer)) {
        return;
      }
      if (!result_.findings.empty() && !options_.check.keep_going) return;
    }
    Answer nothing;
    nothing.reason = "nothing else can go wrong";
    prove(nothing);
  }

 private:
  struct VariantAnswer {
    Answer answer;
    size_t variant = 0;
  };

  const circuit::Encoded& first() const { return variants_.front().encoded; }

  // A proof about no execution at all is none: some must end and keep the assumptions, or none may
  // break one (then they go on for ever).
  void prove(const Answer& answer) {
    const bool known = !answer.effort.empty();  // who looks at events has asked that, too
    if (!known && first().dismissed != circuit::kFalse && result_.findings.empty() &&
        result_.beyond.empty()) {
      const Answer ends = ask(
                              [](const circuit::Encoded& encoded) {
                                circuit::System question = encoded.system;
                                question.properties = {{"ends", encoded.ended}};
                                return question;
                              },
                              std::nullopt)
                              .answer;
      if (ends.verdict == Verdict::Proved) {
        const Answer breaks = ask(&without_assumptions, std::nullopt).answer;
        if (breaks.verdict == Verdict::Reached) result_.reason = kAllBroken;
        if (breaks.verdict == Verdict::Bounded || breaks.verdict == Verdict::Unknown)
          result_.reason = undecided(breaks.reason);
      } else if (ends.verdict != Verdict::Reached) {
        result_.reason = undecided(ends.reason);
      }
      if (!result_.reason.empty()) return;
    }
    result_.proof = answer.reason;
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

  // What the portfolio asks of the program as events: what is still asked for. These start, since
  // they are the cheapest where they can say anything.
  symbolic::Entry events_entry() const {
    events::Question question;
    question.ignored = ~FindingKinds{0};
    for (const uint32_t each : open_)
      if (const std::optional<FindingKind> kind = first().asks[each])
        question.ignored &= ~(FindingKinds{1} << static_cast<uint32_t>(*kind));
    question.races = !contains(question.ignored, FindingKind::DataRace);
    symbolic::Entry entry;
    entry.reduced = true;  // its bounds are no depths
    entry.other = [this, question](const symbolic::Limits& limits) {
      return ask_events(program_, question, limits);
    };
    return entry;
  }

  // The same question to all engines that were asked for, on the circuits that these look at, and
  // beside them to somebody else.
  template <typename Question>
  VariantAnswer ask(const Question& question_of, std::optional<symbolic::Entry> beside) {
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
      entries.push_back({symbolic::EngineKind::Bmc, &questions[i], 0, true, 0, {}});
    if (beside && limits.depth == symbolic::kAnyDepth) {
      for (symbolic::Entry& each : entries) each.delay += kEventsAlone;
      entries.push_back(std::move(*beside));
    }
    symbolic::PortfolioAnswer answer = symbolic::check_portfolio(entries, limits);
    size_t variant = 0;
    while (variant + 1 < questions.size() && entries[answer.entry].system != &questions[variant])
      ++variant;
    return {std::move(answer.answer), variant};
  }

  double seconds_so_far() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  void take_down_events(const Answer& answer) {
    EventFinding found = event_finding(program_, answer);
    result_.findings.push_back(std::move(found.counterexample));
    std::erase_if(open_, [&](uint32_t each) { return first().asks[each] == found.kind; });
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
      result_.findings.push_back(retell_run(*encoded.plan, execution, *kind));
    else
      result_.beyond.push_back(execution.bound.empty() ? "a bound of the circuit"
                                                       : execution.bound);
    std::erase(open_, shown.front());
    return true;
  }

  const graph::Program& program_;
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
  CircuitSearch(program, std::move(variants), options, judgement, result).run();
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
