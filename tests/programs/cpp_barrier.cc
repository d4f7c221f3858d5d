// std::barrier with a completion step, two rounds.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=random --max-executions=200
// EXPECT: unknown
// RUN: --strategy=icb
// FLAGS: -DONE_LEAVES
// EXPECT: fail deadlock
#include <barrier>
#include <cassert>
#include <thread>

static int arrived, rounds;

int main() {
  auto completed = []() noexcept {
    assert(arrived == 2 * (rounds + 1));
    ++rounds;
  };
  std::barrier barrier(2, completed);
  auto work = [&](int times) {
    for (int i = 0; i < times; ++i) {
      __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
      barrier.arrive_and_wait();
      assert(rounds >= i + 1);
    }
  };
#ifdef ONE_LEAVES
  std::thread one(work, 2), two(work, 1);
#else
  std::thread one(work, 2), two(work, 2);
#endif
  one.join();
  two.join();
  assert(rounds == 2);
}
