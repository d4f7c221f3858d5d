// In the manner of cpp_reference.cc: classes that stand on waiting for atomics, and what libc++ 14
// does not have yet.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=2
// ARGUMENTS: recursive_timed_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: recursive_timed_mutex_try
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: recursive_timed_mutex_try
// LIBCXX: only
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=2
// ARGUMENTS: call_once
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: latch
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: latch_too_high
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=0
// ARGUMENTS: barrier_completion
// EXPECT: pass
// RUN: --strategy=icb --bound=0
// ARGUMENTS: barrier_drop
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: semaphore
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: binary_semaphore_as_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: semaphore_never_released
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=0
// ARGUMENTS: atomic_wait
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: atomic_wait_forgotten
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: jthread_joins
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: jthread_stops
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: stop_callback
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=0
// ARGUMENTS: condition_any_stops
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: atomic_ref
// LIBCXX: no
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: call_once_throws
// EXPECT: pass
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <thread>
#include <version>
#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace {

// Two threads do the same.
template <typename Work>
void both(Work work) {
  std::thread one(work), two(work);
  one.join();
  two.join();
}

struct Case {
  const char* name;
  void (*run)();
};

const Case kCases[] = {
    {"recursive_timed_mutex",
     [] {
       std::recursive_timed_mutex m;
       int n = 0;
       both([&] {
         std::lock_guard l(m), again(m);
         ++n;
       });
       assert(n == 2);
     }},
    // An owner's attempt may fail for no reason, and with libc++ it does while another thread is
    // about to wait.
    {"recursive_timed_mutex_try",
     [] {
       std::recursive_timed_mutex m;
       both([&] {
         std::lock_guard l(m);
         assert(m.try_lock());
         m.unlock();
       });
     }},
    {"call_once",
     [] {
       std::once_flag flag;
       int n = 0;
       both([&] {
         std::call_once(flag, [&] { ++n; });
         assert(n == 1);
       });
     }},
    {"latch",
     [] {
       std::latch l(2);
       int n[2] = {};
       std::thread t([&] {
         n[0] = 1;
         l.count_down();
       });
       n[1] = 1;
       l.arrive_and_wait();
       assert(n[0] + n[1] == 2);
       t.join();
     }},
    {"latch_too_high",
     [] {
       std::latch l(2);
       std::thread t([&] { l.count_down(); });
       l.wait();
       t.join();
     }},
    {"barrier_completion",
     [] {
       std::atomic<int> phases{0};
       std::barrier b(2, [&]() noexcept { ++phases; });
       both([&] {
         b.arrive_and_wait();
         b.arrive_and_wait();
       });
       assert(phases == 2);
     }},
    {"barrier_drop",
     [] {
       std::barrier b(2);
       std::thread t([&] { b.arrive_and_drop(); });
       b.arrive_and_wait();
       b.arrive_and_wait();
       t.join();
     }},
    {"semaphore",
     [] {
       std::counting_semaphore<2> s(0);
       int n = 0;
       std::thread t([&] {
         n = 1;
         s.release();
       });
       s.acquire();
       assert(n == 1);
       t.join();
     }},
    {"binary_semaphore_as_mutex",
     [] {
       std::binary_semaphore s(1);
       int n = 0;
       both([&] {
         s.acquire();
         ++n;
         s.release();
       });
       assert(n == 2);
     }},
    {"semaphore_never_released",
     [] {
       std::counting_semaphore<> s(0);
       std::thread t([] {});
       s.acquire();
       t.join();
     }},
    {"atomic_wait",
     [] {
       std::atomic<int> n{0};
       std::thread t([&] {
         n = 1;
         n.notify_one();
       });
       n.wait(0);
       assert(n == 1);
       t.join();
     }},
    {"atomic_wait_forgotten",
     [] {
       std::atomic<int> n{0};
       std::thread t([&] { n = 1; });
       n.wait(0);
       t.join();
     }},
#ifdef __cpp_lib_jthread
    {"jthread_joins",
     [] {
       int n = 0;
       {
         std::jthread t([&] { n = 1; });
       }
       assert(n == 1);
     }},
    {"jthread_stops",
     [] {
       std::atomic<int> seen{-1};
       std::jthread t([&](std::stop_token stop) { seen = stop.stop_requested(); });
       t.request_stop();
       assert(t.get_stop_token().stop_requested());
       t.join();
       assert(seen == 0 || seen == 1);
     }},
    {"stop_callback",
     [] {
       std::stop_source source;
       std::atomic<int> called{0};
       {
         std::stop_callback c(source.get_token(), [&] { ++called; });
         std::thread t([&] { source.request_stop(); });
         t.join();
       }
       assert(called == 1);
     }},
    {"condition_any_stops",
     [] {
       std::mutex m;
       std::condition_variable_any c;
       std::jthread t([&](std::stop_token stop) {
         std::unique_lock l(m);
         assert(!c.wait(l, stop, [] { return false; }));
       });
     }},
#endif
#ifdef __cpp_lib_atomic_ref
    {"atomic_ref",
     [] {
       int n = 0;
       both([&] { std::atomic_ref<int>(n).fetch_add(1); });
       assert(n == 2);
     }},
#endif
    {"call_once_throws",
     [] {
       std::once_flag flag;
       std::atomic<int> tries{0};
       both([&] {
         try {
           std::call_once(flag, [&] {
             if (tries++ == 0) throw 1;
           });
         } catch (int) {
         }
       });
       assert(tries <= 2);
     }},
};

}  // namespace

int main(int, char** argv) {
  for (const Case& one : kCases)
    if (std::strcmp(one.name, argv[1]) == 0) return one.run(), 0;
  return 2;
}
