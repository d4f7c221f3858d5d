// std::latch: who waits sees what was done before the count reached zero.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DONE_TOO_MANY
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DONE_TOO_FEW
// EXPECT: fail assertion
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

#if defined ONE_TOO_MANY
static std::latch latch(3);
#elif defined ONE_TOO_FEW
static std::latch latch(1);
#else
static std::latch latch(2);
#endif
static std::atomic<int> done[2];

int main() {
  std::thread one([] {
    done[0] = 1;
    latch.count_down();
  });
  std::thread two([] {
    done[1] = 1;
    latch.count_down();
  });
  latch.wait();
  assert(done[0] + done[1] == 2);
  one.join();
  two.join();
}
