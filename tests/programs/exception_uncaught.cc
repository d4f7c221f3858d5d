// An exception leaves a thread's function in one order of the two updates.
//
// RUN: --strategy=icb
// EXPECT: fail uncaught-exception
// PREEMPTIONS: 1
// MESSAGE: out_of_range
// RUN: --strategy=icb --bound=0
// EXPECT: pass
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> level;

int main() {
  std::thread other([] {
    if (level.load() == 1) throw std::out_of_range("level");
  });
  level.store(1);
  level.store(0);
  other.join();
}
