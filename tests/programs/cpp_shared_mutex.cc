// std::shared_mutex and std::shared_timed_mutex.
//
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DWRITE_UNDER_SHARED
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DWRITE_UNDER_SHARED
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DUPGRADE
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DTIMED
// EXPECT: fail assertion
// RUN: --strategy=icb --timeouts=last
// FLAGS: -DTIMED
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef TIMED
static std::shared_timed_mutex mutex;
#else
static std::shared_mutex mutex;
#endif
static std::atomic<int> writers, value;

static void write_once() {
#ifdef WRITE_UNDER_SHARED
  std::shared_lock lock(mutex);
#else
  std::unique_lock lock(mutex);
#endif
  assert(++writers == 1);
  value = value + 1;
  --writers;
}

static void read_once() {
#ifdef TIMED
  std::shared_lock lock(mutex, std::chrono::seconds(1));
  assert(lock.owns_lock());  // wrong
#else
  std::shared_lock lock(mutex);
#endif
  assert(writers == 0 || value >= 0);
#ifdef UPGRADE
  std::unique_lock upgraded(mutex);
#endif
}

int main() {
  std::thread one(write_once), two(read_once);
#ifdef WRITE_UNDER_SHARED
  write_once();
#endif
  one.join();
  two.join();
}
