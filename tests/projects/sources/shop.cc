// Two customers and one item: GREETING comes from the build system, with a blank in it.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

#include "stock.h"

int main() {
  assert(strcmp(GREETING, "good morning") == 0);
  std::atomic<int> sold{0};
  stock_fill(1);
  const auto buy = [&] { sold += stock_take(); };
  std::thread one(buy), two(buy);
  one.join();
  two.join();
  assert(sold == 1);
  assert(stock_left() == 0);
}
