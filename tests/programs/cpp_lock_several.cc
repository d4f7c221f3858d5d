// std::lock takes several locks in any order: it tries, and gives back what it has when it fails.
// Two threads could do so for ever only if they kept in step for ever, which is no livelock.
//
// RUN: --strategy=icb --bound=3
// EXPECT: pass
// RUN: --strategy=random --max-executions=500
// EXPECT: unknown
#include <mutex>
#include <thread>

static std::mutex a, b;
static int both;

int main() {
  std::thread other([] {
    std::lock(a, b);
    ++both;
    a.unlock();
    b.unlock();
  });
  std::lock(b, a);
  ++both;
  a.unlock();
  b.unlock();
  other.join();
  if (both != 2) __builtin_abort();
}
