// EXPECT pass
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
struct S {
  std::atomic<int> v{0};
};
int main() {
  auto p = std::make_shared<S>();
  std::thread t([p] { p->v++; });
  p->v++;
  t.join();
  assert(p->v == 2);
}
