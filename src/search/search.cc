// The phases of a search, and what holds between them:
//
//   explore   every finding is in the explorer, and the host has its sketch; races that the user
//   does
//             not want to hear of are suppressed
//   simplify  every finding has the fewest preemptions that a short search finds for it, and no
//             context switch that it does without
//   report    the host has the trace of every finding, with the steps to blame
//
// The process may die in any of them (the tested program may share it). All that matters lies in
// SearchState, so that the next process goes on where this one died.
#include "search/search.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "strategies/coverage.h"
#include "strategies/registry.h"

namespace heddle {

std::unique_ptr<Strategy> make_search(const RunOptions& options, CoverageLog* coverage) {
  std::unique_ptr<Strategy> strategy = make_strategy(options);
  HEDDLE_CHECK(strategy != nullptr);
  return coverage != nullptr ? with_coverage(std::move(strategy), *coverage) : std::move(strategy);
}

ExploreLimits limits_of(const RunOptions& options) {
  ExploreLimits limits{options.max_executions, options.max_steps, options.keep_going,
                       options.races != Races::Explore, options.unroll_loops};
  limits.ignored = options.ignored;
  return limits;
}

Trace sketch_of(const Finding& finding) {
  Trace sketch;
  sketch.failure = finding.failure;
  sketch.schedule = finding.schedule;
  sketch.preemptions = finding.preemptions;
  sketch.cut_short = finding.cut_short;
  sketch.execution = finding.execution;
  sketch.occurrences = finding.occurrences;
  return sketch;
}

void place_at_last_step(Trace& trace) {
  if (trace.steps.empty()) return;
  trace.failure.thread = trace.steps.back().action.thread;
  trace.failure.pc = trace.steps.back().action.pc;
}

namespace {

// For each step, what the thread of the step before does when it is its turn again; null: nothing.
std::vector<const Action*> when_it_goes_on(const Trace& trace) {
  std::map<ThreadId, const Action*> next;
  for (const TraceThreadEnd& end : trace.ends) next[end.next.thread] = &end.next;
  std::vector<const Action*> result(trace.steps.size(), nullptr);
  for (size_t i = trace.steps.size(); i-- > 1;) {
    auto known = next.find(trace.steps[i - 1].action.thread);
    if (known != next.end()) result[i] = known->second;
    next[trace.steps[i].action.thread] = &trace.steps[i].action;
    // Of a step by the same thread the step itself is what comes next; nobody asks for those.
  }
  return result;
}

// To leave a thread that waits in a loop is no preemption for the search. When the execution is
// repeated nobody knows that it waits, so its switches are counted, too; here they are found by
// what the thread does next: what it has done before.
void forgive_waiting_loops(Trace& trace, uint32_t preemptions) {
  if (trace.preemptions <= preemptions) return;
  using StepKey = std::tuple<ThreadId, Op, Address, Address>;
  auto key_of = [](const Action& action) {
    return StepKey{action.thread, action.op, action.object, action.pc};
  };
  const std::vector<const Action*> next = when_it_goes_on(trace);
  std::set<StepKey> done;
  for (size_t i = 0; i < trace.steps.size() && trace.preemptions > preemptions; ++i) {
    TraceStep& step = trace.steps[i];
    if (step.preempts && next[i] != nullptr && done.contains(key_of(*next[i]))) {
      step.preempts = false;
      --trace.preemptions;
    }
    done.insert(key_of(step.action));
  }
}

}  // namespace

Search::Search(SearchState& state, const Means& means)
    : state_(state),
      means_(means),
      again_{means.options, means.host, means.rerunner,
             [this](const Schedule& schedule) { return record(schedule); }} {}

void Search::run() {
  if (state_.phase == SearchPhase::Exploring) {
    if (state_.began_ns == 0) state_.began_ns = monotonic_ns();
    explore();
    if (means_.host.is_divided(state_.explorer)) return;
    state_.simplification.give_time(means_.options, state_.began_ns);
  }
  state_.phase = std::max(state_.phase, SearchPhase::Simplifying);
  if (state_.phase == SearchPhase::Simplifying)
    simplify_findings(again_, state_.explorer, state_.simplification);
  state_.phase = SearchPhase::Reporting;
  report();
}

void Search::resume_after_death(const Failure& death) {
  if (state_.phase != SearchPhase::Exploring) return;
  state_.explorer.execution_died(death);
  state_.explorer.finish_execution(*this);
}

void Search::explore() {
  take_findings();  // of an execution that the process died under
  run_all(state_.explorer, *this, means_.runner, *this);
  means_.host.search_ended(state_.explorer);
}

bool Search::stop_requested() {
  return means_.host.stop_requested();
}

bool Search::division_requested() {
  return means_.host.division_requested(state_.explorer);
}

void Search::steps_taken(uint64_t count) {
  means_.host.steps_taken(count);
}

void Search::execution_ended(const ExecutionSummary& summary) {
  means_.host.execution_ended(state_.explorer, summary);
}

bool Search::due() {
  return state_.next_judge < state_.explorer.findings().size() || state_.loops.has_news();
}

void Search::settle() {
  take_findings();
  if (state_.loops.take_news()) state_.explorer.start_over();
}

// Hands over the findings that the last execution brought, if they count, and sees whether races
// among them make more memory visible.
void Search::take_findings() {
  bool more_steps = false;
  for (; state_.next_judge < state_.explorer.findings().size(); ++state_.next_judge) {
    const Finding& finding = state_.explorer.findings()[state_.next_judge];
    const bool race = finding.failure.kind == FindingKind::DataRace;
    if (means_.options.judges_races && may_be_suppressed(finding.failure.kind) &&
        is_suppressed(finding)) {
      state_.explorer.suppress(state_.next_judge);
      continue;
    }
    means_.host.take_sketch(finding.number, sketch_of(finding));
    if (race && means_.options.races == Races::Explore)
      more_steps = means_.host.make_visible(finding.failure) || more_steps;
  }
  if (more_steps) begin_anew();
}

bool Search::is_suppressed(const Finding& finding) {
  Trace expected;
  expected.failure = finding.failure;
  state_.other = {};
  means_.rerunner.run_apart(
      [&] { state_.other = means_.recorder.record(finding.schedule, &expected, LastStep::Take); });
  return means_.host.is_suppressed(finding.number, std::exchange(state_.other, {}));
}

void Search::begin_anew() {
  for (const Finding& finding : state_.explorer.findings()) means_.host.withdraw(finding.number);
  state_.explorer.restart(make_search(means_.options, means_.coverage));
  state_.next_judge = 0;
}

// The trace of a finding; its sketch, if the execution shows something else when it is repeated.
Trace Search::trace_of(const Finding& finding) {
  Trace sketch = sketch_of(finding);
  const bool deadly = finding.failure.kind == FindingKind::Death;
  Trace trace = means_.recorder.record(finding.schedule, &sketch,
                                       deadly ? LastStep::ShowOnly : LastStep::Take);
  const bool shown = trace.failure.kind == finding.failure.kind;
  const bool silent = deadly || finding.failure.kind == FindingKind::Livelock ||
                      finding.failure.kind == FindingKind::Nondeterminism;
  if (!shown && !silent) {
    sketch.failure.message +=
        " (not on every run of the same schedule: " + trace.failure.message + ")";
    return sketch;
  }
  trace.execution = finding.execution;
  trace.occurrences = finding.occurrences;
  trace.cut_short = finding.cut_short;
  trace.failure = finding.failure;
  forgive_waiting_loops(trace, finding.preemptions);
  if (deadly) place_at_last_step(trace);
  return trace;
}

Trace Search::record(const Schedule& schedule) {
  state_.other = {};
  means_.rerunner.run_apart(
      [&] { state_.other = means_.recorder.record(schedule, nullptr, LastStep::Take); });
  return std::exchange(state_.other, {});
}

void Search::hand_over_recorded() {
  if (!state_.recorded) return;
  const Finding& finding = state_.explorer.findings()[state_.next_report - 1];
  means_.host.take_trace(finding.number, *state_.recorded);
  state_.recorded.reset();
}

// The process may die of the repeated execution: then the sketch remains. It may die of the search
// for the steps to blame: then the next process hands over the trace without them.
void Search::report() {
  hand_over_recorded();
  while (state_.next_report < state_.explorer.findings().size()) {
    const Finding& finding = state_.explorer.findings()[state_.next_report++];
    means_.host.reach_milestone();
    if (finding.suppressed) continue;
    means_.host.take_sketch(finding.number, sketch_of(finding));
    means_.rerunner.run_apart([&] { state_.recorded = trace_of(finding); });
    means_.host.reach_milestone();
    if (!state_.recorded) continue;
    if (!state_.recorded->steps.empty())
      state_.recorded->critical = find_critical_steps(again_, state_.explorer, finding,
                                                      *state_.recorded, state_.simplification);
    hand_over_recorded();
  }
}

bool Search::left_out_steps() const {
  const std::vector<Finding>& findings = state_.explorer.findings();
  return state_.explorer.cut_off() > 0 ||
         std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
           const Failure& failure = finding.failure;
           return failure.kind == FindingKind::Livelock && failure.knot == 0 &&
                  failure.pc == kNoAddress;
         });
}

}  // namespace heddle
