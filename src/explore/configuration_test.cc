#include "explore/configuration.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Configuration two_threads(uint32_t choices_of_0, uint32_t choices_of_1) {
  Configuration configuration;
  configuration.live = {{ThreadId{0}, {}, choices_of_0}, {ThreadId{1}, {}, choices_of_1}};
  configuration.last = ThreadId{0};
  return configuration;
}

TEST(Configuration, FindsThreads) {
  const Configuration configuration = two_threads(1, 0);
  EXPECT_EQ(configuration.find(ThreadId{1})->id, ThreadId{1});
  EXPECT_EQ(configuration.find(ThreadId{2}), nullptr);
  EXPECT_TRUE(configuration.any_enabled());
  EXPECT_FALSE(two_threads(0, 0).any_enabled());
}

TEST(Configuration, KnowsWhenASwitchPreempts) {
  EXPECT_TRUE(two_threads(1, 1).switch_preempts());
  EXPECT_FALSE(two_threads(0, 1).switch_preempts());  // the last thread is blocked
  Configuration configuration = two_threads(1, 1);
  configuration.last_gave_up = true;
  EXPECT_FALSE(configuration.switch_preempts());
  configuration = two_threads(1, 1);
  configuration.last = ThreadId{7};  // it has ended
  EXPECT_FALSE(configuration.switch_preempts());
}

}  // namespace
}  // namespace heddle
