// One small program for each class and rule of the C++20 standard library's threads. The argument
// says which; the verdict is known.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_joined
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_moved
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_arguments
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_detached
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_not_joined
// EXPECT: fail abort
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_throws
// EXPECT: fail uncaught-exception
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_exception_carried
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_ids_differ
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: sleeping_is_no_order
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=2
// ARGUMENTS: lock_guard
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: no_lock
// EXPECT: fail data-race
// RUN: --strategy=icb --bound=2
// ARGUMENTS: unique_lock_deferred
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: locks_in_two_orders
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: scoped_lock_in_two_orders
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: recursive_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: mutex_twice
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: try_lock
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: try_lock_may_fail
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=2
// ARGUMENTS: timed_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: shared_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: shared_timed_mutex
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: shared_mutex_both_upgrade
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: condition_with_predicate
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: condition_without_predicate
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=1
// ARGUMENTS: condition_notify_all
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: condition_notifies_too_few
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: condition_wait_for
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: condition_times_out
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=1
// ARGUMENTS: condition_any_shared
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: notify_at_thread_exit
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: promise
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: promise_broken
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: promise_twice
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: promise_never_kept
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=2
// ARGUMENTS: promise_exception
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: future_wait_for
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: shared_future
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: packaged_task
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: async
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: async_deferred
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: async_throws
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: static_local
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_local_apart
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: thread_local_destroyed
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: fetch_add
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: load_then_store
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=2
// ARGUMENTS: compare_exchange
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: atomic_flag_lock
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: message_acquire
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: message_relaxed
// EXPECT: fail data-race
// RUN: --strategy=icb --bound=2
// ARGUMENTS: message_fences
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: atomic_of_double
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: shared_ptr_count
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

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
    {"thread_joined",
     [] {
       int n = 0;
       std::thread t([&] { n = 1; });
       t.join();
       assert(n == 1);
     }},
    {"thread_moved",
     [] {
       int n = 0;
       std::thread t([&] { n = 1; });
       std::thread u(std::move(t));
       assert(!t.joinable());
       u.join();
       assert(n == 1);
     }},
    {"thread_arguments",
     [] {
       int n = 0;
       std::thread t([](int& to, int from) { to = from; }, std::ref(n), 7);
       t.join();
       assert(n == 7);
     }},
    {"thread_detached",
     [] {
       static std::promise<int> p;
       std::thread([] { p.set_value(3); }).detach();
       assert(p.get_future().get() == 3);
     }},
    {"thread_not_joined",
     [] {
       std::thread t([] {});
       std::vector<std::thread> kept;
       kept.push_back(std::move(t));
     }},
    {"thread_throws",
     [] {
       std::thread t([] { throw std::runtime_error("no"); });
       t.join();
     }},
    {"thread_exception_carried",
     [] {
       std::exception_ptr e;
       std::thread t([&] {
         try {
           throw 5;
         } catch (...) {
           e = std::current_exception();
         }
       });
       t.join();
       try {
         std::rethrow_exception(e);
       } catch (int n) {
         assert(n == 5);
       }
     }},
    {"thread_ids_differ",
     [] {
       std::thread::id a, b;
       std::thread t([&] { a = std::this_thread::get_id(); });
       t.join();
       b = std::this_thread::get_id();
       assert(a != b);
     }},
    {"sleeping_is_no_order",
     [] {
       std::atomic<int> n{0};
       std::thread t([&] {
         std::this_thread::sleep_for(std::chrono::seconds(1));
         n = 1;
       });
       int seen = n;
       t.join();
       assert(seen == 0);
     }},
    {"lock_guard",
     [] {
       std::mutex m;
       int n = 0;
       both([&] {
         std::lock_guard l(m);
         ++n;
       });
       assert(n == 2);
     }},
    {"no_lock",
     [] {
       int n = 0;
       both([&] { ++n; });
     }},
    {"unique_lock_deferred",
     [] {
       std::mutex a, b;
       int n = 0;
       both([&] {
         std::unique_lock l(a, std::defer_lock), k(b, std::defer_lock);
         std::lock(k, l);
         ++n;
       });
       assert(n == 2);
     }},
    {"locks_in_two_orders",
     [] {
       std::mutex a, b;
       std::thread t([&] { std::lock_guard l(a), k(b); });
       { std::lock_guard k(b), l(a); }
       t.join();
     }},
    {"scoped_lock_in_two_orders",
     [] {
       std::mutex a, b;
       std::thread t([&] { std::scoped_lock l(a, b); });
       { std::scoped_lock l(b, a); }
       t.join();
     }},
    {"recursive_mutex",
     [] {
       std::recursive_mutex m;
       int n = 0;
       both([&] {
         std::lock_guard l(m);
         std::lock_guard k(m);
         ++n;
       });
       assert(n == 2);
     }},
    {"mutex_twice",
     [] {
       std::mutex m;
       std::thread t([&] {
         m.lock();
         m.lock();
       });
       t.join();
     }},
    {"try_lock",
     [] {
       std::mutex m;
       std::atomic<int> n{0};
       both([&] {
         if (m.try_lock()) {
           ++n;
           m.unlock();
         }
       });
       assert(n == 1 || n == 2);
     }},
    {"try_lock_may_fail",
     [] {
       std::mutex m;
       std::atomic<int> n{0};
       both([&] {
         if (m.try_lock()) {
           ++n;
           m.unlock();
         }
       });
       assert(n == 2);
     }},
    {"timed_mutex",
     [] {
       std::timed_mutex m;
       std::atomic<int> n{0};
       both([&] {
         if (m.try_lock_for(std::chrono::seconds(1))) {
           ++n;
           m.unlock();
         }
       });
       assert(n >= 1);
     }},
    {"shared_mutex",
     [] {
       std::shared_mutex m;
       int n = 0;
       std::thread w([&] {
         std::lock_guard l(m);
         n = 1;
       });
       {
         std::shared_lock l(m);
         assert(n == 0 || n == 1);
       }
       w.join();
     }},
    {"shared_timed_mutex",
     [] {
       std::shared_timed_mutex m;
       int n = 0;
       std::thread w([&] {
         std::lock_guard l(m);
         n = 1;
       });
       if (m.try_lock_shared_for(std::chrono::seconds(1))) {
         assert(n == 0 || n == 1);
         m.unlock_shared();
       }
       w.join();
     }},
    {"shared_mutex_both_upgrade",
     [] {
       std::shared_mutex m;
       both([&] {
         m.lock_shared();
         m.lock();
       });
     }},
    {"condition_with_predicate",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         std::lock_guard l(m);
         ready = true;
         c.notify_one();
       });
       {
         std::unique_lock l(m);
         c.wait(l, [&] { return ready; });
       }
       t.join();
     }},
    {"condition_without_predicate",
     [] {
       std::mutex m;
       std::condition_variable c;
       std::thread t([&] {
         std::lock_guard l(m);
         c.notify_one();
       });
       {
         std::unique_lock l(m);
         c.wait(l);
       }
       t.join();
     }},
    {"condition_notify_all",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         both([&] {
           std::unique_lock l(m);
           c.wait(l, [&] { return ready; });
         });
       });
       {
         std::lock_guard l(m);
         ready = true;
       }
       c.notify_all();
       t.join();
     }},
    {"condition_notifies_too_few",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         both([&] {
           std::unique_lock l(m);
           c.wait(l, [&] { return ready; });
         });
       });
       {
         std::lock_guard l(m);
         ready = true;
       }
       c.notify_one();
       t.join();
     }},
    {"condition_wait_for",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         std::lock_guard l(m);
         ready = true;
         c.notify_one();
       });
       bool got;
       {
         std::unique_lock l(m);
         got = c.wait_for(l, std::chrono::seconds(1), [&] { return ready; });
       }
       t.join();
       assert(got == got);
     }},
    {"condition_times_out",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         std::lock_guard l(m);
         ready = true;
         c.notify_one();
       });
       bool got;
       {
         std::unique_lock l(m);
         got = c.wait_for(l, std::chrono::seconds(1), [&] { return ready; });
       }
       t.join();
       assert(got);
     }},
    {"condition_any_shared",
     [] {
       std::shared_mutex m;
       std::condition_variable_any c;
       bool ready = false;
       std::thread t([&] {
         {
           std::lock_guard l(m);
           ready = true;
         }
         c.notify_one();
       });
       {
         std::shared_lock l(m);
         c.wait(l, [&] { return ready; });
       }
       t.join();
     }},
    {"notify_at_thread_exit",
     [] {
       std::mutex m;
       std::condition_variable c;
       bool ready = false;
       std::thread t([&] {
         std::unique_lock l(m);
         ready = true;
         std::notify_all_at_thread_exit(c, std::move(l));
       });
       {
         std::unique_lock l(m);
         c.wait(l, [&] { return ready; });
       }
       t.join();
     }},
    {"promise",
     [] {
       std::promise<int> p;
       std::thread t([&] { p.set_value(4); });
       assert(p.get_future().get() == 4);
       t.join();
     }},
    {"promise_broken",
     [] {
       std::future<int> f;
       {
         std::promise<int> p;
         f = p.get_future();
         std::thread t([q = std::move(p)]() mutable {});
         t.join();
       }
       try {
         f.get();
         assert(false);
       } catch (const std::future_error& e) {
         assert(e.code() == std::future_errc::broken_promise);
       }
     }},
    {"promise_twice",
     [] {
       std::promise<int> p;
       std::atomic<int> thrown{0};
       both([&] {
         try {
           p.set_value(1);
         } catch (const std::future_error&) {
           ++thrown;
         }
       });
       assert(thrown == 1);
     }},
    {"promise_never_kept",
     [] {
       std::promise<int> p;
       std::thread t([] {});
       p.get_future().wait();
       t.join();
     }},
    {"promise_exception",
     [] {
       std::promise<int> p;
       std::thread t([&] { p.set_exception(std::make_exception_ptr(3)); });
       try {
         p.get_future().get();
         assert(false);
       } catch (int n) {
         assert(n == 3);
       }
       t.join();
     }},
    {"future_wait_for",
     [] {
       std::promise<int> p;
       std::future<int> f = p.get_future();
       std::thread t([&] { p.set_value(1); });
       f.wait_for(std::chrono::seconds(1));
       assert(f.get() == 1);
       t.join();
     }},
    {"shared_future",
     [] {
       std::promise<int> p;
       std::shared_future<int> f = p.get_future().share();
       std::thread t([f] { assert(f.get() == 2); });
       p.set_value(2);
       assert(f.get() == 2);
       t.join();
     }},
    {"packaged_task",
     [] {
       std::packaged_task<int(int)> task([](int n) { return n + 1; });
       std::future<int> f = task.get_future();
       std::thread t(std::move(task), 1);
       assert(f.get() == 2);
       t.join();
     }},
    {"async",
     [] {
       std::future<int> f = std::async(std::launch::async, [] { return 6; });
       assert(f.get() == 6);
     }},
    {"async_deferred",
     [] {
       std::future<int> f = std::async(std::launch::deferred, [] { return 6; });
       assert(f.get() == 6);
     }},
    {"async_throws",
     [] {
       std::future<int> f = std::async(std::launch::async, []() -> int { throw 9; });
       try {
         f.get();
         assert(false);
       } catch (int n) {
         assert(n == 9);
       }
     }},
    {"static_local",
     [] {
       static std::atomic<int> made{0};
       struct Made {
         Made() { ++made; }
       };
       both([] {
         static Made one;
         (void)one;
       });
       assert(made == 1);
     }},
    {"thread_local_apart",
     [] {
       both([] {
         thread_local int mine = 0;
         ++mine;
         assert(mine == 1);
       });
     }},
    {"thread_local_destroyed",
     [] {
       static std::atomic<int> gone{0};
       struct Mine {
         int n = 1;
         ~Mine() { ++gone; }
       };
       both([] {
         thread_local Mine mine;
         assert(mine.n == 1);
       });
       assert(gone == 2);
     }},
    {"fetch_add",
     [] {
       std::atomic<int> n{0};
       both([&] { n.fetch_add(1); });
       assert(n == 2);
     }},
    {"load_then_store",
     [] {
       std::atomic<int> n{0};
       both([&] { n = n + 1; });
       assert(n == 2);
     }},
    {"compare_exchange",
     [] {
       std::atomic<int> n{0};
       both([&] {
         int seen = n;
         while (!n.compare_exchange_weak(seen, seen + 1)) continue;
       });
       assert(n == 2);
     }},
    {"atomic_flag_lock",
     [] {
       std::atomic_flag lock = ATOMIC_FLAG_INIT;
       int n = 0;
       both([&] {
         if (!lock.test_and_set()) {
           ++n;
           lock.clear();
         }
       });
       assert(n == 1 || n == 2);
     }},
    {"message_acquire",
     [] {
       int data = 0;
       std::atomic<bool> ready{false};
       std::thread t([&] {
         data = 1;
         ready.store(true, std::memory_order_release);
       });
       if (ready.load(std::memory_order_acquire)) assert(data == 1);
       t.join();
     }},
    {"message_relaxed",
     [] {
       int data = 0;
       std::atomic<bool> ready{false};
       std::thread t([&] {
         data = 1;
         ready.store(true, std::memory_order_relaxed);
       });
       if (ready.load(std::memory_order_relaxed)) assert(data == 1);
       t.join();
     }},
    {"message_fences",
     [] {
       int data = 0;
       std::atomic<bool> ready{false};
       std::thread t([&] {
         data = 1;
         std::atomic_thread_fence(std::memory_order_release);
         ready.store(true, std::memory_order_relaxed);
       });
       if (ready.load(std::memory_order_relaxed)) {
         std::atomic_thread_fence(std::memory_order_acquire);
         assert(data == 1);
       }
       t.join();
     }},
    {"atomic_of_double",
     [] {
       std::atomic<double> x{0};
       both([&] {
         double seen = x;
         while (!x.compare_exchange_strong(seen, seen + 0.5)) continue;
       });
       assert(x == 1.0);
     }},
    {"shared_ptr_count",
     [] {
       auto p = std::make_shared<int>(1);
       std::weak_ptr<int> w = p;
       both([q = p] {
         auto mine = q;
         assert(*mine == 1);
       });
       p.reset();
       assert(w.expired());
     }},
};

}  // namespace

int main(int, char** argv) {
  for (const Case& one : kCases)
    if (std::strcmp(one.name, argv[1]) == 0) return one.run(), 0;
  return 2;
}
