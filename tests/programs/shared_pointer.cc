// The reference counts of shared_ptr are atomic although the program was single-threaded when
// libstdc++ first looked: the object dies exactly once.
//
// EXPECT: pass
// RUN: --strategy=icb --bound=2
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> alive;

struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

int main() {
  auto shared = std::make_shared<Counted>();
  std::thread other([copy = shared]() mutable { copy.reset(); });
  shared.reset();
  other.join();
  assert(alive == 0);
}
