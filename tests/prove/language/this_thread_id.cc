// EXPECT pass
#include <cassert>
#include <thread>
std::thread::id a;
int main() {
  std::thread t([] { a = std::this_thread::get_id(); });
  auto i = t.get_id();
  t.join();
  assert(a == i);
  assert(a != std::this_thread::get_id());
}
