#include "report/plain_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Harmless, LeavesTextAndColoursAlone) {
  for (const char* text :
       {"", "a\tb\r\nc\n", "\033[1;31mred\033[0m", "ünï → ☃ \xc2\xa0", "\xff\xfe"})
    EXPECT_EQ(harmless(text), text);
}

TEST(Harmless, ShowsWhatWouldMoveTheCursor) {
  EXPECT_EQ(harmless("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(harmless("\033]0;title\007"), "\\x1b]0;title\\x07");
  EXPECT_EQ(harmless("\033[2J\033[\033["), "\\x1b[2J\\x1b[\\x1b[");
  EXPECT_EQ(harmless("\xc2\x9b"
                     "2J"),
            "\\x9b2J");
  EXPECT_EQ(harmless(std::string_view("\0", 1)), "\\x00");
}

}  // namespace
}  // namespace heddle
