// Each thread has its own copy, fresh in every execution, destroyed when the thread ends; errno is
// one of them.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

static std::atomic<int> destroyed;

struct Local {
  int value = 7;
  ~Local() { destroyed.fetch_add(1); }
};
static thread_local Local local;
static thread_local int plain = 3;

static void work(int number) {
  assert(local.value == 7 && plain == 3 && errno == 0);
  local.value = plain = errno = number;
  std::this_thread::yield();
  assert(local.value == number && plain == number && errno == number);
}

int main() {
  assert(destroyed == 0);
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  assert(destroyed == 2 && plain == 3);
}
