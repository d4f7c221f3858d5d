#include "base/check.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle {
namespace {

TEST(Check, PassesInSilence) {
  int evaluations = 0;
  HEDDLE_CHECK(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

TEST(CheckDeathTest, NamesTheConditionAndAborts) {
  EXPECT_DEATH(HEDDLE_CHECK(1 + 1 == 3), "CHECK\\(1 \\+ 1 == 3\\) failed at .*check_test.cc");
}

void dump() {
  if (write(STDERR_FILENO, "the schedule\n", 13) < 0) return;
}

TEST(CheckDeathTest, CallsTheDumper) {
  EXPECT_DEATH(
      {
        set_check_dumper(dump);
        HEDDLE_CHECK(false);
      },
      "the schedule");
}

}  // namespace
}  // namespace heddle
