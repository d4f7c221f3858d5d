// EXPECT pass
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
int x;
int main() {
  std::vector<std::thread> v;
  for (int i = 0; i < 3; i++)
    v.emplace_back([i] {
      std::lock_guard<std::mutex> g(m);
      x += i;
    });
  for (auto& t : v) t.join();
  assert(x == 3);
}
