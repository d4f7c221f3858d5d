#include "cli/suppressions.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Suppressions, PatternsAreThoseOfThreadSanitizer) {
  EXPECT_TRUE(matches("push", "Queue::push(int)"));
  EXPECT_FALSE(matches("pop", "Queue::push(int)"));
  EXPECT_TRUE(matches("Queue*int", "Queue::push(int)"));
  EXPECT_TRUE(matches("^Queue", "Queue::push"));
  EXPECT_FALSE(matches("^push", "Queue::push"));
  EXPECT_TRUE(matches("push$", "Queue::push"));
  EXPECT_FALSE(matches("push$", "Queue::push_all"));
  EXPECT_TRUE(matches("^Q*h$", "Queue::push"));
  EXPECT_TRUE(matches("*", ""));
}

TEST(Suppressions, FilesAreReadWithComplaints) {
  EXPECT_FALSE(Suppressions::read("/no/such/file"));
  Result<Suppressions> good =
      Suppressions::parse("# known\nrace:^stats_\n\n  race_top:log.c \nmutex:x\n", "s");
  ASSERT_TRUE(good);
  EXPECT_FALSE(good->empty());
  for (const char* bad : {"push", "race:", "colour:blue", "race"}) {
    Result<Suppressions> result = Suppressions::parse(bad, "file");
    ASSERT_FALSE(result) << bad;
    EXPECT_NE(result.error().message.find("file:1"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle
