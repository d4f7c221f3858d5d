#include "strategies/registry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace heddle {
namespace {

TEST(Registry, MakesEveryStrategyItLists) {
  std::set<std::string_view> names;
  for (const StrategyInfo& info : strategies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.description.empty());
    RunOptions options;
    ASSERT_LT(info.name.size(), sizeof options.strategy);
    std::strcpy(options.strategy, std::string(info.name).c_str());
    const std::unique_ptr<Strategy> strategy = make_strategy(options);
    ASSERT_NE(strategy, nullptr) << info.name;
    EXPECT_FALSE(strategy->complete());
    EXPECT_FALSE(strategy->guarantee().empty());
    EXPECT_EQ(strategy->bound() >= 0, info.guarantee == GuaranteeKind::PerBound);
    EXPECT_TRUE(strategy->begin_execution());
    EXPECT_TRUE(strategy->prefix().empty());
    EXPECT_EQ(strategy->prefix_preemptions(), 0u);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"cb-por-1", "cb-por-2", "delays", "dfs", "dpor", "icb",
                                        "optimal-dpor", "pct", "portfolio", "pos", "random", "rff",
                                        "sleep-sets", "source-dpor", "surw", "switches"}));
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
