#include "strategies/registry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "strategies/combinations.h"
#include "strategies/coverage.h"

namespace heddle {
namespace {

const ScriptText kScript{"x.lua", "function choose(state) end function apply(state, steps) end"};

TEST(Registry, MakesEveryStrategyItLists) {
  std::set<std::string_view> names;
  for (const StrategyInfo& info : strategies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.description.empty());
    RunOptions options;
    ASSERT_LT(info.name.size(), sizeof options.strategy);
    std::strcpy(options.strategy, std::string(info.name).c_str());
    if (info.has(strategy_property::Script)) {
      EXPECT_EQ(make_strategy(options), nullptr) << "without a script";
      options.strategy_script = &kScript;
    }
    const std::unique_ptr<Strategy> strategy = make_strategy(options);
    ASSERT_NE(strategy, nullptr) << info.name;
    EXPECT_FALSE(strategy->complete());
    // What has not begun has covered nothing; samplers may say how they sample.
    if (info.guarantee != GuaranteeKind::Sampling) {
      EXPECT_EQ(strategy->guarantee(), "") << info.name;
    }
    EXPECT_EQ(strategy->bound() >= 0, info.guarantee == GuaranteeKind::PerBound);
    EXPECT_TRUE(strategy->begin_execution());
    EXPECT_TRUE(strategy->prefix().empty());
    EXPECT_EQ(strategy->prefix_preemptions(), 0u);
  }
}

RunOptions options_for(const StrategyInfo& info) {
  RunOptions options;
  name_strategy(options, info.id);
  options.strategy_script = options.filter_script = &kScript;
  return options;
}

// Whoever asks a strategy hears what its row says, through all that is around it.
TEST(Registry, StrategiesAnswerWhatTheirRowsSay) {
  CoverageLog log;
  for (const StrategyInfo& info : strategies()) {
    SCOPED_TRACE(info.name);
    EXPECT_EQ(find_strategy(info.name), &info);
    EXPECT_EQ(&strategy_info(info.id), &info);
    const std::unique_ptr<Strategy> plain = make_strategy(options_for(info));
    const std::unique_ptr<Strategy> counted = with_coverage(make_strategy(options_for(info)), log);
    for (const Strategy* strategy : {plain.get(), counted.get()}) {
      EXPECT_EQ(strategy->traits().found_first, info.found_first);
      if (info.id == StrategyId::portfolio) continue;  // answers as the part under way
      EXPECT_EQ(strategy->traits().samples, info.guarantee == GuaranteeKind::Sampling);
      EXPECT_EQ(strategy->traits().continues_after_failure, info.has(strategy_property::Continues));
    }
  }
}

TEST(Registry, PropertiesOfStrategiesFitTogether) {
  using namespace strategy_property;
  for (const StrategyInfo& info : strategies()) {
    SCOPED_TRACE(info.name);
    const bool samples = info.guarantee == GuaranteeKind::Sampling;
    if (info.guarantee == GuaranteeKind::PerBound) EXPECT_TRUE(info.has(Bound));
    if (info.has(Attempts)) EXPECT_TRUE(info.has(Reduces));
    if (info.has(SkipsStates)) EXPECT_TRUE(info.has(Reduces));
    if (samples) EXPECT_FALSE(info.has(Bound | Reduces | Continues));
    if (samples) EXPECT_TRUE(info.has(StartsOver));  // nothing to forget
    EXPECT_EQ(needs_attempts(options_for(info)), info.has(Attempts));
    EXPECT_EQ(leaves_out_executions(options_for(info)), info.has(Reduces));
    EXPECT_EQ(leaves_out_states(options_for(info)), info.has(SkipsStates));
  }
}

// Every strategy with every filter: refused with a sentence that names both, or made.
TEST(Registry, EveryCombinationWithAFilterIsDecidedByTheTables) {
  for (const StrategyInfo& info : strategies()) {
    for (const FilterInfo& filter : filters()) {
      RunOptions options = options_for(info);
      const std::string text =
          std::string(filter.name) + (filter.argument == FilterArgument::Required ? ":9" : "");
      std::strcpy(options.filters, text.c_str());
      SCOPED_TRACE(std::string(info.name) + " " + text);
      const bool allowed =
          info.filters == FilterUse::Any ||
          (info.filters == FilterUse::ByPreemptions && filter.costs_preemptions.empty());
      EXPECT_EQ(make_strategy(options) != nullptr, allowed);
      EXPECT_EQ(refusal(options).empty(), allowed);
      if (!allowed) EXPECT_NE(refusal(options).find(info.name), std::string::npos);
      EXPECT_TRUE(leaves_out_executions(options));
      EXPECT_EQ(compares_local_states(options), filter.has(filter_property::EndsLoops));
    }
  }
}

TEST(Registry, HasTheDefaultAndRefusesTheUnknown) {
  RunOptions options;
  EXPECT_NE(make_strategy(options), nullptr);
  std::strcpy(options.strategy, "bfs");
  EXPECT_EQ(make_strategy(options), nullptr);
  std::memset(options.strategy, 'x', sizeof options.strategy);  // not even terminated
  EXPECT_EQ(make_strategy(options), nullptr);
}

}  // namespace
}  // namespace heddle
