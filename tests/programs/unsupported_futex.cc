// C++20 waiting on an atomic reaches the kernel through syscall(SYS_futex).
//
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: unsupported futex
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> ready = 0;
  std::thread other([&] {
    ready.store(1);
    ready.notify_one();
  });
  ready.wait(0);
  other.join();
}
