// std::timed_mutex and std::recursive_timed_mutex.
//
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCLAIM
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=icb --timeouts=never
// FLAGS: -DCLAIM
// EXPECT: pass
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::recursive_timed_mutex mutex;
static int inside;

static void work() {
  if (mutex.try_lock_for(10ms)) {
    std::lock_guard again(mutex);
    assert(++inside == 1);
    --inside;
    mutex.unlock();
  } else {
#ifdef CLAIM
    assert(false);
#endif
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  std::timed_mutex plain;
  assert(plain.try_lock_until(std::chrono::system_clock::now() + 1s));
#ifndef CLAIM
  assert(!plain.try_lock_for(1s));
#endif
  plain.unlock();
}
