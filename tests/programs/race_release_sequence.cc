// A relaxed update by a third thread prolongs the release sequence; a relaxed store ends it.
//
// RUN: --strategy=dfs
// FLAGS: -DUPDATE
// EXPECT: pass
// RUN: --strategy=dfs
// EXPECT: fail data-race
// MESSAGE: (message)
#include <atomic>
#include <thread>

static int message;
static std::atomic<int> stage;

int main() {
  std::thread sender([] {
    message = 42;
    stage.store(1, std::memory_order_release);
  });
  std::thread between([] {
#ifdef UPDATE
    int one = 1;
    stage.compare_exchange_strong(one, 2, std::memory_order_relaxed);
#else
    if (stage.load(std::memory_order_relaxed) == 1) stage.store(2, std::memory_order_relaxed);
#endif
  });
  int got = stage.load(std::memory_order_acquire) == 2 ? message : 42;
  sender.join();
  between.join();
  return got != 42;
}
