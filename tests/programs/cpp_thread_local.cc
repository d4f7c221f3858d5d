// thread_local objects: one for each thread, destroyed at its end, before the join returns.
//
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive, made;

struct Counted {
  int value = 0;
  Counted() { ++alive, ++made; }
  ~Counted() { --alive; }
};
static thread_local Counted counted;

int main() {
  auto work = [] { assert(++counted.value == 1); };
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(made == 2 && alive == 0);
  assert(counted.value == 0 && alive == 1);
}
