#include "filters/registry.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::string mistake(std::string_view text) {
  std::vector<FilterSpec> specs;
  return parse_filters(text, specs);
}

TEST(Filters, AreReadFromAList) {
  std::vector<FilterSpec> specs;
  EXPECT_EQ(parse_filters("seen:50,depth:20,super-step", specs), "");
  ASSERT_EQ(specs.size(), 3u);
  EXPECT_EQ(specs[0].kind, FilterKind::seen);
  EXPECT_EQ(specs[0].argument, 50u);
  EXPECT_EQ(specs[1].argument, 20u);
  EXPECT_TRUE(has_filter(specs, FilterKind::super_step));
  EXPECT_FALSE(has_filter(specs, FilterKind::local_cycles));
  EXPECT_EQ(make_filters(specs, {}).size(), 3u);
  specs.clear();
  EXPECT_EQ(parse_filters("", specs), "");
  EXPECT_TRUE(specs.empty());
}

TEST(Filters, MistakesAreExplained) {
  EXPECT_NE(mistake("sean").find("there is no filter 'sean'"), std::string::npos);
  EXPECT_NE(mistake("seen,seen:4").find("twice"), std::string::npos);
  EXPECT_NE(mistake("depth").find("needs a number"), std::string::npos);
  EXPECT_NE(mistake("depth:0").find("positive number"), std::string::npos);
  EXPECT_NE(mistake("depth:4x").find("positive number"), std::string::npos);
  EXPECT_NE(mistake("super-step:3").find("takes no number"), std::string::npos);
  EXPECT_NE(mistake("seen,,depth:3").find("there is no filter ''"), std::string::npos);
}

}  // namespace
}  // namespace heddle
