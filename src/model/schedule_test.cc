#include "model/schedule.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle {
namespace {

TEST(Schedule, IsWrittenInRuns) {
  EXPECT_EQ(to_string({}), "");
  const Transition a{ThreadId{0}, 0}, b{ThreadId{1}, 0}, c{ThreadId{2}, 1};
  EXPECT_EQ(to_string({a, a, a, b, c, a}), "0*3 1 2/1 0");
  EXPECT_EQ(to_string({c, c, {ThreadId{2}, 0}}), "2/1*2 2");
}

TEST(Schedule, SurvivesTheRoundTrip) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    Schedule schedule, read = {{ThreadId{9}, 9}};
    for (uint64_t steps = random.below(30); steps > 0; --steps) {
      const Transition t{ThreadId{static_cast<uint32_t>(random.below(3))},
                         static_cast<uint32_t>(random.below(2) * random.below(100))};
      schedule.insert(schedule.end(), 1 + random.below(4), t);
    }
    ASSERT_TRUE(parse_schedule(to_string(schedule), read));
    EXPECT_EQ(read, schedule);
  }
}

TEST(Schedule, KeepsTheLargestNumbers) {
  const Schedule schedule = {{ThreadId{0xffffffff}, 0xffffffff}};
  Schedule read;
  ASSERT_TRUE(parse_schedule(to_string(schedule), read));
  EXPECT_EQ(read, schedule);
}

TEST(Schedule, RefusesMalformedText) {
  Schedule schedule;
  for (const char* text : {"x", "1 x", "-1", "1/", "1/x", "1*", "1*0", "1*2/1", "1,2", "0x1",
                           "4294967296", "1*100000001", "1 2 3;"})
    EXPECT_FALSE(parse_schedule(text, schedule)) << text;
  EXPECT_FALSE(parse_schedule("0*2 1 ?", schedule));
  EXPECT_EQ(to_string(schedule), "0*2 1");  // what was read before the error
  EXPECT_TRUE(parse_schedule("  0   1 ", schedule));
  EXPECT_EQ(to_string(schedule), "0 1");
}

}  // namespace
}  // namespace heddle
