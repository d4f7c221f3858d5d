// std::call_once: once, also if the first attempt throws; whoever comes later sees the result.
//
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCLAIM
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=optimal-dpor
// FLAGS: -DCLAIM
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DTHROWS
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHROWS
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::atomic<int> calls;
static int who;

static void work(int number) {
  try {
    std::call_once(flag, [number] {
#ifdef THROWS
      if (calls++ == 0) throw number;
#else
      ++calls;
#endif
      who = number;
    });
    assert(who != 0);
  } catch (int) {
  }
#ifdef CLAIM
  assert(who == 1);
#endif
}

int main() {
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
#ifdef THROWS
  assert(calls == 2);
#else
  assert(calls == 1);
#endif
}
