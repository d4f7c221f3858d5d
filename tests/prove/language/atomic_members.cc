// EXPECT fail assertion
// Members of a record of C++ go by their names, so that the program itself can be followed.
#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> count{0};
  std::atomic<bool> ready{false};
  int value = 0;
};
static Shared shared;

int main() {
  std::thread one([] {
    shared.value = 1;
    shared.ready = true;
    ++shared.count;
  });
  std::thread two([] {
    if (shared.ready.load()) assert(shared.value == 1);
    int seen = shared.count;
    shared.count = seen + 1;
  });
  one.join();
  two.join();
  assert(shared.count == 2);
}
