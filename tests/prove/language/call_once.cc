// EXPECT pass
#include <cassert>
#include <mutex>
#include <thread>
std::once_flag f;
int x;
int main() {
  auto g = [] {
    std::call_once(f, [] { x++; });
    assert(x == 1);
  };
  std::thread t(g), u(g);
  t.join();
  u.join();
}
