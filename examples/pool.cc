// A thread pool whose destructor tells its worker to stop, and forgets the tasks that it has taken
// on.
//
//   ./heddle check examples/pool.cc            a task is never run
//   ./heddle check examples/pool.cc -DFIXED    correct: the worker stops when the queue is empty
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Pool {
 public:
  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    worker_.join();
  }

  void submit(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
#ifdef FIXED
      if (tasks_.empty()) return;
#else
      if (stopping_) return;
#endif
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread worker_{[this] { run(); }};  // last: it uses all the others
};

int main() {
  std::atomic<int> saved = 0;
  {
    Pool pool;
    pool.submit([&] { ++saved; });
  }
  assert(saved == 1);
}
