// The same count through the other door.
//
// DOOR: preload
// EXPECT: pass
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock m; unlock m; lock m; unlock m
// MODEL: b = lock m; unlock m; lock m; unlock m
// EXECUTIONS: model
// RUN: --strategy=dfs
// RUN: --strategy=icb --bound=2
#include <mutex>
#include <thread>

static std::mutex mutex;

static void work() {
  for (int i = 0; i < 2; ++i) std::lock_guard<std::mutex> lock(mutex);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
