// Scripts as strategies and filters: what they see and decide is what those in C++ do, and a search
// in which one has left something out never says that it is complete.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "model/dependence.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"
#include "toy/enumerated_samples.h"
#include "toy/explore_all.h"
#include "toy/generator.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

const size_t kPrograms = sample_size(150);
constexpr size_t kMostExecutions = 400;

uint64_t end_of(const ToyExecutor& executor) {
  return executor.status() == Status::Failed ? value(executor.failure().pc) : executor.state_hash();
}

const EnumeratedSamples& samples() {
  static const EnumeratedSamples kept = enumerated_samples(
      kPrograms, kMostExecutions, [](uint64_t seed) { return random_program(seed); }, end_of);
  return kept;
}

RunOptions options_for(const char* strategy, const char* filters, const ScriptText* script) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  std::strcpy(options.filters, filters);
  options.strategy_script = options.filter_script = script;
  return options;
}

Exploration explore(ToyExecutor& executor, const RunOptions& options, uint64_t most = 0) {
  std::unique_ptr<Strategy> strategy = make_strategy(options);
  EXPECT_NE(strategy, nullptr) << refusal(options);
  EXPECT_EQ(strategy->mistake(), "");
  return explore_all(executor, std::move(strategy), most, [&] { return end_of(executor); });
}

std::vector<Schedule> schedules(const Exploration& exploration) {
  std::vector<Schedule> all;
  for (const Execution& execution : exploration.executions) all.push_back(execution.schedule);
  return all;
}

std::set<std::pair<Outcome, uint64_t>> ends(const std::vector<Execution>& executions) {
  std::set<std::pair<Outcome, uint64_t>> result;
  for (const Execution& e : executions)
    if (e.outcome != Outcome::Abandoned) result.insert({e.outcome, e.state});
  return result;
}

// The filter `depth` as a script drops the same, in every order and by preemptions.
TEST(ScriptFilter, DoesWhatTheSameFilterDoesInCpp) {
  const ScriptText script{"depth.lua",
                          "function apply(state, steps)\n"
                          "  for _, step in ipairs(steps) do step.drop = state.depth >= 6 end\n"
                          "end"};
  size_t cut = 0;
  for_each_sample(samples(), [&](ToyExecutor& executor, const std::vector<Execution>&) {
    for (const char* strategy : {"dfs", "icb"}) {
      const Exploration native = explore(executor, options_for(strategy, "depth:6", nullptr));
      const Exploration scripted = explore(executor, options_for(strategy, "lua", &script));
      EXPECT_EQ(schedules(scripted), schedules(native));
      const bool left_out = native.guarantee.find("undecided beyond") != std::string::npos;
      EXPECT_EQ(scripted.complete, !left_out) << scripted.guarantee;
      EXPECT_EQ(scripted.guarantee.find("depth.lua dropped") != std::string::npos, left_out);
      cut += left_out ? 1 : 0;
    }
  });
  EXPECT_GT(cut, 0u);
}

// Keeping the states that were seen, in a table of Lua.
TEST(ScriptFilter, SeesStatesAsTheyAre) {
  const ScriptText script{
      "seen.lua",
      "local seen, children = {}, {}\n"
      "function apply(state, steps)\n"
      "  if (state.depth == 0) ~= (state.parent == nil) then error('parent') end\n"
      "  if (state.depth == 0) ~= (state.step == nil) then error('step') end\n"
      "  if state.parent and not seen[state.parent] then error('unknown') end\n"
      "  if state.parent and not children[state.parent][state.hash] then error('child') end\n"
      "  local again = seen[state.hash]\n"
      "  seen[state.hash] = true\n"
      "  children[state.hash] = children[state.hash] or {}\n"
      "  for _, step in ipairs(steps) do\n"
      "    children[state.hash][step.state] = true\n"
      "    step.drop = again\n"
      "  end\n"
      "end"};
  size_t saved = 0;
  for_each_sample(samples(), [&](ToyExecutor& executor, const std::vector<Execution>& all) {
    const Exploration found = explore(executor, options_for("dfs", "lua", &script));
    EXPECT_NE(found.end_reason, EndReason::Mistake);
    EXPECT_EQ(ends(found.executions), ends(all));
    saved += all.size() - std::min(all.size(), ends(found.executions).size());
  });
  EXPECT_GT(saved, 0u);
}

// Dropping by chance, or nothing at all: complete means that nothing is missing.
TEST(ScriptFilter, NeverClaimsWhatItHasLeftOut) {
  size_t complete = 0;
  size_t missing = 0;
  for (const char* odds : {"0", "2000", "50", "5"})
    for (const char* with : {"lua", "seen,lua", "lua,local-cycles", "depth:90,lua,seen"}) {
      const ScriptText script{"some.lua",
                              "function apply(state, steps)\n"
                              "  for _, step in ipairs(steps) do\n"
                              "    step.drop = " +
                                  std::string(odds) + " > 0 and math.random(" + std::string(odds) +
                                  " + 1) == 1\n"
                                  "  end\n"
                                  "end"};
      for_each_sample(samples(), [&](ToyExecutor& executor, const std::vector<Execution>& all) {
        const Exploration found = explore(executor, options_for("dfs", with, &script));
        const bool whole = ends(found.executions) == ends(all);
        if (found.complete) EXPECT_TRUE(whole) << found.guarantee;
        if (odds[0] == '0') EXPECT_TRUE(found.complete);
        complete += found.complete ? 1 : 0;
        missing += whole ? 0 : 1;
      });
    }
  EXPECT_GT(complete, 0u);
  EXPECT_GT(missing, 0u);
}

