// A queue whose pop looks for an item, and whose close tells the consumers that there will be no
// more. Whoever sleeps when close() wakes only one of them sleeps for ever.
//
//   ./heddle check examples/queue.cc             a consumer is never woken
//   ./heddle check examples/queue.cc -DFIXED    correct
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
 public:
  void push(int item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
    changed_.notify_one();
  }

  // Empty when the queue is closed and nothing is left.
  std::optional<int> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    int item = items_.front();
    items_.pop_front();
    return item;
  }

  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
#if defined(FIXED) || defined(WAKE_ALL)
    changed_.notify_all();
#else
    changed_.notify_one();
#endif
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Queue queue;
  auto consume = [&queue] {
    while (queue.pop()) continue;
  };
  std::thread first(consume), second(consume);
  queue.push(1);
  queue.close();
  first.join();
  second.join();
}
