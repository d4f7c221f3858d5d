// EXPECT fail assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> users{0};

struct Pool {
  ~Pool() { assert(users == 0); }
};
static Pool first, second;

int main() {
  std::thread([] {
    users++;
    users--;
  }).detach();
}
