#include "report/plot.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Plot, DrawsEachCurveWithItsName) {
  const std::string svg = plot({{"one", {{0, 10}, {1, 50}, {2, 100}}}, {"a<b", {{0, 5}, {2, 80}}}},
                               {"heading", "preemptions", "% & more", false, false, true});
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 5u);
  EXPECT_EQ(count(svg, ">one</text>"), 1u);
  EXPECT_EQ(count(svg, ">a&lt;b</text>"), 1u);
  EXPECT_EQ(count(svg, ">% &amp; more</text>"), 1u);
  EXPECT_EQ(count(svg, ">100</text>"), 1u);  // the top of the axis
  EXPECT_EQ(count(svg, ">1</text>"), 1u);
  EXPECT_EQ(count(svg, ">1.5</text>"), 0u);  // whole numbers only
}

// From 1 to 100,000 there are five decades, each as wide as the others.
TEST(Plot, LogarithmicAxes) {
  const std::string svg =
      plot({{"c", {{1, 1}, {10, 10}, {100'000, 100'000}}}}, {"", "x", "y", true, true, false});
  for (const char* tick : {">1<", ">10<", ">100<", ">1,000<", ">10,000<", ">100,000<"})
    EXPECT_EQ(count(svg, tick), 2u) << tick;
  EXPECT_EQ(count(svg, "points=\"90.0,420.0 218.0,346.0 730.0,50.0\""), 1u) << svg;
}

TEST(Plot, CopesWithLittle) {
  EXPECT_EQ(count(plot({}, {}), "</svg>"), 1u);
  EXPECT_EQ(count(plot({{"empty", {}}}, {}), "</svg>"), 1u);
  const std::string svg = plot({{"point", {{0, 0}}}}, {});
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

TEST(Plot, PointsOnOnePlaceAreDrawnOnce) {
  Curve curve{"many", {}};
  for (int i = 0; i < 100'000; ++i) curve.points.emplace_back(i, 5);
  EXPECT_LT(plot({curve}, {}).size(), 100'000u);
}

}  // namespace
}  // namespace heddle
