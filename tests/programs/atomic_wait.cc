// C++20 waiting on an atomic, which reaches the kernel through syscall(SYS_futex).
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNO_NOTIFY
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DNO_NOTIFY
// EXPECT: fail deadlock
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> ready = 0;
  int data = 0;
  std::thread other([&] {
    data = 1;
    ready.store(1);
#ifndef NO_NOTIFY
    ready.notify_one();
#endif
  });
  ready.wait(0);
  assert(data == 1);
  other.join();
}
