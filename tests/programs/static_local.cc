// A static local object is initialised once, even when its constructor can be interrupted.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb
#include <cassert>
#include <thread>

static int constructed;

struct Slow {
  Slow() {
    std::this_thread::yield();
    ++constructed;
  }
};

static void use() {
  static Slow slow;
}

int main() {
  assert(constructed == 0);
  std::thread other(use);
  use();
  other.join();
  assert(constructed == 1);
}
