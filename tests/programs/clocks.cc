// All clocks show one virtual time: it does not pass by itself, sleeping costs none of the real
// one, and what a thread learns from another is never in its future.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCLAIM_ORDER
// EXPECT: fail assertion
// PREEMPTIONS: 0
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono;

static steady_clock::time_point stamp;
static std::mutex mutex;
static int order;

int main() {
  const auto start = steady_clock::now();
  const time_t day = time(nullptr);
  std::thread sleeper([] {
    sleep(3600);
    std::lock_guard<std::mutex> hold(mutex);
    stamp = steady_clock::now();
    ++order;
  });
  std::thread other([] {
    std::this_thread::sleep_for(milliseconds(1));
    std::lock_guard<std::mutex> hold(mutex);
    if (stamp != steady_clock::time_point()) assert(steady_clock::now() > stamp);
#ifdef CLAIM_ORDER
    assert(order == 0);  // sleeping is no synchronisation
#endif
  });
  sleeper.join();
  other.join();
  assert(steady_clock::now() - start >= hours(1));
  assert(steady_clock::now() - start < hours(2));
  assert(time(nullptr) - day >= 3600);
  timeval value;
  gettimeofday(&value, nullptr);
  assert(value.tv_sec - time(nullptr) <= 0 && value.tv_sec - day >= 3600);
  assert(system_clock::to_time_t(system_clock::now()) == time(nullptr));

  for (auto end = steady_clock::now() + seconds(2); steady_clock::now() < end;) continue;

  std::unique_lock<std::mutex> hold(mutex);
  std::condition_variable never;
  const auto before = steady_clock::now();
  assert(never.wait_for(hold, minutes(5)) == std::cv_status::timeout);
  assert(steady_clock::now() - before >= minutes(5));
  assert(!never.wait_for(hold, minutes(5), [] { return false; }));
  assert(never.wait_until(hold, system_clock::now() + seconds(1)) == std::cv_status::timeout);
  timespec wrong = {0, 2'000'000'000};
  assert(nanosleep(&wrong, nullptr) == -1);
}
