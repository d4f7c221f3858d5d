// std::random_device repeats itself from execution to execution: the number of steps depends on it.
//
// FLAGS: -std=c++17
// RUN: --strategy=dfs
// EXPECT: pass
#include <mutex>
#include <random>
#include <thread>

int main() {
  std::mutex mutex;
  const auto work = [&] {
    std::random_device device;
    for (unsigned times = device() % 4; times > 0; --times) std::lock_guard lock(mutex);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}
