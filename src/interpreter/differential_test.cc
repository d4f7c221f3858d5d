// Random graphs: whatever searches them must find the same ends, deadlocks and failures.
#include <gtest/gtest.h>

#include <cstring>

#include "explore/explorer.h"
#include "graph/footprint.h"
#include "graph/generator.h"
#include "graph/text.h"
#include "interpreter/breadth_first.h"
#include "interpreter/graph_executor.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

constexpr size_t kMostStates = 4000;
constexpr size_t kMostToEnumerate = 60;  // where every execution is made
constexpr uint64_t kMostExecutions = 2000;

class LastEnding final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override { last = summary; }
  ExecutionSummary last;
};

// What the executions of a strategy come to.
struct Found {
  std::set<std::string> ends, deadlocks;
  std::set<std::string> first_failures;  // of each execution
  std::set<std::string> all_failures;    // those too that come after another one
  std::set<std::string> cuts;
  bool complete = false;
  uint64_t executions = 0;
};

// Goes through the schedule once more, as far as the first failure, and on.
void note_execution(GraphExecutor& executor, const Schedule& schedule, Found& found) {
  executor.reset();
  bool failed = false;
  const auto stumbled = [&] {
    if (executor.status() == Status::Failed) {
      const std::string text = failure_text(executor.failure());
      found.all_failures.insert(text);
      if (!failed) found.first_failures.insert(text);
    }
    const bool is_over = executor.status() == Status::Finished;
    if (executor.status() == Status::Running || is_over) return false;
    failed = true;
    return !executor.continue_without_failed_thread();
  };
  bool over = stumbled();
  for (size_t i = 0; i < schedule.size() && !over; ++i) {
    if (executor.status() != Status::Running) break;
    executor.step(schedule[i]);
    over = stumbled();
  }
  if (failed) return;
  const std::string memory = memory_text(executor.machine(), executor.state());
  if (executor.status() == Status::Finished) found.ends.insert(memory);
  if (executor.status() == Status::Running)
    found.deadlocks.insert(deadlock_text(executor.machine(), executor.state()));
}

Found explore(const graph::Program& program, const char* strategy) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  MachineOptions machine;
  if (needs_attempts(options)) machine.blocking = Blocking::Attempt;
  GraphExecutor executor(program, machine), again(program, machine);
  Explorer explorer(make_strategy(options),
                    {.max_executions = kMostExecutions, .keep_going = true});
  LastEnding observer;
  Found found;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    if (observer.last.is_probe || observer.last.ending == Ending::Abandoned ||
        observer.last.ending == Ending::Pruned)
      continue;
    note_execution(again, explorer.schedule(), found);
    ++found.executions;
  }
  found.complete = explorer.complete();
  found.cuts = executor.bounds_met();
  return found;
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

struct Kind {
  const char* name;
  graph::GeneratorOptions options;
  uint64_t seeds;
};

graph::GeneratorOptions with(bool sync, bool atomics, bool pointers, bool sections, bool choices,
                             bool errors, uint32_t threads, uint32_t actions) {
  return {sync, atomics, pointers, sections, choices, errors, threads, actions};
}

const Kind kKinds[] = {
    {"locks", with(false, false, false, false, false, true, 2, 4), 150},
    {"everything", with(true, true, true, false, true, true, 2, 3), 250},
    {"three threads", with(true, true, false, false, false, true, 3, 2), 150},
    {"pointers", with(false, false, true, false, false, true, 2, 4), 200},
    {"sections", with(true, true, true, true, false, true, 2, 3), 200},
};

class Differential : public testing::TestWithParam<const char*> {};

