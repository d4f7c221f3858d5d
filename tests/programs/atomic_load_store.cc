// Every access is atomic, the increment is not.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter;

static void increment() {
  counter.store(counter.load() + 1);
}

int main() {
  std::thread other(increment);
  increment();
  other.join();
  assert(counter == 2);
}
