#include "cli/option_values.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(OptionValues, AreWordsOrASentence) {
  constexpr OptionValues kThree{"depth", "breadth", "random"};
  EXPECT_EQ(kThree.text(), "depth, breadth or random");
  EXPECT_EQ(kThree.words(), (OptionValues::Words{"depth", "breadth", "random"}));
  EXPECT_EQ((OptionValues{"sync", "all"}).text(), "sync or all");

  constexpr OptionValues kNumber = "a number from 1";
  EXPECT_EQ(kNumber.text(), "a number from 1");
  EXPECT_TRUE(kNumber.words().empty());

  constexpr OptionValues kNone = nullptr;
  EXPECT_EQ(kNone.text(), "");

  constexpr OptionValues kElsewhere{"a name from a table", [] {
                                      return OptionValues::Words{"one", "two"};
                                    }};
  EXPECT_EQ(kElsewhere.text(), "a name from a table");
  EXPECT_EQ(kElsewhere.words(), (OptionValues::Words{"one", "two"}));
}

}  // namespace
}  // namespace heddle
