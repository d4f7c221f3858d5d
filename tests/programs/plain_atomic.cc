// Atomic operations of code that Heddle did not compile are not seen. Loads and stores leave no
// trace in the binary: the guarantee says what it is about. A locked instruction does: then nothing
// is certain.
//
// DOOR: preload
// RUN: --strategy=portfolio
// EXPECT: pass
// GUARANTEE: all schedules of its calls to thread functions
// GUARANTEE: atomic operations and memory accesses are not seen
// RUN: --strategy=icb
// EXPECT: pass
// GUARANTEE: all schedules of its calls to thread functions
// RUN: --strategy=portfolio
// FLAGS: -DLOCKED
// EXPECT: unknown
// NOTE: 1 atomic instruction is not under control
// RUN: --strategy=portfolio
// FLAGS: -DLOCKED -DALONE
// EXPECT: pass
// GUARANTEE: there is only one
#include <atomic>
#include <thread>

std::atomic<int> counter;

void count() {
#ifdef LOCKED
  counter.fetch_add(1);
#else
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
#endif
}

int main() {
#ifdef ALONE
  count();
#else
  std::thread one(count), two(count);
  one.join();
  two.join();
#endif
}
