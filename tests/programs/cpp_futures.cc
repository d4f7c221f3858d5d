// Futures: promise, packaged_task, async; values and exceptions cross threads, a promise that is
// broken says so.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNEVER_SET
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DBROKEN
// EXPECT: fail uncaught-exception
// RUN: --strategy=icb
// FLAGS: -DWAIT_FOR
// EXPECT: fail assertion
// RUN: --strategy=icb --timeouts=last --bound=1
// FLAGS: -DWAIT_FOR
// EXPECT: pass
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread setter([&promise] {
#if defined BROKEN
    std::promise<int> dropped = std::move(promise);
#elif !defined NEVER_SET
    promise.set_value(42);
#endif
  });
#ifdef WAIT_FOR
  assert(result.wait_for(std::chrono::seconds(1)) == std::future_status::ready);  // wrong
#endif
  assert(result.get() == 42);
  setter.join();

  std::future<int> thrown =
      std::async(std::launch::async, []() -> int { throw std::runtime_error("across threads"); });
  try {
    thrown.get();
    assert(false);
  } catch (const std::runtime_error& error) {
    assert(error.what()[0] == 'a');
  }

  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  std::shared_future<int> answer = task.get_future().share();
  std::thread worker(std::move(task), 1);
  assert(answer.get() == 2 && answer.get() == 2);
  worker.join();
  assert(std::async(std::launch::deferred, [] { return 7; }).get() == 7);
}
