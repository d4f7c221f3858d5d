// std::atomic<std::shared_ptr> is a lock inside libstdc++, which gives it back without ordering
// anything after it has only read. That is the library's business: to the program it is atomic.
//
// LIBCXX: no
// LIBTSAN: no (it knows no business of the library)
// RUN: --strategy=portfolio
// FLAGS: -std=c++20
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -std=c++20
// EXPECT: pass
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};

int main() {
  std::thread other([] { current.store(std::make_shared<int>(2)); });
  const std::shared_ptr<int> seen = current.load();
  if (*seen != 1 && *seen != 2) __builtin_abort();
  other.join();
}
