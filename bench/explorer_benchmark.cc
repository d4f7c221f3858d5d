// What the search itself costs: the exploration loop with each strategy over the toy executor, and
// the text of schedules and traces.
#include <benchmark/benchmark.h>

#include "explore/explorer.h"
#include "strategies/registry.h"
#include "toy/toy_executor.h"
#include "trace/trace.h"

namespace heddle {
namespace {

// Three threads that lock, add and unlock twice each: far more executions than are asked for.
toy::Program counter_program() {
  toy::Script script;
  for (int round = 0; round < 2; ++round)
    script.insert(script.end(), {toy::lock(0), toy::add(0, 0, 1), toy::unlock(0)});
  return {{script, script, script}, 3};
}

void explore(benchmark::State& state, const StrategyInfo* strategy) {
  constexpr uint64_t kExecutions = 10'000;
  toy::ToyExecutor executor(counter_program());
  ExploreObserver observer;
  uint64_t events = 0;
  for (auto _ : state) {
    Explorer explorer(strategy->make(RunOptions{}), {.max_executions = kExecutions});
    explorer.run(executor, observer);
    events += explorer.events();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kExecutions));
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

// The same steps without a search, to be subtracted.
void toy_executor_alone(benchmark::State& state) {
  toy::ToyExecutor executor(counter_program());
  for (auto _ : state) {
    Status status = executor.reset();
    while (status == Status::Running) {
      for (const ThreadView& view : executor.configuration().live)
        if (view.enabled()) {
          status = executor.step({view.id, 0});
          break;
        }
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(toy_executor_alone);

// Runs of one to five steps of four threads.
Schedule long_schedule() {
  Schedule schedule;
  for (uint32_t i = 0; schedule.size() < 1000; ++i)
    schedule.insert(schedule.end(), i % 5 + 1, {ThreadId{i % 4}, i % 7 == 0 ? 1u : 0u});
  return schedule;
}

void schedule_to_text(benchmark::State& state) {
  const Schedule schedule = long_schedule();
  for (auto _ : state) benchmark::DoNotOptimize(to_string(schedule));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * schedule.size()));
}
BENCHMARK(schedule_to_text);

void schedule_from_text(benchmark::State& state) {
  const std::string text = to_string(long_schedule());
  Schedule schedule;
  for (auto _ : state) {
    schedule.clear();
    if (!parse_schedule(text, schedule)) state.SkipWithError("the schedule does not parse");
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * schedule.size()));
}
BENCHMARK(schedule_from_text);

Trace long_trace() {
  Trace trace;
  trace.program = "/home/me/queue";
  trace.schedule = long_schedule();
  for (Transition transition : trace.schedule) {
    TraceStep step;
    step.action.op = Op::MutexLock;
    step.action.thread = transition.thread;
    step.action.object = Address{0x404040};
    step.action.pc = Address{0x401136};
    step.stack = {Address{0x401136}, Address{0x401200}};
    trace.steps.push_back(step);
  }
  return trace;
}

void trace_to_text(benchmark::State& state) {
  const Trace trace = long_trace();
  for (auto _ : state) benchmark::DoNotOptimize(to_text(trace));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * trace.steps.size()));
}
BENCHMARK(trace_to_text);

void trace_from_text(benchmark::State& state) {
  const std::string text = to_text(long_trace());
  ParseError error;
  for (auto _ : state)
    if (!parse_trace(text, error)) state.SkipWithError("the trace does not parse");
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * long_trace().steps.size()));
}
BENCHMARK(trace_from_text);

[[maybe_unused]] const bool registered = [] {
  for (const StrategyInfo& strategy : strategies())
    benchmark::RegisterBenchmark(("explore/" + std::string(strategy.name)).c_str(), explore,
                                 &strategy);
  return true;
}();

}  // namespace
}  // namespace heddle
