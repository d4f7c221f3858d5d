#include "runtime/threads/watched.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace heddle {
namespace {

std::set<size_t> below(const Watched& watched, size_t end) {
  std::set<size_t> places;
  size_t last = 0;
  watched.for_each_below(end, [&](size_t place) {
    EXPECT_TRUE(places.empty() || place > last);
    places.insert(last = place);
  });
  return places;
}

TEST(Watched, IsASetOfPlaces) {
  Watched watched;
  std::set<size_t> expected;
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const size_t place = random.below(kMaxThreads);
    switch (random.below(8)) {
      case 0:
        if (place % 8 != 0) break;
        watched.watch_from(place);
        for (size_t p = place; p < kMaxThreads; ++p) expected.insert(p);
        break;
      case 1:
        watched.watch(place);
        expected.insert(place);
        break;
      default:
        watched.leave(place);
        expected.erase(place);
    }
    if (i % 100 != 0) continue;
    const size_t end = random.below(kMaxThreads + 1);
    EXPECT_EQ(below(watched, end), (std::set<size_t>{expected.begin(), expected.lower_bound(end)}));
    EXPECT_EQ(below(watched, kMaxThreads), expected);
  }
}

// As the configuration is made: whoever is seen may be left at once.
TEST(Watched, PlacesAreLeftWhileTheyAreVisited) {
  Watched watched;
  watched.watch_from(0);
  size_t seen = 0;
  watched.for_each_below(130, [&](size_t place) {
    watched.leave(place);
    ++seen;
  });
  EXPECT_EQ(seen, 130u);
  EXPECT_TRUE(below(watched, 130).empty());
  EXPECT_EQ(below(watched, 131), std::set<size_t>{130});
}

}  // namespace
}  // namespace heddle
