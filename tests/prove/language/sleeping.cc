// EXPECT pass
#include <atomic>
#include <chrono>
#include <thread>
std::atomic<bool> d;
int main() {
  std::thread t([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    d = true;
  });
  while (!d) std::this_thread::yield();
  t.join();
}
