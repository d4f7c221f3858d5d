// std::condition_variable_any with a shared lock, and its waits that a stop request ends.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DFORGET
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=1
// FLAGS: -DSTOP
// LIBCXX: no
// EXPECT: pass
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#ifdef STOP
#include <stop_token>
#endif

static std::shared_mutex mutex;
static std::condition_variable_any changed;
static bool ready;

int main() {
#ifdef STOP
  std::jthread waiter([](std::stop_token token) {
    std::unique_lock lock(mutex);
    assert(!changed.wait(lock, token, [] { return ready; }));
    assert(token.stop_requested());
  });
  waiter.request_stop();
#else
  std::thread waiter([] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
    assert(ready);
  });
  {
    std::unique_lock lock(mutex);
    ready = true;
  }
#ifndef FORGET
  changed.notify_all();
#endif
  waiter.join();
#endif
}
