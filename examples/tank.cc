// Two pumps fill a tank that holds three. Each looks before it pours, but not while it pours.
//
//   heddle check tank.cc
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

static std::atomic<int> level;

static void pump() {
  const int amount = heddle::choose({1, 2});
  if (level + amount <= 3) level += amount;
}

int main() {
  heddle::invariant nothing_spilled("nothing is spilled", [] { return level <= 3; });
  std::thread one(pump), two(pump);
  one.join();
  two.join();
}
