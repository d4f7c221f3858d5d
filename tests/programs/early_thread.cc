// Threads that global constructors start belong to every execution: a pool whose worker adds to
// what main set, and a constructor that sets it. The worker's addition comes before or after
// main's, and is lost in between. That the destructor is registered while the worker exists is a
// step.
//
// RUN: --strategy=dfs --races=off
// EXPECT: fail assertion
// MESSAGE: total
// RUN: --strategy=dfs --races=off
// FLAGS: -DATOMIC
// EXPECT: pass
// EXECUTIONS: 10
// RUN: --strategy=optimal-dpor --races=off
// FLAGS: -DATOMIC
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> total{0};

static void add(int value) {
#ifdef ATOMIC
  total.fetch_add(value);
#else
  total.store(total.load() + value);
#endif
}

struct Pool {
  Pool() : worker([] { add(1); }) {}
  ~Pool() {
    if (worker.joinable()) worker.join();
  }
  std::thread worker;
};

static Pool pool;

int main() {
  add(2);
  pool.worker.join();
  assert(total == 3);
}
