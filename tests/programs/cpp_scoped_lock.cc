// std::scoped_lock takes two mutexes without a deadlock, two lock_guards do not.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DONE_BY_ONE
// EXPECT: fail deadlock
// PREEMPTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DONE_BY_ONE
// EXPECT: fail deadlock
#include <mutex>
#include <thread>

static std::mutex a, b;

static void work(std::mutex& first, std::mutex& second) {
#ifdef ONE_BY_ONE
  std::lock_guard one(first);
  std::lock_guard two(second);
#else
  std::scoped_lock both(first, second);
#endif
}

int main() {
  std::thread one([] { work(a, b); }), two([] { work(b, a); });
  one.join();
  two.join();
}