// Holds what the script is told against the configuration, and passes its choice on.
class Watched final : public StrategyBase {
 public:
  explicit Watched(std::unique_ptr<Strategy> inner) : inner_(std::move(inner)) {}
  bool begin_execution() override { return inner_->begin_execution(); }
  std::span<const Transition> prefix() const override { return {}; }
  uint32_t prefix_preemptions() const override { return 0; }
  Transition choose(const Configuration& c) override {
    const Transition chosen = inner_->choose(c);
    // The script answers with the first thread that can go on and whose step depends on most
    // others.
    size_t most = 0;
    ThreadId expected = kNoThread;
    for (const ThreadView& one : c.live) {
      size_t count = 1;
      for (const ThreadView& other : c.live)
        count += one.id != other.id && dependent(one.next, other.next) ? 1 : 0;
      if (!one.enabled() || count <= most) continue;
      most = count;
      expected = one.id;
    }
    EXPECT_EQ(chosen.thread, expected);
    ++choices;
    return chosen;
  }
  void end_execution(const ExecutionSummary& s) override { inner_->end_execution(s); }
  bool complete() const override { return inner_->complete(); }
  std::string guarantee() const override { return inner_->guarantee(); }
  std::string_view mistake() const override { return inner_->mistake(); }

  static size_t choices;

 private:
  std::unique_ptr<Strategy> inner_;
};
size_t Watched::choices = 0;

TEST(ScriptStrategy, SeesWhatStrategiesInCppSee) {
  const ScriptText script{
      "most.lua",
      "function choose(state)\n"
      "  local most, chosen = 0\n"
      "  for i, one in ipairs(state.threads) do\n"
      "    local n = 1\n"
      "    for j, other in ipairs(state.threads) do\n"
      "      if i ~= j and dependent(one, other) then n = n + 1 end\n"
      "    end\n"
      "    if one.choices > 0 and n > most then most, chosen = n, one.thread end\n"
      "  end\n"
      "  return chosen\n"
      "end"};
  for_each_sample(samples(), [&](ToyExecutor& executor, const std::vector<Execution>&) {
    const Exploration found = explore_all(
        executor, std::make_unique<Watched>(make_strategy(options_for("lua", "", &script))), 1);
    EXPECT_EQ(found.end_reason, EndReason::ExecutionLimit);
  });
  EXPECT_GT(Watched::choices, samples().size());
}

// Its variables last from execution to execution, it ends the search, and even then nothing is
// certain.
TEST(ScriptStrategy, IsNeverComplete) {
  const ScriptText script{
      "five.lua",
      "local n, steps = 0, 0\n"
      "function begin() n = n + 1 return n <= 5 end\n"
      "function choose(state)\n"
      "  steps = steps + 1\n"
      "  for _, t in ipairs(state.threads) do\n"
      "    if t.choices > 0 then return t.thread, math.random(t.choices) - 1 end\n"
      "  end\n"
      "end\n"
      "function finish(e)\n"
      "  if e.steps ~= steps then error(e.steps .. ' of ' .. steps) end\n"
      "  steps = 0\n"
      "end"};
  for_each_sample(samples(), [&](ToyExecutor& executor, const std::vector<Execution>&) {
    const Exploration found = explore(executor, options_for("lua", "", &script));
    EXPECT_EQ(found.end_reason, EndReason::Exhausted);
    EXPECT_EQ(found.executions.size(), 5u);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.guarantee,
              "5 executions chosen by the script five.lua; nothing is certain about the others");
  });
}

TEST(Scripts, EndTheSearchWithTheirMistakes) {
  const char* wrong[][3] = {
      {"lua", "", "function choose(state) return 99 end"},
      {"lua", "", "function choose(state) return state.threads[1].thread, -1 end"},
      {"lua", "", "function choose(state) return 0, 1.5 end"},
      {"lua", "", "function choose(state) return 'first' end"},
      {"lua", "", "function choose(state) return end"},
      {"lua", "", "function choose(state) error('no') end"},
      {"lua", "", "function begin() error('no') end function choose(state) end"},
      {"lua", "",
       "function choose(s) for _, t in ipairs(s.threads) do if t.choices > 0 then return t.thread "
       "end end end function finish() error('no') end"},
      {"dfs", "lua", "function apply(state, steps) error('no') end"},
      {"dfs", "lua", "function apply(state, steps) steps[1] = nil end"},
      {"icb", "seen,lua",
       "function apply(state, steps) if state.depth == 2 then error('no') end end"},
  };
  for (const auto& [strategy, filters, text] : wrong) {
    SCOPED_TRACE(text);
    const ScriptText script{"wrong.lua", text};
    ToyExecutor executor(random_program(3));
    std::unique_ptr<Strategy> made = make_strategy(options_for(strategy, filters, &script));
    const Strategy& asked = *made;
    ExploreLimits limits;
    limits.keep_going = true;
    Explorer explorer(std::move(made), limits);
    ExploreObserver nobody;
    EXPECT_EQ(explorer.run(executor, nobody), EndReason::Mistake);
    EXPECT_EQ(asked.mistake().substr(0, 11), "wrong.lua:1");
    EXPECT_FALSE(explorer.complete());
  }
}

}  // namespace
}  // namespace heddle::toy
