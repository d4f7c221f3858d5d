// The models that were written by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "graph/text.h"
#include "interpreter/breadth_first.h"

namespace heddle {
namespace {

AllStates search_example(const std::string& name) {
  std::ifstream file(std::string(HEDDLE_GRAPH_EXAMPLES) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  graph::Program program;
  graph::TextError error;
  EXPECT_TRUE(graph::parse_text(text.str(), program, error)) << to_string(error);
  GraphSpace space(std::move(program));
  return search_all_states(space);
}

TEST(Examples, TheBluetoothDriverIsUsedAfterItWasStopped) {
  const AllStates all = search_example("bluetooth.graph");
  ASSERT_EQ(all.failures.size(), 1u);
  EXPECT_EQ(*all.messages.begin(), "the driver is used after it was stopped");
  EXPECT_TRUE(all.deadlocks.empty());
  EXPECT_FALSE(all.ends.empty());
}

TEST(Examples, ATransactionIsCommittedThatHasTimedOut) {
  const AllStates all = search_example("transactions.graph");
  ASSERT_EQ(all.failures.size(), 1u);
  EXPECT_EQ(*all.messages.begin(), "a transaction is committed that has timed out");
  EXPECT_TRUE(all.deadlocks.empty());
}

TEST(Examples, TheFileSystemHasNoBug) {
  const AllStates all = search_example("filesystem.graph");
  EXPECT_TRUE(all.failures.empty());
  EXPECT_TRUE(all.deadlocks.empty());
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.ends.size(), 4u);
}

TEST(Examples, ThePhilosophersMayStarve) {
  const AllStates all = search_example("philosophers.graph");
  EXPECT_TRUE(all.failures.empty());
  ASSERT_EQ(all.deadlocks.size(), 1u);
  EXPECT_NE(all.deadlocks.begin()->find("fork[4] = held by thread 5"), std::string::npos);
  EXPECT_EQ(all.ends.size(), 1u);
}

}  // namespace
}  // namespace heddle
