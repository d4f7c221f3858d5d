// std::atomic_ref, atomic_flag and atomic<shared_ptr>-free reference counts.
//
// LIBCXX: no
// FLAGS: -std=c++20
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOT_ATOMIC
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT_ATOMIC
// EXPECT: fail assertion
#include <atomic>
#include <cassert>
#include <thread>

static int counter;

static void work() {
  std::atomic_ref<int> reference(counter);
#ifdef NOT_ATOMIC
  reference.store(reference.load() + 1);
#else
  ++reference;
#endif
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(counter == 2);
}
