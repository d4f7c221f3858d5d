// EXPECT fail assertion
#include <atomic>
#include <cassert>
#include <iostream>
#include <thread>
#include <vector>
std::atomic<int> c;
int main() {
  std::vector<std::thread> ts;
  for (int i = 0; i < 2; i++)
    ts.emplace_back([] {
      int v = c;
      c = v + 1;
    });
  for (auto& t : ts) t.join();
  std::cout << "c=" << c << std::endl;
  assert(c == 2);
}
