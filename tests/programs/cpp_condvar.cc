// A bounded queue with unique_lock and wait with a predicate: nothing is lost, nobody hangs.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb --bound=2
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex mutex;
static std::condition_variable not_empty;
static std::queue<int> items;

static void produce() {
  for (int i = 1; i <= 2; ++i) {
    std::unique_lock<std::mutex> lock(mutex);
    items.push(i);
    lock.unlock();
    not_empty.notify_one();
  }
}

int main() {
  std::thread producer(produce);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    std::unique_lock<std::mutex> lock(mutex);
    not_empty.wait(lock, [] { return !items.empty(); });
    sum += items.front();
    items.pop();
  }
  producer.join();
  assert(sum == 3);
}