// The strategy against a search that stores states.
TEST_P(Differential, FindsWhatTheStatesHold) {
  const bool enumerates = GetParam() == std::string("dfs") || GetParam() == std::string("icb");
  size_t compared = 0, ends = 0, deadlocks = 0, failures = 0, cuts = 0;
  for (const Kind& kind : kKinds)
    for (uint64_t seed = 0; seed < kind.seeds; ++seed) {
      const graph::Program program = graph::random_program(seed, kind.options);
      SCOPED_TRACE(std::string(kind.name) + ", seed " + std::to_string(seed) + "\n" +
                   graph::to_text(program));
      GraphSpace space(program);
      const AllStates all = search_all_states(space, kMostStates);
      if (!all.complete || (enumerates && all.states > kMostToEnumerate)) continue;
      const Found found = explore(program, GetParam());
      if (!found.complete) continue;
      ++compared;
      ASSERT_EQ(found.ends, all.ends);
      ASSERT_EQ(found.deadlocks, all.deadlocks);
      ASSERT_TRUE(includes(all.failures, found.first_failures))
          << testing::PrintToString(all.failures) << testing::PrintToString(found.first_failures);
      ASSERT_TRUE(includes(found.all_failures, all.failures))
          << testing::PrintToString(all.failures) << testing::PrintToString(found.all_failures);
      ASSERT_TRUE(includes(found.cuts, all.cuts))
          << testing::PrintToString(all.cuts) << testing::PrintToString(found.cuts);
      ends += all.ends.size();
      deadlocks += all.deadlocks.size();
      failures += all.failures.size();
      cuts += all.cuts.size();
    }
  printf("%s: %zu programs, %zu ends, %zu deadlocks, %zu failures, %zu cuts\n", GetParam(),
         compared, ends, deadlocks, failures, cuts);
  EXPECT_GT(compared, enumerates ? 200u : 900u);
  EXPECT_GT(deadlocks, enumerates ? 20u : 100u);
  EXPECT_GT(failures, enumerates ? 20u : 100u);
  EXPECT_GT(cuts, enumerates ? 0u : 10u);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Differential,
                         testing::Values("dfs", "optimal-dpor", "source-dpor", "dpor", "sleep-sets",
                                         "icb"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// What a step changes is among what the text says it may, and so is what its action touches.
TEST(Footprints, HoldForEveryStep) {
  for (const Kind& kind : kKinds)
    for (uint64_t seed = 0; seed < kind.seeds; ++seed) {
      const graph::Program program = graph::random_program(seed, kind.options);
      SCOPED_TRACE(std::string(kind.name) + ", seed " + std::to_string(seed) + "\n" +
                   graph::to_text(program));
      const graph::Footprints footprints(program);
      GraphSpace space(program);
      std::set<std::vector<uint8_t>> seen;
      std::vector<std::vector<uint8_t>> todo(1, std::vector<uint8_t>(space.state_size()));
      if (space.initial(todo.front().data()) != Outcome::Running) continue;
      std::vector<Move> moves;
      std::vector<uint8_t> next(space.state_size());
      while (!todo.empty() && seen.size() < 300) {
        const std::vector<uint8_t> state = todo.back();
        todo.pop_back();
        if (!seen.insert(state).second) continue;
        space.moves(state.data(), moves);
        for (const Move move : moves) {
          const NextAction action = space.next_action(state.data(), move.thread);
          const Phase phase = space.machine().location(state.data(), move.thread).phase;
          const bool inside = is_inside_block(phase);
          const bool stands = phase >= Phase::Action;
          const Outcome outcome = space.take(state.data(), move, next.data());
          if (outcome == Outcome::Running) todo.push_back(next);
          if (phase == Phase::Exiting) continue;
          const graph::Stand stand{action.block, inside, phase == Phase::ProcessExit};
          const graph::StepFootprint& step =
              stands ? footprints.step(action.routine, stand) : footprints.start(action.routine);
          const graph::TouchSet& later = stands ? footprints.later(action.routine, stand)
                                                : footprints.later_from_start(action.routine);
          for (const Touch& touch : action.touched()) {
            if (touch.resource >= footprints.resource_count()) continue;  // a thread
            const bool known = step.touches.writes.contains(touch.resource) ||
                               (!touch.writes && step.touches.reads.contains(touch.resource));
            ASSERT_TRUE(known) << "resource " << touch.resource;
          }
          // Main alone runs through its actions without a step.
          bool alone = true;
          for (uint32_t other = 0; other < space.thread_slots(); ++other)
            alone = alone && (other == move.thread || !space.is_live(state.data(), other));
          if (alone || outcome != Outcome::Running) continue;
          for (uint32_t c = 0; c < space.cell_count(); ++c) {
            const StateLayout::CellLayout& cell = space.layout().cells[c];
            const auto first = state.begin() + cell.bytes.offset;
            if (std::equal(first, first + cell.bytes.size, next.begin() + cell.bytes.offset))
              continue;
            const uint32_t object = graph::index(cell.object);
            const bool is_new = program.objects[object].kind != graph::ObjectKind::Global &&
                                state[space.layout().life[object]] == 0;
            ASSERT_TRUE(is_new || step.touches.writes.contains(c) ||
                        (step.touches.reads.contains(c) &&
                         program.objects[object].cells[0].kind == graph::CellKind::RwLock) ||
                        program.objects[object].kind != graph::ObjectKind::Global)
                << "cell " << c << " of " << program.objects[object].name;
            ASSERT_TRUE(is_new || later.writes.contains(c) || later.reads.contains(c) ||
                        program.objects[object].kind != graph::ObjectKind::Global);
          }
          if (outcome != Outcome::Running || !space.is_live(next.data(), move.thread)) continue;
          const Location& at = space.machine().location(next.data(), move.thread);
          if (at.phase < Phase::Action) continue;
          const graph::Stand now{graph::BlockId{at.block}, is_inside_block(at.phase),
                                 at.phase == Phase::ProcessExit};
          const bool stays = stands && now == stand;  // waits in the middle of its action
          ASSERT_TRUE(stays ||
                      std::find(step.next.begin(), step.next.end(), now) != step.next.end())
              << "block " << at.block;
        }
      }
    }
}

}  // namespace
}  // namespace heddle
