// What happens when a thread is over: values of promises and tasks become ready, conditions are
// notified, by code of the standard library. Who waits for it knows what the thread has done.
//
// LIBTSAN: no (it does not see the library's code either)
// LIBCXX: no
// FLAGS: -std=c++17
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DTASK
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DCONDITION
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DTOO_EARLY
// EXPECT: fail data-race
// MESSAGE: (beside)
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

int beside;

#ifdef CONDITION

int main() {
  std::mutex mutex;
  std::condition_variable over;
  bool done = false;
  std::thread thread([&] {
    std::unique_lock lock(mutex);
    beside = 1;
    done = true;
    std::notify_all_at_thread_exit(over, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    over.wait(lock, [&] { return done; });
    assert(beside == 1);
  }
  thread.join();
}

#else

int main() {
  std::promise<int> promise;
  std::packaged_task<int()> task([] { return 7; });
#ifdef TASK
  std::future<int> future = task.get_future();
#else
  std::future<int> future = promise.get_future();
#endif
  std::thread thread([&] {
#ifdef TASK
    task.make_ready_at_thread_exit();
#else
    promise.set_value_at_thread_exit(7);
#endif
    beside = 1;
  });
#ifdef TOO_EARLY
  beside = 2;
#endif
  assert(future.get() == 7);
  assert(beside == 1);
  thread.join();
}

#endif
