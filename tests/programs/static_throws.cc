// The initialisation of a static object that ends with an exception is done again by whoever comes
// next, also by a thread that has been waiting for it.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DWRONG
// EXPECT: fail assertion
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> attempts, caught;

struct Difficult {
  Difficult() {
    if (++attempts == 1) throw std::runtime_error("not at once");
  }
};

static void use() try { static Difficult difficult; } catch (const std::runtime_error&) {
  ++caught;
#ifdef WRONG
  assert(std::this_thread::get_id() == std::thread::id());
#endif
}

int main() {
  std::thread other(use);
  use();
  other.join();
  assert(attempts == 2 && caught == 1);
}
