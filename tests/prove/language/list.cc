// EXPECT pass
#include <cassert>
#include <list>
#include <mutex>
#include <thread>
std::list<int> q;
std::mutex m;
int main() {
  std::thread t([] {
    std::lock_guard g(m);
    q.push_back(1);
  }),
      u([] {
        std::lock_guard g(m);
        q.push_back(2);
      });
  t.join();
  u.join();
  assert(q.size() == 2);
}
