// std::counting_semaphore as a lock and as a counter. libc++ gets it right; libstdc++ 12 remembers
// the count from before it decides to sleep, so that a thread may sleep although the count is the
// same again (GCC's bug 104928): one preemption shows it.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=icb
// LIBCXX: no
// EXPECT: fail deadlock
// PREEMPTIONS: 1
// RUN: --strategy=icb
// LIBCXX: only
// EXPECT: pass
// GUARANTEE: all executions
// RUN: --strategy=optimal-dpor
// LIBCXX: only
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DTWO_INSIDE
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DNO_RELEASE
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DTRY
// EXPECT: fail assertion
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

#ifdef TWO_INSIDE
static std::counting_semaphore<2> semaphore(2);
#else
static std::binary_semaphore semaphore(1);
#endif
static std::atomic<int> inside;

static void work() {
#ifdef TRY
  const bool mine = semaphore.try_acquire();
  assert(mine);  // wrong
#else
  semaphore.acquire();
#endif
  assert(++inside == 1);
  std::this_thread::yield();
  --inside;
#ifndef NO_RELEASE
  semaphore.release();
#endif
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
}
