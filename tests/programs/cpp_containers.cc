// Lists, trees and strings do part of their work inside libstdc++. What is accessed there is seen:
// a look beside a change is a race, and the containers are what they should be after it.
//
// LIBCXX: no
// RUN: --strategy=icb
// FLAGS: -DALONE
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCASE=map_insertion -DLOCKED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCASE=map_insertion
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DCASE=map_erasure
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DCASE=list_insertion
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DCASE=list_splice
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DCASE=string_growth
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DCASE=string_growth -std=c++17 -O0
// EXPECT: fail data-race
#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define REQUIRE(what) ((what) ? (void)0 : abort())

size_t seen;

#ifdef ALONE
// Random insertions and erasures against a sorted vector; the tree verifies its own balance.
static void use_tree(unsigned seed) {
  using Set = std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>>;
  Set set;
  std::vector<int> model;
  for (int i = 0; i < 600; ++i) {
    seed = seed * 1103515245 + 12345;
    const int value = static_cast<int>(seed >> 16) % 97;
    const auto at = std::lower_bound(model.begin(), model.end(), value);
    if ((seed & 1) != 0) {
      if (set._M_insert_unique(value).second) model.insert(at, value);
    } else if (auto found = set.find(value); found != set.end()) {
      set.erase(found);
      model.erase(at);
    }
    REQUIRE(set.__rb_verify() && std::equal(set.begin(), set.end(), model.begin(), model.end()));
    const Set& fixed = set;
    REQUIRE(std::equal(fixed.rbegin(), fixed.rend(), model.rbegin(), model.rend()));
    REQUIRE(model.empty() || *--set.end() == model.back());
  }
}

static void use_lists() {
  std::list<int> a{3, 1, 2}, b, c{7};
  a.reverse();
  REQUIRE((a == std::list<int>{2, 1, 3}));
  a.swap(b);
  REQUIRE(a.empty() && b.size() == 3);
  b.swap(c);
  REQUIRE(c.size() == 3 && b.front() == 7 && b.back() == 7);
  c.splice(std::next(c.begin()), b);
  REQUIRE((c == std::list<int>{2, 7, 1, 3}) && b.empty());
  c.sort();
  c.pop_back();
  REQUIRE((c == std::list<int>{1, 2, 3}) && *c.rbegin() == 3);
}

int main() {
  std::thread other(use_tree, 1);
  use_lists();
  use_tree(2);
  other.join();
}
#else
static std::map<int, int> map{{1, 1}, {5, 5}, {7, 7}};
static std::list<int> list{1}, more{2};
static std::string string = "x";
static std::mutex mutex;

// What one thread changes and the other looks at.
struct Case {
  void (*change)();
  size_t (*look)();
};
static const Case map_insertion{[] { map.emplace(3, 3); }, [] { return map.count(3); }};
static const Case map_erasure{[] { map.erase(5); }, [] { return map.count(7); }};
static const Case list_insertion{[] { list.push_back(3); },
                                 [] { return static_cast<size_t>(list.back()); }};
static const Case list_splice{[] { list.splice(list.begin(), more); },
                              [] { return static_cast<size_t>(list.front()); }};
static const Case string_growth{[] { string += "abc"; }, [] { return string.size(); }};

static std::unique_lock<std::mutex> guard() {
#ifdef LOCKED
  return std::unique_lock<std::mutex>(mutex);
#else
  return {};
#endif
}

int main() {
  std::thread other([] {
    const auto lock = guard();
    CASE.change();
  });
  {
    const auto lock = guard();
    seen = CASE.look();
  }
  other.join();
}
#endif
