// One kind of finding after the other: an execution that comes to a kind that was found already
// ends there, and is not looked at beyond it.
#include "prove/event_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "circuit/thread_plan.h"
#include "events/packed.h"
#include "prove/retold_run.h"
#include "symbolic/process.h"

namespace heddle::prove {
namespace {

using symbolic::Verdict;

FindingKinds bit(FindingKind kind) {
  return FindingKinds{1} << static_cast<uint32_t>(kind);
}

}  // namespace

symbolic::Answer ask_events(const graph::Program& program, const events::Question& question,
                            const symbolic::Limits& limits) {
  events::Answer found = events::check(program, question, limits);
  symbolic::Answer answer;
  answer.verdict = found.verdict;
  answer.reason = std::move(found.reason);
  answer.engine = kEventsEngine;
  answer.depth = found.rounds;
  if (found.verdict == Verdict::Reached) answer.steps = events::pack(found.kind, found.execution);
  answer.effort = fmt::format("{} events, {} pairs to order, {} cycles excluded in {} calls",
                              found.events, found.pairs, found.cycles, found.calls);
  return answer;
}

EventFinding event_finding(const graph::Program& program, const symbolic::Answer& answer) {
  const circuit::ThreadPlan plan = circuit::plan_threads(compile(program));
  const auto steps = events::unpack(answer.steps);
  HEDDLE_CHECK(steps.has_value());
  const circuit::Execution execution = events::take_again(plan, *steps);
  const bool races = steps->kind == FindingKind::DataRace && execution.outcome == Outcome::Running;
  HEDDLE_CHECK(races || execution.outcome == Outcome::Failed);
  const FindingKind kind = races ? FindingKind::DataRace : execution.failure.kind;
  return {kind, retell_run(plan, execution, kind)};
}

CircuitResult search_events(const graph::Program& program, const ProveOptions& options,
                            const Judgement& judgement) {
  const auto begin = std::chrono::steady_clock::now();
  CircuitResult result;
  events::Question question{.ignored = judgement.ignored, .races = judgement.races};
  for (;;) {
    symbolic::Limits limits;
    limits.memory = options.check.memory_limit;
    if (options.time_limit > 0) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      limits.seconds = std::max(options.time_limit - spent.count(), 1e-3);
    }
    const symbolic::Answer answer = symbolic::answer_of_child(
        [&](const symbolic::Limits& own) { return ask_events(program, question, own); }, limits);
    result.engine = kEventsEngine;
    result.effort = answer.effort;
    if (answer.verdict == Verdict::Proved) {
      result.proof = answer.reason;
    } else if (answer.verdict != Verdict::Reached) {
      result.reason = answer.reason;
    } else {
      EventFinding found = event_finding(program, answer);
      question.ignored |= bit(found.kind);
      question.races = question.races && found.kind != FindingKind::DataRace;
      result.findings.push_back(std::move(found.counterexample));
      if (options.check.keep_going) continue;
    }
    return result;
  }
}

}  // namespace heddle::prove
