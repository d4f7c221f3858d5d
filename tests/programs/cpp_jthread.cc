// std::jthread joins by itself; stop requests and callbacks. Inside, the library spins with yields,
// which has no longest execution.
//
// LIBCXX: no
// FLAGS: -std=c++20
// RUN: --strategy=random --max-executions=200
// EXPECT: unknown
// RUN: --strategy=random
// FLAGS: -DCLAIM
// EXPECT: fail assertion
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::atomic<int> finished, called;

int main() {
  {
    std::jthread worker([](std::stop_token token) {
#ifdef CLAIM
      assert(!token.stop_requested());  // wrong
#endif
      std::stop_callback callback(token, [] { ++called; });
      ++finished;
    });
    std::jthread other([] { ++finished; });
  }
  assert(finished == 2 && called <= 1);
}
