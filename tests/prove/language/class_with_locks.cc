// EXPECT pass
// Locks as members of local objects, which constructors make.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

template <class T, int N>
class Channel {
 public:
  void put(T value) {
    std::unique_lock<std::mutex> lock(mutex_);
    room_.wait(lock, [this] { return count_ < N; });
    values_[(first_ + count_++) % N] = value;
    filled_.notify_one();
  }
  T get() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return count_ > 0; });
    T value = values_[first_];
    first_ = (first_ + 1) % N;
    --count_;
    room_.notify_one();
    return value;
  }

 private:
  T values_[N];
  int first_ = 0, count_ = 0;
  std::mutex mutex_;
  std::condition_variable filled_, room_;
};
struct Table {
  std::recursive_mutex mutex;
  std::shared_mutex shared;
  int writes = 0;
  void write() {
    std::lock_guard outer(mutex);
    std::lock_guard inner(mutex);
    std::unique_lock exclusive(shared);
    ++writes;
  }
  int read() {
    std::shared_lock lock(shared);
    return writes;
  }
};

int main() {
  Channel<int, 1> channel;
  Table table;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) channel.put(i);
    table.write();
  });
  int first = channel.get(), second = channel.get();
  assert(table.read() <= 1);
  producer.join();
  assert(first == 1 && second == 2 && table.read() == 1);
}
