#include "strategies/search_path.h"

#include <gtest/gtest.h>

#include <string>

#include "strategies/transition_order.h"

namespace heddle {
namespace {

constexpr ThreadId kA{0}, kB{1}, kC{2};

std::string text(const SearchPath& path) {
  return to_string(Schedule(path.transitions().begin(), path.transitions().end()));
}

TEST(SearchPath, BacktracksToTheDeepestAlternative) {
  SearchPath path;
  path.offer({kA, 0});
  path.offer({kB, 0});
  EXPECT_EQ(path.extend(kNoThread), (Transition{kA, 0}));
  path.offer({kA, 0});
  path.extend(kA);
  path.offer({kA, 0});
  path.offer({kB, 0});
  path.offer({kC, 1});
  path.extend(kA);
  EXPECT_EQ(text(path), "0*3");
  EXPECT_EQ(path.preemptions(), 0u);
  ASSERT_TRUE(path.backtrack());
  EXPECT_EQ(text(path), "0*2 1");
  EXPECT_EQ(path.preemptions(), 1u);
  ASSERT_TRUE(path.backtrack());
  EXPECT_EQ(text(path), "0*2 2/1");
  ASSERT_TRUE(path.backtrack());
  EXPECT_EQ(text(path), "1");
  EXPECT_EQ(path.preemptions(), 0u);
  EXPECT_FALSE(path.backtrack());
}

TEST(SearchPath, NeverGoesAboveItsRoot) {
  SearchPath path;
  path.offer({kA, 0});
  path.offer({kB, 0});
  path.extend(kNoThread);
  const Schedule stem = {{kC, 0}, {kC, 0}};
  path.start(stem, {kA, 0}, 3);
  path.offer({kA, 0});
  path.offer({kB, 0});
  path.extend(kA);
  ASSERT_TRUE(path.backtrack());
  EXPECT_EQ(text(path), "2*2 0 1");
  EXPECT_EQ(path.preemptions(), 4u);
  EXPECT_FALSE(path.backtrack());
}

Configuration three_threads(ThreadId last, bool last_gave_up) {
  Configuration configuration;
  for (ThreadId id : {kA, kB, kC}) configuration.live.push_back({id, {}, 1});
  configuration.last = last;
  configuration.last_gave_up = last_gave_up;
  return configuration;
}

std::string order(const Configuration& configuration) {
  Schedule transitions;
  for_each_transition(configuration, [&](Transition t) { transitions.push_back(t); });
  return to_string(transitions);
}

TEST(TransitionOrder, PutsTheRunningThreadFirstAndAYieldingOneLast) {
  Configuration configuration = three_threads(kB, false);
  EXPECT_EQ(order(configuration), "1 0 2");
  EXPECT_EQ(incumbent(configuration), kB);
  configuration.last_gave_up = true;
  EXPECT_EQ(order(configuration), "2 0 1");
  EXPECT_EQ(incumbent(configuration), kNoThread);
  configuration = three_threads(kNoThread, false);
  EXPECT_EQ(order(configuration), "0 1 2");
}

TEST(TransitionOrder, LeavesOutBlockedThreadsAndListsAllChoices) {
  Configuration configuration = three_threads(kB, false);
  configuration.live[1].choices = 0;
  configuration.live[2].choices = 3;
  EXPECT_EQ(order(configuration), "0 2 2/1 2/2");
  EXPECT_EQ(incumbent(configuration), kNoThread);
}

}  // namespace
}  // namespace heddle
